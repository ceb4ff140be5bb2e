//! A leaf for each steering behaviour, made from its DEF.

use super::prelude::*;
use crate::math::direction;
use crate::steer::{self, Behaviour, Class, Order, PathCursor};
use crate::tree::{Make, Rule, anchor_of};
use std::sync::LazyLock;

const TO: Param =
    Param::aim("to", "what it is about: \"target\", \"place\", \"home\", \"squad\", a vec3, or bt.key \"…\"")
        .default_text("target");
const WEIGHT: Param =
    Param::number("weight", "how much it counts beside other rules").range(0.0, 1000.0).default(1.0).live();
const STOP: Param = Param::number("stop", "how near is there: it succeeds then")
    .unit("m")
    .range(0.0, f64::INFINITY)
    .default(0.5);
const POINTS: Param = Param::points("points", "the path; the squad's route when left out").optional();

/// The leaves of all behaviours, in the order of [`steer::BEHAVIOURS`].
pub fn leaves() -> &'static [&'static NodeDef] {
    static LEAVES: LazyLock<Vec<&'static NodeDef>> = LazyLock::new(|| {
        steer::BEHAVIOURS.iter().map(|behaviour| &*Box::leak(Box::new(leaf_of(behaviour)))).collect()
    });
    &LEAVES
}

fn leaf_of(behaviour: &'static Behaviour) -> NodeDef {
    let mut params = behaviour.params.to_vec();
    let (running, success) = match (behaviour.class, behaviour.name) {
        (Class::Bias, _) => ("always: it only adds to where others lead", "never"),
        (_, "wander") => ("always", "never"),
        (_, "follow_path") => {
            params.push(POINTS);
            ("it is on its way", "it stands at the end of the path")
        }
        (Class::Facing, _) => {
            params.push(TO);
            ("always", "never")
        }
        (_, "flee" | "evade") => {
            params.push(TO);
            ("it is nearer than radius", "it is further off than radius, if there is one")
        }
        (_, "arrive") => {
            params.push(TO);
            ("it is on its way", "it rests there, or as near as others that rest there let it")
        }
        _ => {
            params.extend([TO, STOP]);
            ("it is further off than stop", "it is nearer than stop")
        }
    };
    params.push(WEIGHT);
    let fails = behaviour.class != Class::Bias && behaviour.name != "wander";
    NodeDef {
        params: Box::leak(params.into_boxed_slice()),
        running,
        success,
        failure: match behaviour.name {
            "arrive" | "follow_path" => {
                "there is nothing there (any more), or no way: it stands where its way ends, bodies block it, or it has not got on for three seconds"
            }
            "pursue" | "seek" => {
                "there is nothing there (any more), or no way: it stands where its way ends, or bodies block it"
            }
            _ if fails => "there is nothing there (any more)",
            _ => "never",
        },
        ends: Ends { success: success != "never", failure: fails },
        abort: "the rule is not followed any more",
        memory: memory_of(behaviour.name),
        ..NodeDef::new(behaviour.name, Kind::Action, behaviour.doc, make)
    }
}

fn memory_of(name: &str) -> &'static [crate::tree::Slot] {
    match name {
        "wander" => &[("heading", SlotType::Number), ("turn", SlotType::Number)],
        "follow_path" => &[
            ("segment", SlotType::Count),
            ("along", SlotType::Number),
            ("begun", SlotType::Bool),
            ("start", SlotType::Vec3),
        ],
        _ => &[],
    }
}

fn make(make: &mut Make<'_>) -> crate::error::Result<Part> {
    let number = steer::BEHAVIOURS.iter().position(|behaviour| behaviour.name == make.name()).unwrap_or(0);
    let behaviour = steer::BEHAVIOURS[number];
    let mut numbers = [Live::Fixed(0.0); 4];
    for (number, param) in numbers.iter_mut().zip(behaviour.params) {
        *number = make.live(param.name)?;
    }
    let has = |name: &str| make.declares(name);
    let to = if has("to") { make.aim("to")? } else { None };
    let points = match has("points").then(|| make.args.get("points")).flatten() {
        Some(crate::args::Arg::List(list)) => Some(
            list.iter()
                .filter_map(|item| if let crate::args::Arg::Vec3(point) = item { Some(*point) } else { None })
                .collect(),
        ),
        _ => None,
    };
    let stop = if has("stop") { make.number("stop") } else { 0.0 };
    let weight = make.live("weight")?;
    Part::leaf(Steering { number: number as u16, behaviour, numbers, to, points, stop, weight })
}

