//! The laws of steering: never NaN, never over the limit, turns with the frame, mirror images mirror; arriving at any
//! frame rate; and the field reports that one agent can show.

use proptest::prelude::*;
use warband::args::{DefaultValue, ParamType};
use warband::math::{Vec3, flat, parting, unit_or, vec3};
use warband::rng::Dice;
use warband::steer::*;

const EXTREMES: [f32; 8] = [0.0, -0.0, 1e-30, 1e-3, 1.0, -1e9, 1e30, f32::MAX];

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![4 => -50.0f32..50.0, 1 => prop::sample::select(&EXTREMES[..])]
}

fn size() -> impl Strategy<Value = f32> {
    number().prop_map(f32::abs)
}

fn vector() -> impl Strategy<Value = Vec3> {
    (number(), number(), number()).prop_map(|(x, y, z)| vec3(x, y, z))
}

fn tame() -> impl Strategy<Value = Vec3> {
    (-20.0f32..20.0, -3.0f32..3.0, -20.0f32..20.0).prop_map(|(x, y, z)| vec3(x, y, z))
}

#[derive(Clone, Debug)]
struct Crowd {
    me: Me,
    order: Order,
    position: Vec<Vec3>,
    velocity: Vec<Vec3>,
    radius: Vec<f32>,
    id: Vec<u32>,
    indices: Vec<u32>,
}

impl Crowd {
    fn near(&self) -> Near<'_> {
        let Self { indices, position, velocity, radius, id, .. } = self;
        Near { indices, position, velocity, radius, id, edges: &[] }
    }

    fn run(&self, behaviour: &Behaviour, dt: f32) -> Vec3 {
        (behaviour.run)(&self.me, &self.order, &self.near(), dt)
    }

    fn map(&self, f: impl Fn(Vec3) -> Vec3) -> Self {
        let mut new = self.clone();
        let me = &mut new.me;
        for v in [&mut me.position, &mut me.velocity, &mut me.facing] {
            *v = f(*v);
        }
        new.order.point = f(new.order.point);
        new.order.velocity = f(new.order.velocity);
        new.position.iter_mut().chain(&mut new.velocity).for_each(|v| *v = f(*v));
        new
    }
}

fn crowd<V: Strategy<Value = Vec3>>(
    vector: impl Fn() -> V,
    size: impl Strategy<Value = f32> + Clone,
) -> impl Strategy<Value = Crowd> {
    let me = (vector(), vector(), vector(), prop::array::uniform4(size.clone()), any::<(bool, bool)>());
    let order = (vector(), vector(), size.clone(), prop::array::uniform4(size.clone()));
    let others = prop::collection::vec((vector(), vector(), size, any::<bool>()), 0..6);
    (me, order, others).prop_map(|(me, order, others)| {
        let (position, velocity, facing, [radius, max_speed, max_acceleration, response], (ground, resting)) =
            me;
        let me = Me {
            velocity,
            max_speed,
            max_acceleration,
            response,
            ground,
            resting,
            ..Me::new(3, position, facing, &Limits::of(radius, 1.0))
        };
        Crowd {
            me,
            order: Order {
                point: order.0,
                velocity: order.1,
                remaining: order.2,
                numbers: order.3,
                ..Order::ZERO
            },
            position: others.iter().map(|other| if other.3 { me.position } else { other.0 }).collect(),
            velocity: others.iter().map(|other| other.1).collect(),
            radius: others.iter().map(|other| other.2).collect(),
            id: (0..others.len() as u32).collect(),
            // One of them is the agent itself, one index leads nowhere.
            indices: (0..others.len() as u32 + 1).collect(),
        }
    })
}

fn wild() -> impl Strategy<Value = Crowd> {
    crowd(vector, size().boxed())
}

