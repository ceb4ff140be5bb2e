use super::prelude::*;
use super::steering::{fan, no_target, rule};

/// Goes to where the target was last perceived and looks about there. Nothing but that place is used.
///
/// With `spread` the squad keeps a [belief](crate::sense::Belief) of where the target may be, which spreads at the target's
/// top speed and is cleared by what any member sees; each member walks to the likeliest place in its sector.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::number("speed", "how fast; the top speed when left out")
            .unit("m/s")
            .range(0.0, 1000.0)
            .optional()
            .live(),
        Param::number("radius", "how far round that place the members spread at most")
            .unit("m")
            .range(0.0, 100.0)
            .default(2.5),
        Param::bool(
            "spread",
            "whether the members search together, wherever the target can have got to since: each in a sector of its \
             own, where nobody has looked",
        )
        .default_bool(false),
        Param::number(
            "target_speed",
            "for `spread`: how fast the target can be; as fast as the agent itself when left out. Too low and it gets \
             away, too high and the search is thin",
        )
        .unit("m/s")
        .range(0.01, 1000.0)
        .optional()
        .live(),
        Param::number("sweep", "how fast it looks about once it is there")
            .unit("°/s")
            .range(0.0, 720.0)
            .default(90.0),
        Param::number("separation", "how strongly it keeps away from neighbours")
            .range(0.0, 100.0)
            .default(1.0)
            .live(),
        Param::text("mode", "what it is called in events").default_text("search"),
    ],
    running: "a target is remembered",
    success: "never; a guard says for how long",
    failure: "nothing is known of any target",
    ends: Ends::FAILURE,
    abort: "stops searching",
    ..NodeDef::new(
        "search",
        Kind::Action,
        "goes to where the target was last perceived and looks about",
        |make| {
            let mode = make.text("mode").to_owned();
            Part::leaf(Search {
                speed: make.live("speed")?,
                radius: make.number("radius"),
                spread: make.bool("spread"),
                target_speed: make.live("target_speed")?,
                sweep: make.number("sweep").to_radians(),
                separation: make.live("separation")?,
                mode: make.symbol(&mode),
            })
        },
    )
};

struct Search {
    speed: Live,
    radius: f32,
    spread: bool,
    target_speed: Live,
    sweep: f32,
    separation: Live,
    mode: Symbol,
}

impl Search {
    /// A place of its own by that point: the members fill a disc from its middle, as close as they can stand.
    fn goal(&self, view: &View<'_>, point: Vec3) -> Vec3 {
        if let Some(goal) = view.search_goal().filter(|_| self.spread) {
            return goal;
        }
        let step = view.radius() * 2.0;
        let away = (step * libm::sqrtf(view.rank() as f32)).min(self.radius);
        point + fan(view.rank()) * away
    }
}

impl Leaf for Search {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.intent().mode = self.mode;
        let view = cx.view();
        let Some(track) = view.target() else {
            cx.because(no_target);
            return Status::Failure;
        };
        let goal = self.goal(&view, track.position);
        let top = if self.spread { view.number(self.target_speed) } else { 0.0 };
        let top = if top > 0.0 { top } else { view.max_speed() };
        let (speed, separation) = (view.number(self.speed), view.number(self.separation));
        let look = if view.arrived() || view.at_dead_end(goal) {
            let seconds = view.now() as f64 * 1e-9;
            let turned = (seconds * f64::from(self.sweep)) % std::f64::consts::TAU;
            Look::At(view.position() + crate::math::direction(turned as f32 + view.rank() as f32))
        } else {
            Look::Ahead
        };
        let reach = view.radius() * 3.0;
        cx.intent().search = self.spread.then_some(top);
        cx.head_for(goal, look);
        let mut go = rule("arrive", 1.0, [0.0, speed, 0.0, 0.0]);
        go.order.point = goal;
        cx.follow(go);
        cx.follow(rule("separation", separation, [reach, 0.0, 0.0, 0.0]));
        Status::Running
    }
}