struct Steering {
    number: u16,
    behaviour: &'static Behaviour,
    numbers: [Live; 4],
    to: Option<Aim>,
    points: Option<Vec<Vec3>>,
    stop: f32,
    weight: Live,
}

impl Steering {
    fn order(&self, view: &View<'_>) -> Order {
        Order { numbers: self.numbers.map(|number| view.number(number)), ..Order::ZERO }
    }

    fn follow(&self, cx: &mut Cx<'_>, order: Order) {
        let anchor = self.to.map_or(Anchor::Fixed, anchor_of);
        let weight = cx.view().number(self.weight);
        cx.follow(Rule { behaviour: self.number, weight, anchor, stand_off: 0.0, order });
    }

    fn towards(&self, cx: &mut Cx<'_>, aim: Aim) -> Status {
        let view = cx.view();
        let mut order = self.order(&view);
        let Some((point, velocity)) = view.aim(aim) else {
            cx.because(|_| Evidence::of(What::Distance, Value::Nothing));
            return Status::Failure;
        };
        (order.point, order.velocity) = (point, velocity);
        let distance = view.distance(point);
        if self.behaviour.name == "arrive" && view.blocked_from(point) {
            return give_up(cx);
        }
        let done = match self.behaviour.name {
            "flee" | "evade" => {
                let radius = order.numbers[self.behaviour.params.len() - 1];
                radius > 0.0 && distance >= radius
            }
            "face" => false,
            "arrive" => rests_at(&view, &order),
            _ => distance < self.stop,
        };
        self.follow(cx, order);
        if !matches!(self.behaviour.name, "flee" | "evade" | "face") {
            cx.intent().goal = Some(point);
        }
        if !done {
            let goes_there = !matches!(self.behaviour.name, "flee" | "evade" | "face");
            return if !goes_there { Status::Running } else { self.unless_no_way(cx, point) };
        }
        cx.because(|_| match self.behaviour.name {
            "arrive" => Evidence::of(What::Arrived, true),
            "flee" | "evade" => {
                let radius = order.numbers[self.behaviour.params.len() - 1];
                Evidence::of(What::Distance, f64::from(distance)).against(f64::from(radius))
            }
            _ => Evidence::of(What::Distance, f64::from(distance)).against(f64::from(self.stop)),
        });
        Status::Success
    }

    fn wander(&self, cx: &mut Cx<'_>) -> Status {
        let mut order = self.order(&cx.view());
        let mut course = steer::Course { heading: cx.load(0), turn: cx.load(1) };
        let (dt, normal) = (cx.view().dt(), cx.dice().normal() as f32);
        course.step(dt, order.numbers[1], order.numbers[2], normal);
        cx.store(0, course.heading);
        cx.store(1, course.turn);
        order.point = course.direction();
        self.follow(cx, order);
        Status::Running
    }

