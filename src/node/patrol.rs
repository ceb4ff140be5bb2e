use super::prelude::*;
use super::steering::{fan, rule};
use crate::steer::{Order, Route};
use crate::tree::RouteOrder;

/// Walks the squad's route. After an interruption it goes on with the leg that was interrupted.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::number("speed", "how fast; the top speed when left out or above it")
            .unit("m/s")
            .range(0.0, 1000.0)
            .default(2.0)
            .live(),
        Param::number("spread", "how far apart the members walk").unit("m").range(0.0, 100.0).default(1.5),
        Param::number("separation", "how strongly it keeps away from neighbours")
            .range(0.0, 100.0)
            .default(1.0)
            .live(),
        Param::text("mode", "what it is called in events").default_text("patrol"),
    ],
    running: "there is a route; with one waypoint it stands guard there",
    success: "it stands at the end of a route that does not go round",
    failure: "the squad has no route (one warning); it stands where it is",
    abort: "remembers how far it is on the route",
    memory: &[("warned", SlotType::Bool)],
    ..NodeDef::new("patrol", Kind::Action, "walks the squad's route", |make| {
        let mode = make.text("mode").to_owned();
        Part::leaf(Patrol {
            speed: make.live("speed")?,
            spread: make.number("spread"),
            separation: make.live("separation")?,
            mode: make.symbol(&mode),
        })
    })
};

struct Patrol {
    speed: Live,
    spread: f32,
    separation: Live,
    mode: Symbol,
}

impl Patrol {
    fn no_route(cx: &mut Cx<'_>) -> Status {
        if !cx.load::<bool>(0) {
            cx.store(0, true);
            let squad = cx.view().squad_name().to_owned();
            cx.problem(
                Error::new(ErrorKind::Warning, format!("squad '{squad}' has no route to patrol"))
                    .hint("give it waypoints; one is enough to stand guard at"),
            );
        }
        Status::Failure
    }
}

impl Leaf for Patrol {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.intent().mode = self.mode;
        let view = cx.view();
        let route = view.route();
        if route.points.is_empty() {
            return Self::no_route(cx);
        }
        // Each member walks the route at its own offset, so that nobody wants another's place.
        let offset = fan(view.rank()) * (self.spread * libm::sqrtf(view.rank() as f32));
        let mut me = view.me();
        me.position -= offset;
        let numbers = [0.0, view.number(self.speed), 0.2, 0.0];
        let order = Order { numbers, ..Order::ZERO };
        let path = Route::new(&route.points, route.order == RouteOrder::Loop, &me, &order);
        let mut cursor = view.route_cursor();
        let ahead = cursor.advance(&me, &path);
        let (separation, reach) = (view.number(self.separation), view.radius() * 3.0);
        let once = route.order == RouteOrder::Once && route.points.len() > 1;
        let Some(ahead) = ahead else { return Self::no_route(cx) };
        cx.set_route_cursor(cursor);
        cx.head_for(ahead.point + offset, Look::Ahead);
        let mut walk = rule("follow_path", 1.0, numbers);
        (walk.order.point, walk.order.remaining) = (ahead.point + offset, ahead.remaining);
        walk.order.waypoint = Some(ahead.waypoint + offset);
        cx.follow(walk);
        cx.follow(rule("separation", separation, [reach, 0.0, 0.0, 0.0]));
        if !(once && ahead.at_end && cx.view().arrived()) {
            return Status::Running;
        }
        cx.because(|_| Evidence::of(What::Arrived, true));
        Status::Success
    }
}
