//! The laws of the behaviours that look at leaders, walls, queues, regions and fields, and of context as a way to combine: properties, walked out
//! step by step with bodies that accelerate as theirs do.

use proptest::prelude::*;
use warband::math::{Vec3, direction, flat, vec3};
use warband::space::Edge;
use warband::steer::*;

const DT: f32 = 1.0 / 60.0;

fn body(id: u32, position: Vec3) -> Me {
    Me::new(id, position, Vec3::X, &Limits::of(0.5, 5.0))
}

fn shown(edges: &[Edge]) -> Near<'_> {
    Near { edges, ..Near::NOBODY }
}

/// One step of a body that follows `desired`.
fn step(me: &mut Me, desired: Vec3, dt: f32) {
    me.velocity = steer(me, desired, dt);
    me.position += me.velocity * dt;
    if me.velocity.length() > 0.2 {
        me.facing = me.velocity.normalize();
    }
}

fn clearance(edges: &[Edge], place: Vec3) -> f32 {
    edges.iter().map(|edge| edge.surface(place).0).fold(f32::INFINITY, f32::min)
}

fn a_ground_vector() -> impl Strategy<Value = Vec3> {
    (-20.0f32..20.0, -20.0f32..20.0).prop_map(|(x, z)| vec3(x, 0.0, z))
}