    fn along(&self, cx: &mut Cx<'_>) -> Status {
        let view = cx.view();
        let mut order = self.order(&view);
        let me = view.me();
        let points = self.points.as_deref().unwrap_or(&view.route().points);
        let looped = self.points.is_none() && view.route().order == crate::tree::RouteOrder::Loop;
        let start = cx.load::<bool>(2).then(|| cx.load::<Vec3>(3));
        let mut cursor = PathCursor { segment: cx.load::<u64>(0) as u32, along: cx.load(1), start, legs: 0 };
        let path = steer::Route::new(points, looped, &me, &order);
        let Some(ahead) = cursor.advance(&me, &path) else { return Status::Failure };
        if view.blocked_from(ahead.point) {
            return give_up(cx);
        }
        cx.store(0, u64::from(cursor.segment));
        cx.store(1, cursor.along);
        cx.store(2, cursor.start.is_some());
        cx.store(3, cursor.start.unwrap_or_default());
        (order.point, order.remaining) = (ahead.point, ahead.remaining);
        order.waypoint = Some(ahead.waypoint);
        cx.intent().goal = Some(ahead.point);
        self.follow(cx, order);
        if !(ahead.at_end && cx.view().arrived()) {
            return self.unless_no_way(cx, ahead.waypoint);
        }
        cx.because(|_| Evidence::of(What::Arrived, true));
        Status::Success
    }

    /// Failure when the way ends before the goal and it stands at that end.
    fn unless_no_way(&self, cx: &mut Cx<'_>, goal: Vec3) -> Status {
        if !cx.view().at_dead_end(goal) {
            return Status::Running;
        }
        cx.because(|_| Evidence::of(What::Arrived, false));
        Status::Failure
    }
}

impl Leaf for Steering {
    fn enter(&self, cx: &mut Cx<'_>) {
        match self.behaviour.name {
            "wander" => {
                let facing = cx.view().facing();
                cx.store(0, crate::math::angle_of(facing));
                cx.store(1, 0.0_f32);
            }
            "follow_path" => {
                cx.store(0, 0_u64);
                cx.store(1, 0.0_f32);
                cx.store(2, false);
            }
            _ => {}
        }
    }

    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        match (self.behaviour.name, self.to) {
            ("wander", _) => self.wander(cx),
            ("follow_path", _) => self.along(cx),
            (_, Some(aim)) => self.towards(cx, aim),
            _ => {
                let order = self.order(&cx.view());
                self.follow(cx, order);
                Status::Running
            }
        }
    }

    fn waiting(&self, at: &Glance<'_>) -> String {
        let view = at.view();
        let Some((point, _)) = self.to.and_then(|aim| view.aim(aim)) else { return String::new() };
        let speed = view.velocity().length();
        format!("it is {:.2} m off and moves at {speed:.2} m/s", view.distance(point))
    }
}

/// Fails, having got nowhere. After a tick without a wish whoever tries again has three seconds more.
fn give_up(cx: &mut Cx<'_>) -> Status {
    cx.because(|_| Evidence::of(What::Blocked, true));
    Status::Failure
}

/// Whether the agent is at rest where an order to arrive leads, by the rule of steering, or before it for want of room. Of the last
/// tick it is only known that it rested somewhere.
pub(crate) fn rests_at(view: &View<'_>, order: &Order) -> bool {
    let me = view.me();
    let tolerance = steer::arrive::tolerance(&me, order);
    let walks = view.way_left(order.point).is_some_and(|left| left > 2.0 * tolerance + me.radius);
    view.packed_at(order.point) || !walks && steer::arrive::rests(&me, order.point, tolerance, view.scene.dt)
}

/// The rule of a behaviour by name, with its weight and numbers in DEF's order: what squad leaves are made of.
pub(crate) fn rule(name: &str, weight: f32, numbers: [f32; 4]) -> Rule {
    let number = steer::BEHAVIOURS.iter().position(|behaviour| behaviour.name == name);
    let number = number.expect("BUG: a node follows a behaviour that is not in the table");
    Rule {
        behaviour: number as u16,
        weight,
        anchor: Anchor::Fixed,
        stand_off: 0.0,
        order: Order { numbers, ..Order::ZERO },
    }
}

/// What a leaf fails for that is about the target, when there is none.
pub(super) fn no_target(_: &Cx<'_>) -> Evidence {
    Evidence::of(What::TargetInView, Value::Nothing)
}

/// The direction in which the agent of that rank stands among its mates round a point: every one another.
pub(super) fn fan(rank: usize) -> Vec3 {
    // The golden angle: any number of members is spread evenly.
    direction(rank as f32 * 2.399_963_2)
}