/// Nobody coincident, sizes that mean something: what the laws of symmetry are about.
fn sane() -> impl Strategy<Value = Crowd> {
    crowd(tame, (0.1f32..8.0).boxed()).prop_map(|mut crowd| {
        for (index, position) in crowd.position.iter_mut().enumerate() {
            if position.distance(crowd.me.position) < 0.5 {
                *position = crowd.me.position + vec3(1.0 + index as f32, 0.0, 0.3);
            }
        }
        crowd
    })
}

fn rotated(v: Vec3, angle: f32) -> Vec3 {
    let (sin, cos) = angle.sin_cos();
    vec3(v.x * cos - v.z * sin, v.y, v.x * sin + v.z * cos)
}

fn close(a: Vec3, b: Vec3, scale: f32) -> bool {
    (a - b).length() <= 2e-3 * (1.0 + scale)
}

/// Whether a tiny move of the setup changes the answer much: on the edge of a radius symmetry holds for nobody.
fn on_an_edge(crowd: &Crowd, behaviour: &Behaviour) -> bool {
    let here = crowd.run(behaviour, 0.02);
    let scaled = [1.0 - 1e-4, 1.0 + 1e-4].iter().any(|scale| {
        let there = crowd.map(|v| v * *scale).run(behaviour, 0.02);
        !close(here, there, 2.0 * here.length() + crowd.me.max_speed)
    });
    scaled || in_the_middle_of_the_lane(crowd, behaviour)
}

/// Whether one stands where a number decides to which side of its leader's lane it goes: a number has no mirror image. The band is twice as
/// wide as the one in which it does, for what rounding may do.
fn in_the_middle_of_the_lane(crowd: &Crowd, behaviour: &Behaviour) -> bool {
    let (me, order) = (&crowd.me, &crowd.order);
    let ahead = unit_or(
        flat(order.second),
        unit_or(flat(order.velocity), unit_or(flat(order.point - me.position), Vec3::X)),
    );
    let way = flat(me.position - order.point);
    let across = way.dot(vec3(-ahead.z, 0.0, ahead.x));
    let half =
        2.0 * me.radius + 0.5 * if order.numbers[2] > 0.0 { order.numbers[2] } else { 4.0 * me.radius };
    behaviour.name == "leader_following" && across.abs() <= 2e-3 * half
}

