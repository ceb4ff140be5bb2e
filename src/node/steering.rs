//! A leaf for each steering behaviour, made from its DEF.

use super::prelude::*;
use crate::math::direction;
use crate::query::{Asker, Cover};
use crate::steer::{self, About, Behaviour, Class, Order, PathCursor};
use crate::tree::{Make, Rule, anchor_of};
use std::sync::LazyLock;

const TO: Param = Param::aim(
    "to",
    "what it is about: \"target\", \"place\", \"home\", \"squad\", \"leader\", a vec3, or bt.key \"…\"",
)
.default_text("target");
const WEIGHT: Param =
    Param::number("weight", "how much it counts beside other rules").range(0.0, 1000.0).default(1.0).live();
const STOP: Param = Param::number("stop", "how near is there: it succeeds then; a body radius when left out")
    .unit("m")
    .range(0.0, f64::INFINITY)
    .optional();
const OTHER: Param = Param::aim("other", "the second body or place, as `to`").default_text("leader");
const OF: Param = Param::aim("of", "whom it follows: \"leader\" (the squad's living member with the lowest key), \"target\", or bt.key \"…\" with an entity")
    .default_text("leader");
const OFFSET: Param =
    Param::vec3("offset", "the place in the leader's frame: x ahead, y up, z to the right").unit("m");
const ROUND: Param =
    Param::aim("to", "the middle of a round or square region, as elsewhere").default_text("home");
const OUTLINE: Param =
    Param::points("points", "the corners of a region in turn, in place of radius or width").optional();
const FIELD: Param = Param::text("field", "the name of a flow field of the world");
const FROM: Param = Param::aim("from", "the threat, as `to` elsewhere").default_text("target");
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
    let told = told(behaviour);
    params.extend(told.params);
    params.push(WEIGHT);
    let fails = told.failure != "never";
    NodeDef {
        params: Box::leak(params.into_boxed_slice()),
        running: told.running,
        success: told.success,
        failure: match behaviour.name {
            "arrive" | "follow_path" => {
                "there is nothing there (any more), or no way: it stands where its way ends, bodies block it, or it has not got on for three seconds"
            }
            "pursue" | "seek" => {
                "there is nothing there (any more), or no way: it stands where its way ends, or bodies block it"
            }
            _ => told.failure,
        },
        ends: Ends { success: told.success != "never", failure: fails },
        abort: "the rule is not followed any more",
        memory: memory_of(behaviour.name),
        ..NodeDef::new(behaviour.name, Kind::Action, behaviour.doc, make)
    }
}

/// What the leaf of a behaviour is told beside its numbers, and how it ends.
struct Told {
    params: &'static [Param],
    running: &'static str,
    success: &'static str,
    failure: &'static str,
}

const NOTHING_THERE: &str = "there is nothing there (any more)";
const ADDS: &str = "always: it only adds to where others lead";
const TRIMS: &str = "always: it only trims where others lead";

fn told(behaviour: &Behaviour) -> Told {
    let of = |params, running, success, failure| Told { params, running, success, failure };
    match (behaviour.about, behaviour.class, behaviour.name) {
        (About::Nothing, Class::Bias, _) => of(&[], ADDS, "never", "never"),
        (About::Nothing, Class::Bound, _) => of(&[], TRIMS, "never", "never"),
        (About::Nothing | About::Direction, ..) => of(&[], "always", "never", "never"),
        (About::Path, ..) => {
            of(&[POINTS], "it is on its way", "it stands at the end of the path", NOTHING_THERE)
        }
        (About::Pair, ..) => of(&[TO, OTHER], "always", "never", "one of the two is not there (any more)"),
        (About::Leader, _, "offset_pursuit") => of(&[OF, OFFSET], "always", "never", NO_LEADER),
        (About::Leader, ..) => of(&[OF], "always", "never", NO_LEADER),
        (About::Region, ..) => of(&[ROUND, OUTLINE], TRIMS, "never", NOTHING_THERE),
        (About::Field, ..) => {
            of(&[FIELD], "it is in the field", "never", "the world has no such field, or it is outside of it")
        }
        (About::Threat, ..) => of(
            &[FROM],
            "it is on its way to a place, or hidden there",
            "never",
            "nobody is there to hide from, or no place hides",
        ),
        (About::Point, Class::Bound, _) => of(&[TO], TRIMS, "never", NOTHING_THERE),
        (About::Point, Class::Facing, _) => of(&[TO], "always", "never", NOTHING_THERE),
        (About::Point, _, "flee" | "evade") => of(
            &[TO],
            "it is nearer than radius",
            "it is further off than radius, if there is one",
            NOTHING_THERE,
        ),
        (About::Point, _, "arrive") => of(
            &[TO],
            "it is on its way",
            "it rests there, or as near as others that rest there let it",
            NOTHING_THERE,
        ),
        (About::Point, ..) => {
            of(&[TO, STOP], "it is further off than stop", "it is nearer than stop", NOTHING_THERE)
        }
    }
}

