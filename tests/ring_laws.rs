//! The laws of the ring: assignment against brute force, walks round the middle, and no input that breaks it.

mod ring_sim;

use proptest::prelude::*;
use ring_sim::*;
use warband::math::{Vec3, clamp_length, direction, flat, vec3};
use warband::rng::Dice;
use warband::squad::*;

// --- assignment -----------------------------------------------------------------------------------------------------

fn brute_force(cost: &[Vec<f64>], row: usize, used: u32) -> f64 {
    let Some(costs) = cost.get(row) else { return 0.0 };
    let free = (0..costs.len()).filter(|column| used & (1 << column) == 0);
    free.map(|column| costs[column] + brute_force(cost, row + 1, used | (1 << column)))
        .fold(f64::INFINITY, f64::min)
}

fn matrix(dice: &mut Dice, rows: usize, columns: usize, steps: u64) -> Vec<Vec<f64>> {
    (0..rows).map(|_| (0..columns).map(|_| dice.below(steps) as f64).collect()).collect()
}

fn solved(assignment: &mut Assignment, cost: &[Vec<f64>]) -> Vec<u32> {
    assignment.solve(cost.len(), cost[0].len(), |row, column| cost[row][column]).to_vec()
}

#[test]
fn assignment_equals_brute_force() {
    let mut dice = Dice::new(1, &[]);
    let mut assignment = Assignment::default();
    for round in 0..600 {
        let rows = 1 + dice.below(7) as usize;
        let columns = rows + dice.below(3) as usize;
        // Few different costs make many ties; many make none.
        let cost = matrix(&mut dice, rows, columns, if round % 2 == 0 { 4 } else { 100_000 });
        let mut columns_taken = solved(&mut assignment, &cost);
        let sum: f64 =
            columns_taken.iter().enumerate().map(|(row, column)| cost[row][*column as usize]).sum();
        assert_eq!(sum, brute_force(&cost, 0, 0), "{cost:?}");
        assert_eq!(sum, assignment.total());
        columns_taken.sort_unstable();
        columns_taken.dedup();
        assert_eq!(columns_taken.len(), rows, "each has a column of its own");
    }
}

#[test]
fn large_assignments_cannot_be_bettered_by_swaps_of_two_or_three() {
    let mut dice = Dice::new(2, &[]);
    let mut assignment = Assignment::default();
    for size in [20, 64] {
        let cost = matrix(&mut dice, size, size, 10_000);
        let taken = solved(&mut assignment, &cost);
        let at = |row: usize, of: usize| cost[row][taken[of] as usize];
        for a in 0..size {
            for b in 0..size {
                for c in 0..size {
                    assert!(at(a, a) + at(b, b) <= at(a, b) + at(b, a), "{a} {b}");
                    let turned =
                        if a == b || b == c || a == c { f64::MAX } else { at(a, b) + at(b, c) + at(c, a) };
                    assert!(at(a, a) + at(b, b) + at(c, c) <= turned, "{a} {b} {c}");
                }
            }
        }
    }
}

#[test]
fn equally_good_assignments_are_chosen_by_order_and_bad_costs_are_survived() {
    let mut assignment = Assignment::default();
    assert_eq!(assignment.solve(3, 4, |_, _| 1.0), [0, 1, 2]);
    assert_eq!(assignment.solve(0, 0, |_, _| 1.0), [] as [u32; 0]);
    assert_eq!(assignment.solve(2, 1, |_, _| 1.0), [0, u32::MAX]);
    let nan_at_first = |row: usize, column: usize| if (row, column) == (0, 0) { f64::NAN } else { 1.0 };
    assert_eq!(assignment.solve(2, 2, nan_at_first), [1, 0]);
}

// --- skirting -------------------------------------------------------------------------------------------------------

fn ground() -> impl Strategy<Value = Vec3> {
    (-30.0f32..30.0, -30.0f32..30.0).prop_map(|(x, z)| vec3(x, 0.0, z))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_skirting_walk_keeps_out_and_is_as_long_as_it_says(from in ground(), place in ground(), inner in 0.5f32..12.0) {
        prop_assume!(from.length() > inner && place.length() > inner);
        let (mut at, mut walked, mut nearest) = (from, 0.0, f32::MAX);
        while at.distance(place) > 0.06 && walked < 200.0 {
            at += clamp_length(skirt(at, place, ZERO, inner) - at, 0.05);
            walked += 0.05;
            nearest = nearest.min(at.length());
        }
        let length = skirt_length(from, place, ZERO, inner);
        prop_assert!(nearest >= inner - 0.02, "{nearest} within {inner}");
        prop_assert!((walked - length).abs() <= 0.15 + 0.02 * length, "walked {walked}, said {length}");
    }

    #[test]
    fn skirting_is_finite_for_anything(from in ground(), place in ground(), inner in -1.0f32..40.0) {
        for (from, place) in [(from, place), (from, from), (ZERO, place), (from, ZERO), (from, -from)] {
            prop_assert!(skirt(from, place, ZERO, inner).is_finite());
            prop_assert!(skirt_length(from, place, ZERO, inner) >= flat(place - from).length() * 0.999);
        }
    }
}