// --- interpose, offset pursuit, leader ---------------------------------------------------------------------------------

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn interpose_ends_between_two_that_walk_on(a in a_ground_vector(), b in a_ground_vector(), heading in 0.0f32..6.3, share in 0.1f32..0.9) {
        let pace = direction(heading) * 2.0;
        let mut me = body(1, vec3(0.0, 0.0, 0.0));
        let mut order = interpose::DEF.order(a);
        order.numbers[3] = share;
        (order.velocity, order.second, order.second_velocity) = (pace, b, pace);
        for _ in 0..1200 {
            let desired = (interpose::DEF.run)(&me, &order, &Near::NOBODY, DT);
            step(&mut me, desired, DT);
            order.point += pace * DT;
            order.second += pace * DT;
        }
        let meant = order.point + (order.second - order.point) * share;
        // Arriving at what walks on, one trails by the way in which one brakes.
        prop_assert!(me.position.distance(meant) < 0.9, "{} m off", me.position.distance(meant));
    }

    #[test]
    fn offset_pursuit_keeps_its_place_beside_a_leader_that_walks(start in a_ground_vector(), heading in 0.0f32..6.3, x in -4.0f32..4.0, z in -4.0f32..4.0) {
        let mut me = body(1, start);
        let mut order = offset_pursuit::DEF.order(Vec3::ZERO);
        (order.second, order.velocity, order.offset) = (direction(heading), direction(heading) * 3.0, vec3(x, 0.0, z));
        for _ in 0..1500 {
            let desired = (offset_pursuit::DEF.run)(&me, &order, &Near::NOBODY, DT);
            step(&mut me, desired, DT);
            order.point += order.velocity * DT;
        }
        let off = me.position.distance(offset_pursuit::place(&me, &order));
        prop_assert!(off < 0.3, "{off} m from its place");
        prop_assert!(me.velocity.distance(order.velocity) < 0.05, "it moves as the leader does");
    }

    #[test]
    fn who_stands_in_a_leaders_lane_is_never_run_over(along in 1.5f32..9.0, across in -0.9f32..0.9, id in 0u32..9) {
        let mut me = body(id, vec3(along, 0.0, across));
        let mut order = leader_following::DEF.order(Vec3::ZERO);
        (order.second, order.velocity) = (Vec3::X, Vec3::X * 3.0);
        let mut nearest = f32::INFINITY;
        for _ in 0..900 {
            let desired = (leader_following::DEF.run)(&me, &order, &Near::NOBODY, DT);
            step(&mut me, desired, DT);
            order.point += order.velocity * DT;
            nearest = nearest.min(me.position.distance(order.point));
        }
        prop_assert!(nearest >= 1.0 || along < 1.8, "came as near as {nearest} m to a leader of its own size");
        let behind = order.point - Vec3::X * 2.0;
        prop_assert!(me.position.distance(behind) < 0.5, "ends {} m from its place behind", me.position.distance(behind));
    }

    // --- containment -----------------------------------------------------------------------------------------------------

    #[test]
    fn nobody_is_led_out_of_a_region_whatever_the_rules_want(kind in 0usize..4, course in 0.0f32..6.3, turn in -2.0f32..2.0, rate in prop::sample::select(&[10.0f32, 30.0, 60.0, 144.0][..])) {
        let square = [vec3(-6.0, 0.0, -6.0), vec3(6.0, 0.0, -6.0), vec3(6.0, 0.0, 6.0), vec3(-6.0, 0.0, 6.0)];
        let ell = [vec3(-6.0, 0.0, -6.0), vec3(6.0, 0.0, -6.0), vec3(6.0, 0.0, 6.0), vec3(2.0, 0.0, 6.0), vec3(2.0, 0.0, 2.0), vec3(-6.0, 0.0, 2.0)];
        let inside = |place: Vec3| match kind {
            0 => flat(place).length() <= 6.0,
            1 => place.x.abs() <= 6.0 && place.z.abs() <= 4.0,
            2 => containment::is_inside(&square, place),
            _ => containment::is_inside(&ell, place),
        };
        let mut me = body(1, vec3(0.0, 0.0, -2.0));
        let mut order = Order::to(Vec3::ZERO);
        match kind {
            0 => order.numbers[0] = 6.0,
            1 => (order.numbers[1], order.numbers[2]) = (12.0, 8.0),
            _ => {}
        }
        for tick in 0..(20.0 * rate) as u32 {
            let outline: &[Vec3] = if kind == 2 { &square } else { &ell };
            if kind >= 2 {
                let edges = containment::edges_of(outline, me.position, me.velocity * 0.65).unwrap();
                [(order.point, order.second), (order.offset, order.second_velocity)] = edges;
            }
            order.velocity = direction(course + turn * tick as f32 / rate) * 5.0;
            let desired = (containment::DEF.run)(&me, &order, &Near::NOBODY, 1.0 / rate);
            prop_assert!(desired.length() <= 5.001);
            step(&mut me, desired, 1.0 / rate);
            prop_assert!(inside(me.position), "out at {} after {tick} ticks of {rate} Hz", me.position);
        }
    }

    #[test]
    fn who_is_outside_comes_back_into_the_region(at in a_ground_vector()) {
        let mut order = Order::to(Vec3::ZERO);
        order.numbers[0] = 6.0;
        let mut me = body(1, at);
        for _ in 0..900 {
            order.velocity = Vec3::ZERO;
            let desired = (containment::DEF.run)(&me, &order, &Near::NOBODY, DT);
            step(&mut me, desired, DT);
        }
        prop_assert!(me.position.length() <= 5.8, "{}", me.position);
    }

    // --- obstacles --------------------------------------------------------------------------------------------------------

    #[test]
    fn obstacles_are_passed_without_a_touch_and_without_gaining_speed(z in -3.0f32..3.0, radius in 0.3f32..3.0, id in 0u32..9) {
        let edges = [Edge::disc(vec3(0.0, 0.0, 0.0), radius)];
        let mut me = body(id, vec3(-12.0, 0.0, z));
        let goal = vec3(12.0, 0.0, 0.0);
        for _ in 0..1200 {
            let wanted = (arrive::DEF.run)(&me, &arrive::DEF.order(goal), &Near::NOBODY, DT);
            let order = Order { velocity: wanted, ..obstacle_avoidance::DEF.order(Vec3::ZERO) };
            let desired = (obstacle_avoidance::DEF.run)(&me, &order, &shown(&edges), DT);
            prop_assert!(desired.length() <= wanted.length() + 1e-4, "{desired} from {wanted}");
            step(&mut me, desired, DT);
            prop_assert!(clearance(&edges, me.position) >= 0.45, "{} m from it", clearance(&edges, me.position));
        }
        prop_assert!(me.position.distance(goal) < 0.4, "it ends at {}", me.position);
    }

    #[test]
    fn an_obstacle_is_passed_on_the_side_of_its_middle_where_one_is(offset in 0.05f32..2.0, right: bool) {
        let side = if right { 1.0 } else { -1.0 };
        // A wall across the way, its middle to one side.
        let edges = [Edge::wall(vec3(3.0, 0.0, -4.0 - offset * side), vec3(3.0, 0.0, 4.0 - offset * side))];
        let order = Order { velocity: Vec3::X * 5.0, ..obstacle_avoidance::DEF.order(Vec3::ZERO) };
        let desired = (obstacle_avoidance::DEF.run)(&body(1, Vec3::ZERO), &order, &shown(&edges), DT);
        prop_assert!(desired.z * side > 0.0, "{desired}");
    }

    // --- walls -----------------------------------------------------------------------------------------------------------

    #[test]
    fn a_wall_is_followed_at_the_distance_round_outer_and_inner_corners(start in 0.0f32..6.3, distance in 1.0f32..2.0) {
        // An ell-shaped block: five outer corners and an inner one.
        let corners = [vec3(-8.0, 0.0, -8.0), vec3(8.0, 0.0, -8.0), vec3(8.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 8.0), vec3(-8.0, 0.0, 8.0)];
        let edges: Vec<Edge> = (0..6).map(|at| Edge { centre: Vec3::ZERO, ..Edge::wall(corners[at], corners[(at + 1) % 6]) }).collect();
        let mut me = body(1, direction(start) * 16.0);
        me.velocity = direction(start + 1.9);
        let mut order = wall_following::DEF.order(Vec3::ZERO);
        (order.numbers[0], order.numbers[1]) = (2.5, distance);
        let (mut walked, mut visited) = (0.0, [false; 6]);
        for tick in 0..3600 {
            let desired = (wall_following::DEF.run)(&me, &order, &shown(&edges), DT);
            let before = me.position;
            step(&mut me, desired, DT);
            walked += me.position.distance(before);
            if tick > 900 {
                let off = clearance(&edges, me.position);
                prop_assert!((off - distance).abs() < 0.35 * distance, "{off} m off, at {}", me.position);
                corners.iter().zip(&mut visited).for_each(|(corner, seen)| *seen |= me.position.distance(*corner) < 3.0 * distance);
            }
        }
        prop_assert!(walked > 140.0, "it goes on: {walked} m");
        prop_assert!(visited.iter().all(|seen| *seen), "it goes all the way round: {visited:?}");
    }

    // --- context ---------------------------------------------------------------------------------------------------------

    #[test]
    fn context_never_leads_into_a_wall_that_it_was_shown(walls in prop::collection::vec((a_ground_vector(), a_ground_vector()), 1..6), goal in a_ground_vector(), id in 0u32..9) {
        let edges: Vec<Edge> = walls.iter().map(|(a, b)| Edge::wall(*a, *b)).collect();
        prop_assume!(clearance(&edges, Vec3::ZERO) > 0.6);
        let mut me = body(id, Vec3::ZERO);
        for _ in 0..600 {
            let wish = Wish { class: Class::Goal, weight: 1.0, velocity: (seek::DEF.run)(&me, &Order::to(goal), &Near::NOBODY, DT) };
            let desired = combine_context(&me, &[wish], &shown(&edges), DT);
            prop_assert!(desired.is_finite() && desired.length() <= 5.001);
            step(&mut me, desired, DT);
            // In an acute corner it comes too near before it has turned (0.29 m in the worst of 12,000 pens, for a body of 0.5 m): what keeps
            // bodies out of walls is no behaviour.
            prop_assert!(clearance(&edges, me.position) > 0.2, "{} m from a wall at {}", clearance(&edges, me.position), me.position);
        }
    }

    #[test]
    fn context_turns_and_mirrors_with_the_frame(goal in a_ground_vector(), other in a_ground_vector(), wall in (a_ground_vector(), a_ground_vector()), angle in 0.0f32..6.3) {
        prop_assume!(goal.length() > 1.0 && (goal.length() - other.length()).abs() > 0.1);
        let course = |turn: &dyn Fn(Vec3) -> Vec3| {
            let edges = [Edge::wall(turn(wall.0), turn(wall.1))];
            let wish = |to: Vec3| Wish { class: Class::Goal, weight: 1.0, velocity: turn(to) * 0.25 };
            combine_context(&body(2, Vec3::ZERO), &[wish(goal), wish(other)], &shown(&edges), DT)
        };
        let spin = |v: Vec3| direction(angle) * v.x + direction(angle + std::f32::consts::FRAC_PI_2) * v.z;
        let (here, there) = (course(&|v| v), course(&spin));
        // On the edge between two courses either may be taken; both are then as fast.
        prop_assume!((here.length() - there.length()).abs() < 1e-3);
        prop_assert!(spin(here).distance(there) < 0.05 || here.distance(there) > 0.5, "{here} {there}");
    }
}