const NO_LEADER: &str = "that body is not there (any more), or it is the agent itself";

fn memory_of(name: &str) -> &'static [crate::tree::Slot] {
    match name {
        "wander" => &[("heading", SlotType::Number), ("turn", SlotType::Number)],
        "hide" => &[("found", SlotType::Bool), ("place", SlotType::Vec3)],
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
    let aim = |name: &str| if make.declares(name) { make.aim(name) } else { Ok(None) };
    let to = [aim("to")?, aim("of")?, aim("from")?].into_iter().flatten().next();
    let other = aim("other")?;
    let given = |name: &str| make.declares(name).then(|| make.args.get(name)).flatten();
    let points = match given("points") {
        Some(crate::args::Arg::List(list)) => Some(
            list.iter()
                .filter_map(|item| if let crate::args::Arg::Vec3(point) = item { Some(*point) } else { None })
                .collect::<Vec<_>>(),
        ),
        _ => None,
    };
    if behaviour.about == About::Region {
        check_region(make, points.as_deref())?;
    }
    let offset = match given("offset") {
        Some(crate::args::Arg::Vec3(offset)) => *offset,
        _ => Vec3::ZERO,
    };
    let field = if make.declares("field") { make.text("field").into() } else { "".into() };
    let stop = given("stop").map(|_| make.number("stop"));
    let weight = make.live("weight")?;
    Part::leaf(Steering {
        number: number as u16,
        behaviour,
        numbers,
        to,
        other,
        points,
        offset,
        field,
        stop,
        weight,
    })
}

fn check_region(make: &Make<'_>, points: Option<&[Vec3]>) -> crate::error::Result<()> {
    let fault = match points {
        Some(points) if points.len() < 3 => {
            format!("an outline needs at least 3 points, got {}", points.len())
        }
        None if make.args.get("radius").is_none() && make.args.get("width").is_none() => {
            "a region needs a radius, a width or points".to_owned()
        }
        _ => return Ok(()),
    };
    Err(Error::new(ErrorKind::OutOfRange, fault))
}

struct Steering {
    number: u16,
    behaviour: &'static Behaviour,
    numbers: [Live; 4],
    to: Option<Aim>,
    other: Option<Aim>,
    points: Option<Vec<Vec3>>,
    offset: Vec3,
    field: Box<str>,
    stop: Option<f32>,
    weight: Live,
}

impl Steering {
    fn order(&self, view: &View<'_>) -> Order {
        Order { numbers: self.numbers.map(|number| view.number(number)), ..Order::ZERO }
    }

    fn follow(&self, cx: &mut Cx<'_>, order: Order) {
        let anchor = match self.behaviour.about {
            About::Point => self.to.map_or(Anchor::Fixed, anchor_of),
            _ => Anchor::Fixed,
        };
        self.follow_at(cx, order, anchor);
    }

