use super::prelude::*;
use super::steering::{fan, rule};
use crate::args::Arg;
use crate::math::{direction, unit_or};
use crate::squad::shape::{self, Shape};
use crate::steer::{Order, PathCursor, PathPoint, Route as Path};
use crate::tree::{Route, RouteOrder, Stop};

/// Walks a route, the squad's or one of its own, with stops on it. After an interruption it goes on with the leg that was
/// interrupted, at the point of it that is nearest and not behind.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::number("speed", "how fast; the top speed when left out or above it")
            .unit("m/s")
            .range(0.0, 1000.0)
            .default(2.0)
            .live(),
        Param::points("points", "the waypoints; the squad's route when left out").optional(),
        Param::choice(
            "order",
            &["loop", "ping_pong", "once", "random"],
            "for `points`: what comes after the last one",
        )
        .default_text("loop"),
        Param::numbers("waits", "for `points`: how long to stand at each").unit("s").range(0.0, 1e6).optional(),
        Param::numbers("looks", "for `points`: where to look at each stop, from +x towards +z; where one came along when left out")
            .unit("°")
            .range(-360.0, 360.0)
            .optional(),
        Param::numbers("sweeps", "for `points`: over what angle to look about at each stop")
            .unit("°")
            .range(0.0, 360.0)
            .optional(),
        Param::number("spread", "how far apart the members walk").unit("m").range(0.0, 100.0).default(1.5),
        Param::choice(
            "shape",
            &["loose", "line", "column", "wedge", "box", "arc", "two_rings"],
            "the formation in which they walk; in any but a loose one those ahead wait for the others",
        )
        .default_text("loose"),
        Param::number("separation", "how strongly it keeps away from neighbours")
            .range(0.0, 100.0)
            .default(1.0)
            .live(),
        Param::text("mode", "what it is called in events").default_text("patrol"),
    ],
    running: "there is a route; with one waypoint it stands guard there",
    success: "it stands at the end of a route that does not go round",
    failure: "there is no route (one warning); it stands where it is",
    abort: "remembers how far it is on the route; a stop begins anew",
    memory: &[
        ("warned", SlotType::Bool),
        ("stays_until", SlotType::Time),
        ("segment", SlotType::Count),
        ("along", SlotType::Number),
        ("legs", SlotType::Count),
        ("begun", SlotType::Bool),
        ("start", SlotType::Vec3),
    ],
    ..NodeDef::new("patrol", Kind::Action, "walks the squad's route, or one of its own", |make| {
        let mode = make.text("mode").to_owned();
        Part::leaf(Patrol {
            speed: make.live("speed")?,
            route: own_route(make)?,
            spread: make.number("spread"),
            shape: Shape::named(make.text("shape")),
            separation: make.live("separation")?,
            mode: make.symbol(&mode),
        })
    })
};

/// How long one takes to look from one side to the other and back, s.
const SWEEP_TIME: f32 = 4.0;

struct Patrol {
    speed: Live,
    route: Option<Route>,
    spread: f32,
    shape: Option<Shape>,
    separation: Live,
    mode: Symbol,
}

