use super::prelude::*;
use super::steering::{no_target, rule};

/// Runs at the target and stops before it, each member on its own side.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::number(
            "stop",
            "how far from the target's centre it stops. Too little and the members cannot all stand round it",
        )
        .unit("m")
        .range(0.0, 100.0)
        .default(1.4)
        .live(),
        Param::number("separation", "how strongly it keeps away from neighbours")
            .range(0.0, 100.0)
            .default(1.0)
            .live(),
        Param::text("mode", "what it is called in events").default_text("direct"),
    ],
    running: "there is a target",
    success: "never",
    failure: "there is no target",
    ends: Ends::FAILURE,
    abort: "stops chasing",
    ..NodeDef::new("direct_chase", Kind::Action, "runs at the target and stops before it", |make| {
        let mode = make.text("mode").to_owned();
        Part::leaf(DirectChase {
            stop: make.live("stop")?,
            separation: make.live("separation")?,
            mode: make.symbol(&mode),
        })
    })
};

struct DirectChase {
    stop: Live,
    separation: Live,
    mode: Symbol,
}

impl Leaf for DirectChase {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.intent().mode = self.mode;
        let view = cx.view();
        let Some(track) = view.target() else {
            cx.because(no_target);
            return Status::Failure;
        };
        let (target, stop) = (track.position, view.number(self.stop).max(0.0));
        let separation = view.number(self.separation);
        let (radius, reach) = (view.radius(), view.radius() * 3.0);
        let in_ring = view.ring().place_of(view.key()).is_some();
        cx.head_for(target, Look::Target);
        if in_ring {
            cx.intent().ring = Some(RingWish {
                radius: stop.max(0.5),
                close_in: true,
                hold: false,
                direct: true,
                rules: None,
                formation: None,
            });
        }
        let chase = rule("arrive", 1.0, [0.3 * radius, 0.0, 0.0, 0.0]);
        cx.follow(Rule { anchor: Anchor::Target, stand_off: stop, ..chase });
        cx.follow(rule("separation", separation, [reach, 0.0, 0.0, 0.0]));
        Status::Running
    }
}