    fn follow_at(&self, cx: &mut Cx<'_>, order: Order, anchor: Anchor) {
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
        let (distance, stop) = (view.distance(point), self.stop.unwrap_or(view.radius()));
        if self.behaviour.name == "arrive" && view.blocked_from(point) {
            return give_up(cx);
        }
        let done = match self.behaviour.name {
            _ if self.behaviour.class == Class::Bound => false,
            "flee" | "evade" => {
                let radius = order.numbers[self.behaviour.params.len() - 1];
                radius > 0.0 && distance >= radius
            }
            "face" => false,
            "arrive" => rests_at(&view, &order),
            _ => distance < stop,
        };
        self.follow(cx, order);
        if self.behaviour.class == Class::Goal && !matches!(self.behaviour.name, "flee" | "evade") {
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
            _ => Evidence::of(What::Distance, f64::from(distance)).against(f64::from(stop)),
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

/// Those that are told of more than a point; `None` where there is nothing of the kind.
impl Steering {
    fn between(&self, cx: &mut Cx<'_>, aim: Aim) -> Option<()> {
        let view = cx.view();
        let other = self.other?;
        let mut order = self.order(&view);
        (order.point, order.velocity) = view.aim(aim)?;
        (order.second, order.second_velocity) = view.aim(other)?;
        let body = |aim| view.body_of(aim).unwrap_or_default();
        let anchor = Anchor::Pair(body(aim), body(other));
        cx.intent().goal = Some(steer::interpose::place(&view.me(), &order));
        self.follow_at(cx, order, anchor);
        Some(())
    }

    fn beside(&self, cx: &mut Cx<'_>, aim: Aim) -> Option<()> {
        let view = cx.view();
        let mut order = Order { offset: self.offset, ..self.order(&view) };
        let body = view.body_of(aim);
        if body == Some(view.agent().entity()) {
            return None;
        }
        match body {
            Some(entity) => {
                let known = view.known(entity)?;
                (order.point, order.velocity, order.second) = (known.position, known.velocity, known.heading);
            }
            None => (order.point, order.velocity) = view.aim(aim)?,
        }
        cx.intent().goal = Some(steer::offset_pursuit::place(&view.me(), &order));
        self.follow_at(cx, order, body.map_or(Anchor::Fixed, Anchor::Body));
        Some(())
    }

    fn within(&self, cx: &mut Cx<'_>, aim: Aim) -> Option<()> {
        let view = cx.view();
        let mut order = self.order(&view);
        let Some(outline) = &self.points else {
            order.point = view.aim(aim)?.0;
            let body = view.body_of(aim);
            self.follow_at(cx, order, body.map_or(anchor_of(aim), Anchor::Body));
            return Some(());
        };
        let me = view.me();
        let time = me.look_ahead() / me.max_speed.max(1e-6);
        let edges = steer::containment::edges_of(outline, me.position, me.velocity * time)?;
        [(order.point, order.second), (order.offset, order.second_velocity)] = edges;
        (order.numbers[0], order.numbers[1]) = (0.0, 0.0);
        self.follow_at(cx, order, Anchor::Fixed);
        Some(())
    }

    fn hidden(&self, cx: &mut Cx<'_>, aim: Aim) -> Option<()> {
        let view = cx.view();
        let mut order = self.order(&view);
        let (threat, _) = view.aim(aim)?;
        let cover = Cover { threat, reach: steer::hide::reach(&view.me(), &order) };
        let kept = cx.load::<bool>(0).then(|| cx.load::<Vec3>(1));
        // Who stands on the very edge of what counts as there may show while its place would hide it.
        let stands = |place| view.arrived() && rests_at(&view, &Order { point: place, ..order });
        let shows = |place, asker: &Asker<'_>| stands(place) && !cover.hides(asker.position, asker);
        let holds = |place, asker: &Asker<'_>| cover.holds(place, asker) && !shows(place, asker);
        let kept = kept.filter(|place| view.asking(&[], |asker| holds(*place, asker)));
        let place = match kept {
            Some(place) => place,
            None => cx.find_cover(&cover)?,
        };
        cx.store(0, true);
        cx.store(1, place);
        order.point = place;
        cx.intent().goal = Some(place);
        self.follow_at(cx, order, Anchor::Fixed);
        Some(())
    }

    fn drift(&self, cx: &mut Cx<'_>) -> Option<()> {
        let view = cx.view();
        let number = view.field(&self.field)?;
        let mut order = self.order(&view);
        order.velocity = view.drift(number)?;
        self.follow_at(cx, order, Anchor::Field(number));
        Some(())
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
            "hide" => cx.store(0, false),
            _ => {}
        }
    }

    fn tick(&self, cx: &mut Cx<'_>) -> Status {
        let status = match (self.behaviour.about, self.to) {
            (About::Direction, _) => return self.wander(cx),
            (About::Path, _) => return self.along(cx),
            (About::Point, Some(aim)) => return self.towards(cx, aim),
            (About::Pair, Some(aim)) => self.between(cx, aim),
            (About::Leader, Some(aim)) => self.beside(cx, aim),
            (About::Region, Some(aim)) => self.within(cx, aim),
            (About::Threat, Some(aim)) => self.hidden(cx, aim),
            (About::Field, _) => self.drift(cx),
            _ => {
                let order = self.order(&cx.view());
                self.follow(cx, order);
                Some(())
            }
        };
        if status.is_none() {
            cx.because(|_| Evidence::of(What::Distance, Value::Nothing));
            return Status::Failure;
        }
        Status::Running
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