/// The route that the node is given itself.
fn own_route(make: &crate::tree::Make<'_>) -> crate::error::Result<Option<Route>> {
    let list = |name: &str| match make.args.get(name) {
        Some(Arg::List(list)) => list.as_slice(),
        _ => &[],
    };
    let numbers = |name: &'static str| {
        list(name).iter().map(|item| if let Arg::Number(number) = item { *number as f32 } else { 0.0 })
    };
    let point = |item: &Arg| if let Arg::Vec3(point) = item { Some(*point) } else { None };
    let points: Vec<Vec3> = list("points").iter().filter_map(point).collect();
    for name in ["waits", "looks", "sweeps"] {
        if list(name).len() > points.len() {
            let message = format!("'{name}' has {} entries for {} points", list(name).len(), points.len());
            return Err(
                Error::new(ErrorKind::TooMany, message).hint("one for each of 'points', in their order")
            );
        }
    }
    if make.args.get("points").is_none() {
        return Ok(None);
    }
    let (looks, sweeps): (Vec<_>, Vec<_>) = (numbers("looks").collect(), numbers("sweeps").collect());
    let stop = |(at, wait): (usize, f32)| {
        let look = looks.get(at).copied();
        (at, Stop { wait, look, sweep: sweeps.get(at).copied().unwrap_or(0.0) })
    };
    let stops: Vec<_> = numbers("waits").enumerate().map(stop).collect();
    let order = RouteOrder::named(make.text("order")).unwrap_or_default();
    Ok(Some(Route::new(points, order, &stops)))
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

    fn route<'a>(&'a self, view: &View<'a>) -> &'a Route {
        self.route.as_ref().unwrap_or(view.route())
    }

    /// How far it has come: on the squad's route whichever node asks, on the node's own route for that node.
    fn cursor(&self, cx: &Cx<'_>) -> PathCursor {
        if self.route.is_none() {
            return cx.view().route_cursor();
        }
        let start = cx.load::<bool>(5).then(|| cx.load::<Vec3>(6));
        PathCursor {
            segment: cx.load::<u64>(2) as u32,
            along: cx.load(3),
            start,
            legs: cx.load::<u64>(4) as u32,
        }
    }

    fn keep(&self, cx: &mut Cx<'_>, cursor: PathCursor) {
        if self.route.is_none() {
            return cx.set_route_cursor(cursor);
        }
        cx.store(2, u64::from(cursor.segment));
        cx.store(3, cursor.along);
        cx.store(4, u64::from(cursor.legs));
        cx.store(5, cursor.start.is_some());
        cx.store(6, cursor.start.unwrap_or_default());
    }

    /// Where the agent walks beside the route, so that nobody wants another's place.
    fn offset(&self, view: &View<'_>, heading: Vec3) -> Vec3 {
        let (rank, count) = (view.rank(), view.mates());
        match self.shape {
            Some(shape) => shape::places(shape, count, self.spread, heading).nth(rank).unwrap_or_default(),
            None => fan(rank) * (self.spread * libm::sqrtf(rank as f32)),
        }
    }

    /// Its speed, less for one that is ahead of a formation.
    fn pace(&self, view: &View<'_>, offset: Vec3, heading: Vec3) -> f32 {
        let speed = view.number(self.speed);
        let top = if speed > 0.0 { speed.min(view.max_speed()) } else { view.max_speed() };
        if self.shape.is_none() {
            return top;
        }
        let ahead = (view.position() - offset - view.squad_centre()).dot(heading);
        let slack = self.spread.max(view.radius());
        // Somebody who fights elsewhere does not hold up the others for ever: half of the speed is left.
        top * (1.0 - (ahead - 0.2 * slack) / (2.0 * slack)).clamp(0.5, 1.0)
    }

    fn walk(&self, cx: &mut Cx<'_>, goal: Vec3, ahead: &PathPoint, offset: Vec3, numbers: [f32; 4]) {
        let mut walk = rule("follow_path", 1.0, numbers);
        (walk.order.point, walk.order.remaining) = (goal, ahead.remaining);
        walk.order.waypoint = Some(ahead.waypoint + offset);
        cx.follow(walk);
        let (separation, reach) = (cx.view().number(self.separation), cx.view().radius() * 3.0);
        cx.follow(rule("separation", separation, [reach, 0.0, 0.0, 0.0]));
    }

    /// Stands at a stop and looks about until its time is up; answers whether it is.
    fn stay(&self, cx: &mut Cx<'_>, stop: Stop, heading: Vec3) -> bool {
        let now = cx.view().now();
        if cx.load::<u64>(1) == 0 {
            cx.store(1, now.saturating_add(crate::math::nanoseconds(stop.wait)).max(1));
        }
        let until = cx.load::<u64>(1);
        let begun = until.saturating_sub(crate::math::nanoseconds(stop.wait));
        let turns = now.saturating_sub(begun) as f64 * 1e-9 / f64::from(SWEEP_TIME);
        let phase = (turns.fract() * std::f64::consts::TAU) as f32;
        let aside = (0.5 * stop.sweep).to_radians() * libm::sinf(phase);
        let ahead = stop.look.map_or(crate::math::angle_of(heading), f32::to_radians);
        cx.intent().look = Look::At(cx.view().position() + direction(ahead + aside) * 10.0);
        now >= until
    }
}