#[test]
fn in_the_middle_of_its_leaders_lane_a_number_says_to_which_side_one_goes() {
    // Found as a breach of symmetry: all but in the middle, and so on no side.
    let run = |id: u32, aside: f32| {
        let me = Me::new(id, vec3(3.0, 0.0, aside), Vec3::X, &Limits::of(0.5, 5.0));
        let order = Order { velocity: vec3(4.0, 0.0, 0.0), second: Vec3::X, ..Order::to(Vec3::ZERO) };
        (leader_following::DEF.run)(&me, &order, &Near::NOBODY, 0.02).z
    };
    for aside in [-1e-4, 0.0, 1e-4] {
        assert!(run(2, aside) > 4.9 && run(3, aside) < -4.9, "{aside}: {} {}", run(2, aside), run(3, aside));
    }
    assert!(run(3, 0.2) > 4.9 && run(2, -0.2) < -4.9, "off the middle one's own side counts");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn never_nan_and_never_over_the_top_speed(crowd in wild(), dt in size()) {
        for behaviour in BEHAVIOURS {
            let wanted = crowd.run(behaviour, dt);
            prop_assert!(wanted.is_finite(), "{} gave {wanted}", behaviour.name);
            if behaviour.class == Class::Goal {
                let top = crowd.me.max_speed;
                prop_assert!(wanted.length() <= top * 1.0001 || top > 1e18, "{} {wanted}", behaviour.name);
            }
            let velocity = steer(&crowd.me, wanted, dt);
            prop_assert!(velocity.is_finite(), "{} steered to {velocity}", behaviour.name);
            let facing = turn(crowd.me.facing, wanted, &Turning::default(), dt);
            prop_assert!((facing.length() - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn combinations_are_finite_and_within_the_top_speed(
        list in prop::collection::vec((0usize..3, number(), vector()), 0..6), top in size(), share in number(),
    ) {
        let classes = [Class::Goal, Class::Bias, Class::Facing];
        let wishes: Vec<Wish> =
            list.iter().map(|&(class, weight, velocity)| Wish { class: classes[class], weight, velocity }).collect();
        let bias = list.first().map_or(Vec3::ZERO, |first| first.2);
        for sum in [
            combine_weighted(&wishes, top, share),
            combine_priority(&wishes, top, share),
            combine_budget(&wishes, top),
            combine_heading(bias, bias, share, top),
        ] {
            prop_assert!(sum.is_finite());
            prop_assert!(sum.length() <= top * 1.0001 || top > 1e18, "{sum} over {top}");
        }
    }

    #[test]
    fn steering_keeps_speed_and_change_of_speed(crowd in sane(), dt in 0.0f32..0.6) {
        let me = &crowd.me;
        let velocity = steer(me, crowd.order.velocity * 3.0, dt);
        let change = (velocity - me.velocity).length();
        prop_assert!(velocity.length() <= me.max_speed.max(me.velocity.length()) + 1e-4);
        prop_assert!(change <= me.max_acceleration * dt * 1.001 + 1e-4, "{change} in {dt}");
        if me.velocity.length() > me.max_speed {
            // In a microsecond it is less than what a number can hold.
            prop_assert!(dt < 1e-5 || velocity.length() < me.velocity.length());
        }
    }

    #[test]
    fn a_rotated_setup_rotates_the_answer(crowd in sane(), angle in 0.0f32..6.3) {
        // The box of a containment lies along the axes: it alone does not turn.
        let turns = |behaviour: &&&Behaviour| behaviour.name != "containment" && !on_an_edge(&crowd, behaviour);
        for behaviour in BEHAVIOURS.iter().filter(turns) {
            let (here, there) = (crowd.run(behaviour, 0.02), crowd.map(|v| rotated(v, angle)).run(behaviour, 0.02));
            prop_assert!(close(rotated(here, angle), there, here.length()), "{}: {here} {there}", behaviour.name);
            let turned = turn(crowd.me.facing, here, &Turning::default(), 0.1);
            let facing = turn(rotated(crowd.me.facing, angle), rotated(here, angle), &Turning::default(), 0.1);
            // Straight back there is no nearer side.
            let back = unit_or(here, Vec3::ZERO).dot(unit_or(crowd.me.facing, Vec3::ZERO)) < -1.0 + 1e-5;
            prop_assert!(back || close(rotated(turned, angle), facing, 1.0));
        }
    }

    #[test]
    fn a_mirrored_setup_mirrors_the_answer(crowd in sane()) {
        let mirror = |v: Vec3| vec3(v.x, v.y, -v.z);
        for behaviour in BEHAVIOURS.iter().filter(|behaviour| !on_an_edge(&crowd, behaviour)) {
            let (here, there) = (crowd.run(behaviour, 0.02), crowd.map(mirror).run(behaviour, 0.02));
            prop_assert!(close(mirror(here), there, here.length()), "{}: {here} {there}", behaviour.name);
        }
    }

    #[test]
    fn two_half_steps_make_a_whole_one(crowd in sane(), dt in 0.001f32..0.1) {
        let desired = crowd.order.velocity;
        let mut halves = crowd.me;
        prop_assume!(dt < crowd.me.response);
        halves.velocity = steer(&halves, desired, dt / 2.0);
        halves.velocity = steer(&halves, desired, dt / 2.0);
        prop_assert!(close(halves.velocity, steer(&crowd.me, desired, dt), desired.length()));
        let turning = Turning::default();
        let once = turn(crowd.me.facing, desired, &turning, dt);
        let twice = turn(turn(crowd.me.facing, desired, &turning, dt / 2.0), desired, &turning, dt / 2.0);
        prop_assert!(close(once, twice, 0.0), "{once} {twice}");
    }

    #[test]
    fn facing_turns_no_faster_than_allowed(from in tame(), to in tame(), dt in 0.0f32..0.3) {
        let turning = Turning::default();
        let before = turn(from, Vec3::ZERO, &turning, dt);
        let after = turn(from, to, &turning, dt);
        let angle = before.cross(after).length().atan2(before.dot(after));
        prop_assert!(angle <= turning.max_turn * dt + 1e-3);
    }

    #[test]
    fn a_path_of_any_points_is_safe(points in prop::collection::vec(vector(), 0..6), looped: bool, me in wild()) {
        let mut cursor = PathCursor::default();
        for _ in 0..4 {
            let route = Route::new(&points, looped, &me.me, &me.order);
            if let Some(aim) = cursor.advance(&me.me, &route) {
                prop_assert!((cursor.segment as usize) < points.len());
                prop_assert!(aim.passed as usize <= points.len());
            }
        }
    }
}

#[test]
fn the_table_is_complete_and_its_names_are_legal() {
    let mut files: Vec<String> = std::fs::read_dir("src/steer")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .filter(|path| std::fs::read_to_string(path).unwrap().contains("pub const DEF: Behaviour"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    let names: Vec<&str> = BEHAVIOURS.iter().map(|behaviour| behaviour.name).collect();
    assert_eq!(names, files, "the table and the folder differ");
    for behaviour in BEHAVIOURS {
        assert!(behaviour.params.len() <= 4, "{} has more numbers than an order", behaviour.name);
        for param in behaviour.params {
            let (number, count) = (param.ty == ParamType::Number, param.ty == ParamType::Integer);
            assert!((number || count) && param.default != DefaultValue::Required, "{}", param.name);
            let share = (param.low, param.high) == (0.0, 1.0);
            assert!(!param.unit.is_empty() || share || count, "{} has no unit", param.name);
        }
    }
    assert!(behaviour("arrive").is_some() && behaviour("arrives").is_none());
}

// --- arriving ------------------------------------------------------------------------------------------------------

struct Walk {
    ended: Vec3,
    arrived_at: Option<f32>,
    passed_goal: f32,
    reversals: u32,
    path_after: f32,
}

/// Walks along x from 0 to `goal` for `seconds`, and measures.
fn walk(mut me: Me, goal: f32, dt: f32, seconds: f32) -> Walk {
    let order = Order::to(vec3(goal, 0.0, 0.0));
    let tolerance = arrive::tolerance(&me, &order);
    let mut walk =
        Walk { ended: me.position, arrived_at: None, passed_goal: 0.0, reversals: 0, path_after: 0.0 };
    for step in 0..(seconds / dt).round() as u32 {
        me.resting = arrive::rests(&me, order.point, tolerance, dt);
        let before = me.velocity;
        me.velocity = steer(&me, (arrive::DEF.run)(&me, &order, &Near::NOBODY, dt), dt);
        me.position += me.velocity * dt;
        walk.reversals += u32::from(before.dot(me.velocity) < 0.0);
        walk.passed_goal = walk.passed_goal.max(me.position.x - goal);
        if walk.arrived_at.is_some() {
            walk.path_after += me.velocity.length() * dt;
        }
        if (me.position.x - goal).abs() <= tolerance && walk.arrived_at.is_none() {
            walk.arrived_at = Some(step as f32 * dt);
        }
    }
    walk.ended = me.position;
    walk
}

#[test]
fn m1_arrives_at_rest_at_every_frame_rate() {
    for dt in [1.0 / 240.0, 1.0 / 144.0, 1.0 / 120.0, 1.0 / 60.0, 1.0 / 30.0, 0.1, 0.25, 0.5] {
        let me = Me::new(1, Vec3::ZERO, Vec3::X, &Limits::of(0.5, 5.0));
        let walk = walk(me, 20.0, dt, 20.0);
        let arrived = walk.arrived_at.unwrap_or(f32::INFINITY);
        assert!((walk.ended.x - 20.0).abs() <= 0.3, "dt {dt}: ended at {}", walk.ended.x);
        assert!(arrived < 5.0 + 2.0 * dt, "dt {dt}: took {arrived} s");
        assert_eq!(walk.reversals, 0, "dt {dt}: turned back");
        assert!(walk.passed_goal <= 0.0, "dt {dt}: passed the goal by {}", walk.passed_goal);
        assert!(walk.path_after <= 0.3, "dt {dt}: walked {} after arriving", walk.path_after);
    }
}

#[test]
fn one_config_stops_on_the_mark_at_every_speed_and_acceleration() {
    for speed in 1..=20 {
        for (acceleration, response) in
            [(20.0, 0.05), (20.0, 0.2), (5.0, 0.05), (80.0, 0.1), (f32::INFINITY, 0.0)]
        {
            for dt in [1.0 / 240.0, 1.0 / 60.0, 0.1, 0.5] {
                let limits =
                    Limits { max_acceleration: acceleration, response, ..Limits::of(0.5, speed as f32) };
                let walk = walk(Me::new(1, Vec3::ZERO, Vec3::X, &limits), 60.0, dt, 90.0);
                let at = format!("speed {speed}, {acceleration} m/s², response {response}, dt {dt}");
                assert!((walk.ended.x - 60.0).abs() <= 0.3, "{at}: ended at {}", walk.ended.x);
                assert!(
                    // At 60 m a position is known to four micrometres.
                    walk.passed_goal <= 1e-5 && walk.reversals == 0,
                    "{at}: passed by {}",
                    walk.passed_goal
                );
            }
        }
    }
}

#[test]
fn defaults_behave_the_same_at_every_scale() {
    let ended = |scale: f32| {
        let me = Me::new(1, Vec3::ZERO, Vec3::X, &Limits::of(0.5 * scale, 5.0 * scale));
        walk(me, 20.0 * scale, 1.0 / 60.0, 3.0).ended.x / scale
    };
    for scale in [0.2, 2.0, 20.0, 100.0] {
        assert!((ended(scale) - ended(1.0)).abs() < 1e-3, "scale {scale}");
    }
}

#[test]
fn rest_is_latched_until_the_place_is_clearly_left() {
    let mut me = Me::new(1, vec3(0.4, 0.0, 0.0), Vec3::X, &Limits::of(0.5, 5.0));
    let order = Order::to(Vec3::ZERO);
    let wants = |me: &Me| (arrive::DEF.run)(me, &order, &Near::NOBODY, 0.02).length() > 0.0;
    assert!(wants(&me), "0.4 m off and never at rest: it goes");
    me.resting = true;
    assert!(!wants(&me), "0.4 m off after a rest: it stays");
    me.position.x = 0.5;
    assert!(wants(&me), "0.5 m off after a rest: it goes");
}

// --- pursuing, wandering, facing ----------------------------------------------------------------------------------

#[test]
fn pursuit_meets_the_target_sooner_than_seeking_and_at_the_predicted_time() {
    let caught_after = |behaviour: &Behaviour| {
        let limits = Limits { max_acceleration: f32::INFINITY, response: 0.0, ..Limits::of(0.5, 5.0) };
        let mut me = Me::new(1, Vec3::ZERO, Vec3::X, &limits);
        let mut order = behaviour.order(vec3(10.0, 0.0, 0.0));
        order.velocity = vec3(0.0, 0.0, 4.0);
        if behaviour.name == "pursue" {
            order.numbers[1] = 60.0;
        }
        let mut time = 0.0f32;
        while me.position.distance(order.point) > 0.2 && time < 20.0 {
            me.velocity = steer(&me, (behaviour.run)(&me, &order, &Near::NOBODY, 0.01), 0.01);
            me.position += me.velocity * 0.01;
            order.point += order.velocity * 0.01;
            time += 0.01;
        }
        time
    };
    // 10 m apart, 5 m/s against 4 m/s across: T = 10 / sqrt(25 - 16).
    let pursued = caught_after(&pursue::DEF);
    assert!((pursued - 10.0 / 3.0).abs() < 0.1, "caught after {pursued} s");
    assert!(caught_after(&seek::DEF) > pursued + 0.5);
}

#[test]
fn wandering_spreads_the_same_at_every_frame_rate() {
    let spread = |dt: f32| {
        let mut dice = Dice::new(5, &[]);
        let mut angle = 0.0;
        let count = (4000.0 / dt) as u32;
        let squares = (0..count).map(|_| {
            angle = step_angle(angle, dt, 0.5, 0.8, dice.normal() as f32);
            f64::from(angle * angle)
        });
        (squares.sum::<f64>() / f64::from(count)).sqrt()
    };
    for dt in [1.0 / 240.0, 1.0 / 60.0, 0.5] {
        assert!((spread(dt) - 0.8).abs() < 0.04, "dt {dt}: {}", spread(dt));
    }
}

#[test]
fn facing_turns_the_same_at_every_frame_rate_even_right_round() {
    let after = |dt: f32, wanted: Vec3| {
        let mut facing = Vec3::X;
        for _ in 0..(0.5 / dt).round() as u32 {
            facing = turn(facing, wanted, &Turning::default(), dt);
        }
        facing
    };
    for wanted in [vec3(0.0, 0.0, 3.0), vec3(-3.0, 0.0, 0.0), vec3(1.0, 2.0, -2.0), vec3(0.0, -4.0, 0.0)] {
        let fine = after(1.0 / 480.0, wanted);
        for dt in [1.0 / 240.0, 1.0 / 60.0, 1.0 / 10.0] {
            assert!(after(dt, wanted).angle_between(fine).to_degrees() < 1.0, "dt {dt}, {wanted}");
        }
    }
    assert!(turn(Vec3::Y, -Vec3::Y, &Turning::default(), 0.1).is_finite(), "straight up to straight down");
}

// --- flock --------------------------------------------------------------------------------------------------------

fn pair(distance: f32) -> Crowd {
    Crowd {
        me: Me::new(3, Vec3::ZERO, Vec3::X, &Limits::of(0.5, 5.0)),
        order: Order::to(Vec3::ZERO),
        position: vec![vec3(distance, 0.0, 0.0)],
        velocity: vec![Vec3::ZERO],
        radius: vec![0.5],
        id: vec![7],
        indices: vec![0],
    }
}

#[test]
fn separation_falls_smoothly_from_contact_to_its_radius() {
    let push = |distance: f32| {
        let mut crowd = pair(distance);
        crowd.order.numbers[0] = 3.0;
        -crowd.run(&separation::DEF, 0.02).x
    };
    assert!((push(0.3) - 5.0).abs() < 1e-4 && (push(1.0) - 5.0).abs() < 1e-4, "full at contact");
    assert_eq!(push(3.0), 0.0, "nothing at the radius");
    let mut before = push(1.0);
    for step in 1..=200 {
        let now = push(1.0 + step as f32 * 0.01);
        assert!(now <= before && before - now < 0.05, "no rise and no step at {step}");
        before = now;
    }
}

#[test]
fn coincident_bodies_part_along_the_line_of_their_ids() {
    let crowd = pair(0.0);
    let push = crowd.run(&separation::DEF, 0.02);
    assert!((push - parting(3, 7) * 5.0).length() < 1e-4);
    let mut other = pair(0.0);
    (other.me.id, other.id[0]) = (7, 3);
    assert_eq!(other.run(&separation::DEF, 0.02), -push, "the other one goes the other way");
}

#[test]
fn alignment_is_a_difference_and_cohesion_is_proportional() {
    let mut crowd = pair(2.0);
    crowd.velocity[0] = vec3(0.0, 0.0, 2.0);
    crowd.me.velocity = vec3(1.0, 0.0, 2.0);
    assert_eq!(crowd.run(&alignment::DEF, 0.02), vec3(-1.0, 0.0, 0.0));
    crowd.order.numbers[0] = 4.0;
    assert!((crowd.run(&cohesion::DEF, 0.02) - vec3(2.5, 0.0, 0.0)).length() < 1e-5);
}

#[test]
fn walkers_leave_heights_out_and_fliers_do_not() {
    let mut crowd = pair(1.0);
    crowd.position[0].y = 2.0;
    assert_eq!(crowd.run(&cohesion::DEF, 0.02).y, 0.0);
    crowd.me.ground = false;
    assert!(crowd.run(&cohesion::DEF, 0.02).y > 0.0 && crowd.run(&separation::DEF, 0.02).y < 0.0);
}

// --- combining ----------------------------------------------------------------------------------------------------

fn wish(class: Class, weight: f32, velocity: Vec3) -> Wish {
    Wish { class, weight, velocity }
}

#[test]
fn a_lone_goal_is_followed_in_full_and_a_bias_never_vetoes_it() {
    let goal = vec3(5.0, 0.0, 0.0);
    for weight in [0.1, 1.0, 1.5] {
        assert_eq!(combine_weighted(&[wish(Class::Goal, weight, goal)], 5.0, 0.5), goal);
    }
    let push = wish(Class::Bias, 100.0, vec3(-5.0, 0.0, 0.0));
    let both = combine_weighted(&[wish(Class::Goal, 1.0, goal), push], 5.0, DEFAULT_BIAS_SHARE);
    assert_eq!(both, vec3(2.5, 0.0, 0.0), "half the speed is left");
    let heading = combine_heading(goal, push.velocity, 0.3, 5.0);
    assert_eq!(heading, goal, "a share of 0.3 turns nobody round");
}

#[test]
fn priority_takes_the_first_that_wants_something_and_a_budget_runs_out() {
    let wishes = [
        wish(Class::Bias, 1.0, vec3(0.0, 0.0, 0.01)),
        wish(Class::Goal, 1.0, vec3(3.0, 0.0, 0.0)),
        wish(Class::Goal, 1.0, vec3(0.0, 0.0, 9.0)),
    ];
    assert_eq!(combine_priority(&wishes, 5.0, 0.05), vec3(3.0, 0.0, 0.0));
    let budget = combine_budget(&wishes, 5.0);
    assert!((budget - vec3(3.0, 0.0, 2.0)).length() < 0.02, "{budget}");
}

// --- paths --------------------------------------------------------------------------------------------------------

/// Walks `points` until the end or for `seconds`; gives the time at the end, the agent, and the waypoints in the order passed.
fn follow(points: &[Vec3], looped: bool, mut me: Me, dt: f32, seconds: f32) -> (f32, Me, Vec<u32>) {
    let mut cursor = PathCursor::default();
    let mut order = follow_path::DEF.order(Vec3::ZERO);
    let mut passed = Vec::new();
    let mut ended = f32::INFINITY;
    for step in 0..(seconds / dt) as u32 {
        let before = cursor.segment;
        let Some(aim) = cursor.advance(&me, &Route::new(points, looped, &me, &order)) else { break };
        passed.extend((0..aim.passed).map(|index| (before + index) % points.len() as u32));
        (order.point, order.remaining) = (aim.point, aim.remaining);
        me.velocity = steer(&me, (follow_path::DEF.run)(&me, &order, &Near::NOBODY, dt), dt);
        me.position += me.velocity * dt;
        if aim.at_end && ended.is_infinite() {
            ended = step as f32 * dt;
        }
    }
    (ended, me, passed)
}

fn walker(position: Vec3) -> Me {
    Me::new(1, position, Vec3::X, &Limits::of(0.5, 5.0))
}

#[test]
fn p5_dense_waypoints_do_not_slow_the_walk() {
    let sparse = [Vec3::ZERO, vec3(100.0, 0.0, 0.0)];
    let dense: Vec<Vec3> = (0..=100).map(|x| vec3(x as f32, 0.0, 0.0)).collect();
    let (slow, _, _) = follow(&dense, false, walker(Vec3::ZERO), 0.05, 40.0);
    let (fast, me, _) = follow(&sparse, false, walker(Vec3::ZERO), 0.05, 40.0);
    assert!((slow - fast).abs() <= 0.02 * fast, "{slow} s against {fast} s");
    assert!(fast < 21.0 && me.position.distance(sparse[1]) <= 0.3 && me.velocity.length() < 0.01);
}

#[test]
fn p3_zero_one_and_repeated_waypoints_are_safe() {
    let spot = vec3(5.0, 0.0, 5.0);
    for points in [vec![], vec![spot], vec![spot, spot], vec![spot; 5]] {
        for looped in [false, true] {
            let (_, me, _) = follow(&points, looped, walker(vec3(-2.0, 0.0, -2.0)), 1.0 / 60.0, 20.0);
            assert!(me.position.is_finite() && me.velocity.length() <= 0.05, "{points:?}");
            assert!(points.is_empty() || me.position.distance(spot) <= 0.3, "{points:?}: {}", me.position);
        }
    }
    let (_, _, passed) = follow(&[Vec3::ZERO, spot, spot, Vec3::X], false, walker(Vec3::ZERO), 0.02, 10.0);
    assert_eq!(passed, [0, 1, 2]);
}

const SQUARE: [Vec3; 4] =
    [vec3(0.0, 0.0, 0.0), vec3(20.0, 0.0, 0.0), vec3(20.0, 0.0, 20.0), vec3(0.0, 0.0, 20.0)];

#[test]
fn a_loop_is_walked_in_order_at_every_frame_rate_and_speed() {
    for dt in [1.0 / 120.0, 1.0 / 20.0, 0.25] {
        for speed in [2.0, 5.0, 9.0] {
            let me = Me::new(1, vec3(0.0, 0.0, 3.0), Vec3::X, &Limits::of(0.5, speed));
            let (_, _, passed) = follow(&SQUARE, true, me, dt, 200.0 / speed);
            let wanted: Vec<u32> = (0..passed.len() as u32).map(|index| index % 4).collect();
            assert_eq!(passed, wanted, "dt {dt}, speed {speed}");
            assert!(passed.len() >= 9, "dt {dt}, speed {speed}: only {} waypoints", passed.len());
        }
    }
}

#[test]
fn p1_an_interrupted_leg_is_taken_up_again() {
    let mut me = walker(vec3(12.0, 0.0, 15.0));
    let mut cursor = PathCursor { segment: 1, along: 12.0, start: Some(SQUARE[0]), ..PathCursor::default() };
    let order = follow_path::DEF.order(Vec3::ZERO);
    let aim = cursor.advance(&me, &Route::new(&SQUARE, true, &me, &order)).unwrap();
    assert!(cursor.segment == 1 && aim.passed == 0, "still heading for waypoint 1");
    assert!((aim.point - vec3(12.5, 0.0, 0.0)).length() < 1e-4, "{}", aim.point);
    me.position = vec3(2.0, 0.0, 4.0);
    let aim = cursor.advance(&me, &Route::new(&SQUARE, true, &me, &order)).unwrap();
    assert!((aim.point - vec3(12.5, 0.0, 0.0)).length() < 1e-4, "not behind the interruption: {}", aim.point);
}

#[test]
fn a_path_that_crosses_itself_is_followed_and_not_cut_short() {
    let eight = [vec3(0.0, 0.0, 0.0), vec3(10.0, 0.0, 10.0), vec3(10.0, 0.0, 0.0), vec3(0.0, 0.0, 10.0)];
    let (ended, me, passed) = follow(&eight, false, walker(Vec3::ZERO), 1.0 / 60.0, 20.0);
    assert_eq!(passed, [0, 1, 2]);
    assert!(ended > 6.0 && flat(me.position - eight[3]).length() <= 0.3, "{ended} {}", me.position);
}

#[test]
fn long_steps_are_cut_into_short_ones() {
    assert_eq!(substeps(0.01, 0.05).0, 1);
    assert_eq!(substeps(0.5, 0.05).0, 10);
    assert_eq!(substeps(f32::INFINITY, 0.05).0, 64);
    assert_eq!(substeps(-1.0, 0.05), (1, 0.0));
}