#[test]
fn context_chooses_the_open_side_and_between_equals_by_id() {
    let goal = |z: f32| Wish { class: Class::Goal, weight: 1.0, velocity: vec3(5.0, 0.0, z) };
    let course =
        |id: u32, edges: &[Edge]| combine_context(&body(id, Vec3::ZERO), &[goal(0.0)], &shown(edges), DT);
    // Free: exactly as it was wished, whatever the slots.
    assert_eq!(course(1, &[]), vec3(5.0, 0.0, 0.0));
    // A wall ahead that reaches further to the left: to the right.
    let wall = |from: f32, to: f32| [Edge::wall(vec3(1.2, 0.0, from), vec3(1.2, 0.0, to))];
    assert!(course(1, &wall(-9.0, 0.5)).z > 0.5 && course(2, &wall(-9.0, 0.5)).z > 0.5);
    assert!(course(1, &wall(-0.5, 9.0)).z < -0.5 && course(2, &wall(-0.5, 9.0)).z < -0.5);
    // A wall ahead that is the same on both sides: the id decides, always the same.
    let (even, odd) = (course(2, &wall(-1.0, 1.0)), course(1, &wall(-1.0, 1.0)));
    assert!(even.z > 0.5 && odd.z < -0.5, "{even} {odd}");
    assert!((even.x - odd.x).abs() < 1e-3 && (even.z + odd.z).abs() < 1e-3, "and they mirror");
    assert_eq!(course(4, &wall(-1.0, 1.0)), even);
}

