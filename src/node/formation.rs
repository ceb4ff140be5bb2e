use super::prelude::*;
use super::steering::rule;
use crate::squad::shape::Shape;
use crate::squad::{FormationRules, RingRules};

const SHAPES: &[&str] = &["ring", "line", "column", "wedge", "box", "arc", "two_rings"];

/// Goes to the agent's place in the squad's formation, and stands there looking at the target.
///
/// A ring round the target belongs to the squad: it begins at the largest radius that a member asks for and closes in once it is
/// set, if members let it; `two_rings` is the same with a third of the members in an inner row. Every other shape advances on the target as
/// one and stops with its foremost place `radius` metres off. On the way to a place the heading is a blend of the way there and of the flock.
pub const DEF: NodeDef = NodeDef {
    params: &[
        Param::choice("shape", SHAPES, "the formation: a ring round the target, or a shape that advances on it").default_text("ring"),
        Param::number("radius", "the ring that it asks for; for a shape, how far from the target it stops").unit("m").range(0.5, 1000.0).default(12.0).live(),
        Param::bool("close_in", "whether the ring may close in on the target once it is set").default_bool(false),
        Param::bool("hold", "whether the ring stays at this radius for a siege, however near the target is").default_bool(false),
        Param::number("blend", "the share of the way to the place in the heading; the rest is the flock's. Too little and nobody gets there")
            .range(0.5, 1.0)
            .default(0.7),
        Param::number("reach", "how near to the place the blend ends and it counts as arrived").unit("m").range(0.1, 100.0).default(2.0),
        Param::number("stand", "how near to the place it stands still. Too much leaves gaps in the ring").unit("m").range(0.05, 100.0).default(0.5),
        Param::number("angle_offset", "where the first place is, from +x towards +z; when left out the ring turns so that walks are short").unit("°").range(-360.0, 360.0).optional(),
        Param::number("refresh", "how often places are dealt again").unit("s").range(0.0, 10.0).default(0.2),
        Param::number("close_to", "the radius at which closing in ends").unit("m").range(0.0, 1000.0).default(5.0),
        Param::number("close_rate", "how fast it closes in; above 0.55 the ring round a walking target breaks").unit("m/s").range(0.0, 100.0).default(0.5),
        Param::number("set_fraction", "the share of members in reach of their places from which the ring is set").range(0.0, 1.0).default(0.75),
        Param::number("set_after", "how long after the first arrival the ring counts as set anyway").unit("s").range(0.0, 60.0).default(3.0),
        Param::number("spacing", "the least distance of two places; 0 for what the bodies need on a ring, and for 2 m in a shape").unit("m").range(0.0, 1000.0).default(0.0),
        Param::number("turn_rate", "how fast a shape turns at most").unit("°/s").range(0.0, 3600.0).default(45.0),
        Param::number("separation", "how strongly it keeps away from neighbours").range(0.0, 100.0).default(1.5).live(),
        Param::number("alignment", "how strongly it moves as the neighbours do").range(0.0, 100.0).default(1.0).live(),
        Param::number("cohesion", "how strongly it keeps with the neighbours").range(0.0, 100.0).default(1.0).live(),
        Param::text("mode", "what it is called in events; when left out, a ring is \"wide\" from 9 m on and \"narrow\" below, and a shape is called by its name").optional(),
    ],
    running: "there is a target",
    success: "never",
    failure: "there is no target",
    ends: Ends::FAILURE,
    abort: "gives its place back",
    ..NodeDef::new("formation", Kind::Action, "takes a place in the squad's formation: a ring round the target, or a shape that advances on it", |make| {
        let shape = Shape::named(make.text("shape"));
        let mode = match make.text("mode") {
            "" if shape.is_some() => make.text("shape").to_owned(),
            "" if make.number("radius") >= 9.0 => "wide".to_owned(),
            "" => "narrow".to_owned(),
            named => named.to_owned(),
        };
        Part::leaf(Formation {
            radius: make.live("radius")?,
            close_in: make.bool("close_in"),
            hold: make.bool("hold"),
            rules: RingRules {
                flock_share: 1.0 - make.number("blend"),
                reach: make.number("reach"),
                stand: make.number("stand"),
                refresh: make.number("refresh"),
                close_to: make.number("close_to"),
                close_rate: make.number("close_rate"),
                set_fraction: make.number("set_fraction"),
                set_after: make.number("set_after"),
                angle_offset: make.number("angle_offset"),
                free_phase: make.args.get("angle_offset").is_none(),
                spacing: make.number("spacing"),
                rings: if shape == Some(Shape::TwoRings) { 2 } else { 1 },
                ..RingRules::default()
            },
            formation: shape.filter(|shape| *shape != Shape::TwoRings).map(|shape| FormationRules {
                shape,
                spacing: match make.number("spacing") {
                    0.0 => FormationRules::default().spacing,
                    spacing => spacing,
                },
                turn_rate: make.number("turn_rate"),
                reach: make.number("reach"),
                refresh: make.number("refresh"),
                ..FormationRules::default()
            }),
            flock: [make.live("separation")?, make.live("alignment")?, make.live("cohesion")?],
            mode: make.symbol(&mode),
        })
    })
};

struct Formation {
    radius: Live,
    close_in: bool,
    hold: bool,
    rules: RingRules,
    formation: Option<FormationRules>,
    flock: [Live; 3],
    mode: Symbol,
}

impl Leaf for Formation {
    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        cx.intent().mode = self.mode;
        let view = cx.view();
        if view.target().is_none() {
            cx.because(super::steering::no_target);
            return Status::Failure;
        }
        let radius = view.number(self.radius).max(0.5);
        let [separation, alignment, cohesion] = self.flock.map(|weight| view.number(weight));
        let place = view.aim(Aim::Place).map(|(position, _)| position);
        let there = place.is_some_and(|place| view.distance(place) <= self.rules.reach);
        let goal = place.unwrap_or(view.position());
        let look = if there { Look::Target } else { Look::Ahead };
        cx.head_for(goal, look);
        let (close_in, hold) = (self.close_in, self.hold);
        let formation = self.formation.map(|rules| FormationRules { stop: radius, ..rules });
        cx.intent().ring =
            Some(RingWish { radius, close_in, hold, direct: false, rules: Some(self.rules), formation });
        cx.follow(Rule { anchor: Anchor::Place, ..rule("arrive", 1.0, [self.rules.stand, 0.0, 0.0, 0.0]) });
        for (name, weight) in [("separation", separation), ("alignment", alignment), ("cohesion", cohesion)] {
            cx.follow(rule(name, weight, [0.0; 4]));
        }
        Status::Running
    }
}