#[test]
fn the_largest_gap_is_the_largest_empty_angle() {
    let at = |degrees: &[f32]| degrees.iter().map(|d| direction(d.to_radians()) * 3.0).collect::<Vec<_>>();
    for (angles, gap) in [
        (vec![], 360.0),
        (vec![10.0], 360.0),
        (vec![10.0, 10.0], 360.0),
        (vec![0.0, 90.0, 90.0, 180.0], 180.0),
        (vec![-170.0, 170.0, 0.0], 170.0),
        ((0..8).map(|i| i as f32 * 45.0).collect(), 45.0),
    ] {
        assert!((largest_gap(ZERO, &at(&angles)) - gap).abs() < 0.01, "{angles:?}");
    }
}

// --- ground and wild input ----------------------------------------------------------------------------------------

#[test]
fn a_place_without_any_free_ground_leaves_its_member_where_it_is() {
    let sim = Sim::held(&clump(1, 3, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
    let members: Vec<Member> = sim.agents.iter().map(|agent| sim.member(agent)).collect();
    let mut ring = Ring::new(RingRules::default());
    ring.update(&members, ZERO, ZERO, DT, &Ground { stand: &|_| None, ..Ground::OPEN });
    for (place, member) in ring.places().iter().zip(&members) {
        assert!(place.blocked && place.position == member.position && place.velocity == ZERO);
    }
    ring.update(&members, ZERO, ZERO, 1.0, &Ground::OPEN);
    assert!(ring.places().iter().all(|place| !place.blocked), "free again");
}

#[test]
fn heights_are_the_grounds() {
    let sim = Sim::held(&clump(1, 4, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
    let members: Vec<Member> = sim.agents.iter().map(|agent| sim.member(agent)).collect();
    let mut ring = Ring::new(RingRules::default());
    ring.update(
        &members,
        vec3(0.0, 1.0, 0.0),
        ZERO,
        DT,
        &Ground { stand: &|p| Some(vec3(p.x, 0.1 * p.x, p.z)), ..Ground::OPEN },
    );
    for place in ring.places() {
        assert!((place.position.y - 0.1 * place.position.x).abs() < 1e-4, "{}", place.position);
    }
}

fn any_number() -> impl Strategy<Value = f32> {
    let odd = [0.0, -1.0, 1e-20, 1e9, 1e30, f32::MAX, f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
    prop_oneof![5 => -30.0f32..30.0, 1 => prop::sample::select(odd.to_vec())]
}

fn any_vector() -> impl Strategy<Value = Vec3> {
    (any_number(), any_number(), any_number()).prop_map(|(x, y, z)| vec3(x, y, z))
}

fn any_member() -> impl Strategy<Value = Member> {
    (0u32..12, any_vector(), any_number(), any_number(), any::<[bool; 3]>()).prop_map(
        |(key, position, radius, ring, [close_in, hold, direct])| Member {
            key,
            position,
            radius,
            ring,
            close_in,
            hold,
            direct,
            cut_off: key % 3 == 0,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_ring_survives_anything(
        steps in prop::collection::vec((prop::collection::vec(any_member(), 0..9), any_vector(), any_vector(), any_number()), 1..6),
        numbers in prop::array::uniform10(any_number()),
    ) {
        let [reach, stand, refresh, close_rate, set_after, dead_zone, catch_up, keep_out, room, snap] = numbers;
        let [close_to, set_fraction, broken_fraction, follow_for, angle_offset, pays] = [reach, stand, room, snap, refresh, keep_out];
        let rules = RingRules {
            reach, stand, refresh, close_rate, set_after, dead_zone, catch_up, keep_out, room, snap,
            close_to, set_fraction, broken_fraction, follow_for, angle_offset, pays, ..RingRules::default()
        };
        let mut ring = Ring::new(rules);
        for (members, centre, velocity, dt) in steps {
            ring.update(&members, centre, velocity, dt, &Ground { stand: &|p| (p.x < 10.0).then_some(p), ..Ground::OPEN });
            prop_assert!(ring.radius().is_finite() && ring.places().windows(2).all(|pair| pair[0].key < pair[1].key));
            for place in ring.places() {
                prop_assert!(place.position.is_finite() && place.velocity.is_finite(), "{place:?}");
            }
        }
    }
}

#[test]
fn a_thousand_places_are_dealt_in_no_time_and_each_once() {
    let mut dice = Dice::new(3, &[]);
    let rules = RingRules::default();
    let members: Vec<Member> = (0..1000)
        .map(|key| Member {
            key,
            position: vec3(dice.range(-60.0, 60.0) as f32, 0.0, dice.range(-60.0, 60.0) as f32),
            radius: 0.5,
            ring: 12.0,
            close_in: false,
            hold: true,
            ..Member::default()
        })
        .collect();
    let mut ring = Ring::new(rules);
    // The least sum for a thousand takes seconds; ten ticks of it would be noticed here.
    for _ in 0..10 {
        ring.update(&members, ZERO, ZERO, 0.1, &Ground::OPEN);
    }
    let mut angles: Vec<(u32, i64)> = ring
        .places()
        .iter()
        .map(|place| (place.row, (place.angle.to_degrees() * 1000.0).round() as i64))
        .collect();
    angles.sort_unstable();
    angles.dedup();
    assert_eq!(angles.len(), 1000, "everybody has a place of its own");
}