#[test]
fn context_takes_one_of_two_goals_where_weights_take_neither() {
    let goal = |x: f32, z: f32, weight: f32| Wish { class: Class::Goal, weight, velocity: vec3(x, 0.0, z) };
    let wishes = [goal(0.0, 5.0, 1.0), goal(0.0, -5.0, 1.1)];
    assert!(combine_weighted(&wishes, 5.0, 0.5).length() < 0.3, "the sum stands still between them");
    let chosen = combine_context(&body(1, Vec3::ZERO), &wishes, &Near::NOBODY, DT);
    assert!(chosen.distance(vec3(0.0, 0.0, -5.0)) < 1e-4, "{chosen}");
}

#[test]
fn context_keeps_out_of_the_way_of_those_that_come() {
    let wish = [Wish { class: Class::Goal, weight: 1.0, velocity: Vec3::X * 5.0 }];
    let course = |way: f32| {
        let (position, velocity) = ([vec3(2.0, 0.0, 0.0)], [vec3(way, 0.0, 0.0)]);
        let near = Near {
            indices: &[0],
            id: &[7],
            radius: &[0.5],
            position: &position,
            velocity: &velocity,
            edges: &[],
        };
        combine_context(&body(2, Vec3::ZERO), &wish, &near, DT)
    };
    assert!(course(-5.0).z.abs() > 1.0, "{}", course(-5.0));
    assert_eq!(course(5.0), Vec3::X * 5.0, "whoever goes the same way is no danger");
}

// --- queue ---------------------------------------------------------------------------------------------------------------

/// Ten walk through a door at the origin; returns the order in which they pass, their keys by distance at the start, and the nearest that
/// two came, m.
fn through_the_door(queueing: bool) -> (Vec<u32>, Vec<u32>, f32) {
    let mut crowd: Vec<Me> = (0..10)
        .map(|id| body(id, direction(2.2 + 0.19 * ((id * 7) % 10) as f32) * (6.0 + 0.25 * id as f32)))
        .collect();
    let (mut passed, mut nearest) = (Vec::new(), f32::INFINITY);
    for _ in 0..2400 {
        let position: Vec<Vec3> = crowd.iter().map(|me| me.position).collect();
        let velocity: Vec<Vec3> = crowd.iter().map(|me| me.velocity).collect();
        let (radius, id): (Vec<f32>, Vec<u32>) = crowd.iter().map(|me| (me.radius, me.id)).unzip();
        let indices: Vec<u32> = (0..crowd.len() as u32).collect();
        let near = Near {
            indices: &indices,
            position: &position,
            velocity: &velocity,
            radius: &radius,
            id: &id,
            edges: &[],
        };
        for me in &mut crowd {
            let beyond = passed.contains(&me.id);
            let goal = if beyond { vec3(40.0, 0.0, 0.0) } else { vec3(0.2, 0.0, 0.0) };
            let wanted = (seek::DEF.run)(me, &Order::to(goal), &near, DT);
            // Everybody sees everybody.
            let order = Order { velocity: wanted, numbers: [30.0, 0.0, 0.0, 0.0], ..Order::ZERO };
            let desired = if queueing && !beyond { (queue::DEF.run)(me, &order, &near, DT) } else { wanted };
            assert!(desired.length() <= wanted.length() + 1e-4, "it never speeds anybody up");
            step(me, desired, DT);
            if !beyond && me.position.length() < 0.3 {
                passed.push(me.id);
            }
        }
        let waiting = || crowd.iter().filter(|me| !passed.contains(&me.id));
        for a in waiting() {
            nearest = waiting()
                .filter(|b| b.id != a.id)
                .map(|b| a.position.distance(b.position))
                .fold(nearest, f32::min);
        }
    }
    (passed, (0..10).collect(), nearest)
}