/// The direction of the leg that one is on.
fn heading_of(cursor: &PathCursor, route: &Route, view: &View<'_>) -> Vec3 {
    let waypoint = route.points[(cursor.segment as usize).min(route.points.len() - 1)];
    let leg = flat(waypoint - cursor.start.unwrap_or(view.position()));
    unit_or(leg, unit_or(flat(view.facing()), Vec3::X))
}

/// A number of the squad's own, the same in every run.
fn number_of(squad: &str) -> u64 {
    squad.bytes().fold(0x5eed, |sum, byte| crate::rng::mix(sum ^ u64::from(byte)))
}

impl Leaf for Patrol {
    fn enter(&self, cx: &mut Cx<'_>) {
        cx.store(1, 0_u64);
    }

    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.intent().mode = self.mode;
        let mut cursor = self.cursor(cx);
        let view = cx.view();
        let route = self.route(&view);
        if route.points.is_empty() {
            return Self::no_route(cx);
        }
        cursor.segment = cursor.segment.min(route.points.len() as u32 - 1);
        let heading = heading_of(&cursor, route, &view);
        let offset = self.offset(&view, heading);
        let mut me = view.me();
        me.position -= offset;
        let numbers = [0.0, self.pace(&view, offset, heading), 0.2, 0.0];
        let order = Order { numbers, ..Order::ZERO };
        let (stretch, round) = route.stretch(cursor.segment as usize);
        let first = *stretch.start();
        let path = Path::new(&route.points[stretch], round, &me, &order);
        cursor.segment -= first as u32;
        let before = cursor.segment;
        let Some(mut ahead) = cursor.advance(&me, &path) else { return Self::no_route(cx) };
        cursor.legs += if before == cursor.segment { 0 } else { ahead.passed };
        cursor.segment += first as u32;
        let here = cursor.segment as usize;
        let (stop, next) = (route.stop(here), route.after(here, cursor.legs, number_of(view.squad_name())));
        let rests = view.arrived();
        let end = (first + path.points.len() - 1).min(route.points.len() - 1);
        let goes_on = route.after(end, cursor.legs, 0).is_some();
        if !round && goes_on && !route.stop(end).is_one() {
            // It goes on behind this waypoint, and does not brake for it.
            ahead.remaining = f32::INFINITY;
        }
        let goal = ahead.point + offset;
        cx.head_for(goal, Look::Ahead);
        self.walk(cx, goal, &ahead, offset, numbers);
        let there = ahead.at_end && (rests || !stop.is_one());
        let done = there && (!stop.is_one() || self.stay(cx, stop, heading));
        if done && let Some(next) = next {
            let start = Some(ahead.waypoint);
            cursor = PathCursor { segment: next as u32, along: 0.0, start, legs: cursor.legs + 1 };
            cx.store(1, 0_u64);
        }
        self.keep(cx, cursor);
        if !done || next.is_some() || !rests || !self.ends_at_last(cx) {
            return Status::Running;
        }
        cx.because(|_| Evidence::of(What::Arrived, true));
        Status::Success
    }
}

impl Patrol {
    /// Whether the route has an end: a single waypoint is a post, whatever comes after the last.
    fn ends_at_last(&self, cx: &Cx<'_>) -> bool {
        let view = cx.view();
        let route = self.route(&view);
        route.order == RouteOrder::Once && route.points.len() > 1
    }
}