#[test]
fn a_queue_passes_a_door_in_its_order_and_nobody_pushes() {
    let (passed, by_distance, nearest) = through_the_door(true);
    assert_eq!(passed, by_distance, "nobody overtakes, and nobody waits for ever");
    assert!(nearest >= 0.95, "{nearest} m from middle to middle, bodies are 1 m wide");
    let (_, _, pushing) = through_the_door(false);
    assert!(pushing < 0.9, "without a queue they run into each other: {pushing} m");
}

#[test]
fn two_that_face_each_other_do_not_wait_for_ever() {
    let (indices, id, radius) = ([0, 1], [1, 2], [0.5, 0.5]);
    let position = [vec3(-0.6, 0.0, 0.0), vec3(0.6, 0.0, 0.0)];
    let near = Near {
        indices: &indices,
        id: &id,
        radius: &radius,
        position: &position,
        velocity: &[Vec3::ZERO; 2],
        edges: &[],
    };
    let speed = |at: usize, way: f32| {
        let order = Order { velocity: vec3(way, 0.0, 0.0), ..queue::DEF.order(Vec3::ZERO) };
        (queue::DEF.run)(&body(id[at], position[at]), &order, &near, DT).length()
    };
    assert!(
        speed(0, 5.0) > 4.9 && speed(1, -5.0) < 0.5,
        "equal distances go by id: {} {}",
        speed(0, 5.0),
        speed(1, -5.0)
    );
}

// --- flow field -----------------------------------------------------------------------------------------------------------

#[test]
fn a_flow_field_leads_from_everywhere_round_a_wall_to_its_goal() {
    let free = |place: Vec3| !((9.0..11.0).contains(&place.x) && place.z < 15.0);
    let (low, high, goal) = (Vec3::ZERO, vec3(20.0, 0.0, 20.0), vec3(18.0, 0.0, 3.0));
    let field = FlowField::towards(goal, low, high, 0.5, free).unwrap();
    for start in [vec3(2.0, 0.0, 2.0), vec3(8.0, 0.0, 1.0), vec3(1.0, 0.0, 19.0), vec3(14.0, 0.0, 19.0)] {
        let mut me = Me::new(1, start, Vec3::X, &Limits::of(0.25, 3.0));
        let mut steps = 0;
        while me.position.distance(goal) > 0.6 {
            let order = Order { velocity: field.at(me.position).expect("never outside"), ..Order::ZERO };
            let desired = (flow_field::DEF.run)(&me, &order, &Near::NOBODY, DT);
            step(&mut me, desired, DT);
            assert!(
                free(me.position) || field.at(me.position).unwrap().length() > 0.3,
                "stuck in the wall at {}",
                me.position
            );
            steps += 1;
            assert!(steps < 1200, "from {start} it came to {}", me.position);
        }
    }
}

#[test]
fn a_field_is_bilinear_and_its_island_wants_nothing() {
    let field =
        FlowField::new(Vec3::ZERO, vec3(4.0, 0.0, 4.0), 1.0, |place| vec3(place.x / 4.0, 0.0, 0.0)).unwrap();
    for x in [0.6, 1.25, 2.0, 3.4] {
        assert!((field.at(vec3(x, 0.0, 1.7)).unwrap().x - x / 4.0).abs() < 1e-6);
    }
    let moat = |place: Vec3| {
        (place - vec3(5.0, 0.0, 5.0)).abs().max_element() < 1.5
            || (place - vec3(5.0, 0.0, 5.0)).abs().max_element() > 3.0
    };
    let field =
        FlowField::towards(vec3(0.5, 0.0, 0.5), Vec3::ZERO, vec3(10.0, 0.0, 10.0), 0.5, moat).unwrap();
    assert_eq!(field.at(vec3(5.0, 0.0, 5.0)), Some(Vec3::ZERO), "no way leads off the island");
    assert!(FlowField::towards(vec3(50.0, 0.0, 0.0), Vec3::ZERO, vec3(10.0, 0.0, 10.0), 0.5, moat).is_err());
    assert!(FlowField::new(Vec3::ZERO, vec3(1e9, 0.0, 1e9), 0.1, |v| v).is_err());
}

// --- the same at every size ------------------------------------------------------------------------------------------------

/// Where a body of `scale` times the size ends up after each tenth of a second, in its own measure, m.
fn scaled(scale: f32, rule: &dyn Fn(&Me, f32) -> Vec3) -> Vec<Vec3> {
    let mut me = Me::new(
        3,
        vec3(-8.0, 0.0, 0.3) * scale,
        Vec3::X,
        &Limits::with_times(0.5 * scale, 5.0 * scale, 0.25, 0.5),
    );
    let mut places = Vec::new();
    for tick in 0..600 {
        let desired = rule(&me, scale);
        step_scaled(&mut me, desired);
        if tick % 6 == 0 {
            places.push(me.position / scale);
        }
    }
    places
}

fn step_scaled(me: &mut Me, desired: Vec3) {
    me.velocity = steer(me, desired, DT);
    me.position += me.velocity * DT;
    me.facing =
        turn(me.facing, me.velocity, &Limits::with_times(me.radius, me.max_speed, 0.25, 0.5).turning, DT);
}

#[test]
fn every_behaviour_is_the_same_at_every_size() {
    type Case = (&'static str, fn(&Me, f32) -> Vec3);
    fn edges(scale: f32) -> [Edge; 2] {
        [
            Edge::disc(vec3(0.0, 0.0, 0.0), scale),
            Edge::wall(vec3(6.0, 0.0, -3.0) * scale, vec3(6.0, 0.0, 9.0) * scale),
        ]
    }
    fn run(me: &Me, def: &Behaviour, scale: f32, change: impl Fn(&mut Order)) -> Vec3 {
        let mut order = def.order(vec3(8.0, 0.0, 0.0) * scale);
        (order.velocity, order.second, order.second_velocity) =
            (vec3(0.0, 0.0, scale), vec3(0.0, 0.0, 4.0) * scale, Vec3::ZERO);
        change(&mut order);
        (def.run)(me, &order, &shown(&edges(scale)), DT)
    }
    let cases: [Case; 12] = [
        ("arrive", |me, scale| run(me, &arrive::DEF, scale, |_| {})),
        ("flee", |me, scale| run(me, &flee::DEF, scale, |_| {})),
        ("pursue", |me, scale| run(me, &pursue::DEF, scale, |_| {})),
        ("evade", |me, scale| run(me, &evade::DEF, scale, |_| {})),
        ("hide", |me, scale| run(me, &hide::DEF, scale, |_| {})),
        ("interpose", |me, scale| run(me, &interpose::DEF, scale, |_| {})),
        ("offset_pursuit", |me, scale| {
            run(me, &offset_pursuit::DEF, scale, |order| order.offset = vec3(-2.0, 0.0, 1.0) * scale)
        }),
        ("leader_following", |me, scale| run(me, &leader_following::DEF, scale, |_| {})),
        ("wall_following", |me, scale| run(me, &wall_following::DEF, scale, |_| {})),
        ("obstacle_avoidance", |me, scale| {
            run(me, &obstacle_avoidance::DEF, scale, |order| order.velocity = vec3(5.0, 0.0, 0.0) * scale)
        }),
        ("containment", |me, scale| {
            run(me, &containment::DEF, scale, |order| {
                (order.point, order.velocity, order.numbers[0]) =
                    (Vec3::ZERO, vec3(3.0, 0.0, 4.0) * scale, 9.0 * scale);
            })
        }),
        ("context", |me, scale| {
            let goal = run(me, &arrive::DEF, scale, |_| {});
            combine_context(
                me,
                &[Wish { class: Class::Goal, weight: 1.0, velocity: goal }],
                &shown(&edges(scale)),
                DT,
            )
        }),
    ];
    for (name, rule) in cases {
        let usual = scaled(1.0, &rule);
        for scale in [0.2, 2.0, 20.0, 200.0] {
            let other = scaled(scale, &rule);
            let off = usual.iter().zip(&other).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(off < 1e-3, "{name} of a body {scale} times as large is off by {off} of its metres");
        }
    }
}
