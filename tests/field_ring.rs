//! The field reports about rings, by id, and the encircling chase of two articles, in a small simulation.

mod ring_sim;

use ring_sim::*;
use std::f32::consts::TAU;
use warband::math::{Vec3, clamp_length, direction, flat, vec3};
use warband::rng::Dice;
use warband::squad::*;

#[test]
fn f1_a_single_file_spreads_round_the_target() {
    let starts: Vec<Vec3> = (0..8).map(|i| vec3(20.0 + i as f32, 0.0, 0.0)).collect();
    let mut sim = Sim::held(&starts, 12.0);
    sim.run(12.0);
    let gap = largest_gap(ZERO, &sim.positions());
    println!("F1: gap {gap:.1}°, nearest pair {:.2} m", sim.nearest_pair());
    assert!(sim.nearest_pair() >= 1.0 && gap <= 56.25, "gap {gap}°, nearest pair {}", sim.nearest_pair());
}

/// The shortest sum of walks outside a circle of `radius` over all assignments and 90 turns of the ring.
fn optimum(starts: &[Vec3], radius: f32) -> f32 {
    let count = starts.len();
    let mut assignment = Assignment::default();
    let mut best = f64::INFINITY;
    for turn in 0..90 {
        let place = |i: usize| direction(TAU / count as f32 * (i as f32 + turn as f32 / 90.0)) * radius;
        assignment.solve(count, count, |row, i| {
            f64::from(skirt_length(starts[row], place(i), ZERO, radius * 0.999))
        });
        best = best.min(assignment.total());
    }
    best as f32
}

/// Runs a held ring and gives the walked distance over the optimum; nobody may be better off with another's place on the way.
fn walk_over_optimum(starts: &[Vec3]) -> f32 {
    let mut sim = Sim::held(starts, 12.0);
    for tick in 0..900 {
        sim.step(ZERO, ZERO);
        let rest = |a: usize, b: usize| {
            let place = sim.ring.place_of(b as u32).expect("each member has a place").position;
            skirt_length(sim.agents[a].me.position, place, ZERO, sim.ring.inner())
        };
        let walking = |a: usize| sim.agents[a].me.velocity.length() > 0.2;
        for (a, b) in
            (0..8).flat_map(|a| (0..a).map(move |b| (a, b))).filter(|(a, b)| walking(*a) && walking(*b))
        {
            let (now, swapped) = (rest(a, a).max(rest(b, b)), rest(a, b).max(rest(b, a)));
            // Within half a metre one stands: what is left there is no walk.
            assert!(
                swapped > 0.5 * now || now < 0.5,
                "tick {tick}: {a} and {b} should swap: {now} {swapped}"
            );
        }
    }
    assert!(sim.ring.places().iter().all(|place| place.arrived));
    let walked: f32 = sim.agents.iter().map(|agent| agent.walked).sum();
    walked / optimum(starts, 12.0)
}

#[test]
fn f2_walks_are_near_the_shortest_and_nobody_should_swap() {
    let row: Vec<Vec3> = (0..8).map(|i| vec3(-20.0, 0.0, 7.0 - 2.0 * i as f32)).collect();
    let ratio = walk_over_optimum(&row);
    println!("F2: {ratio:.3} of the optimum");
    assert!(ratio <= 1.15, "{ratio}");
}

#[test]
fn f2_holds_for_rows_from_anywhere_clumps_and_scattered_agents() {
    for turn in 1..12 {
        let (ahead, aside) = (direction(turn as f32 * 0.55), direction(turn as f32 * 0.55 + TAU / 4.0));
        let row: Vec<Vec3> = (0..8).map(|i| ahead * 20.0 + aside * (2.0 * i as f32 - 7.0)).collect();
        let ratios = [
            walk_over_optimum(&row),
            walk_over_optimum(&clump(turn, 8, ahead * 25.0, 4.0)),
            walk_over_optimum(&clump(turn, 8, ahead * 6.0, 22.0)),
        ];
        println!("F2 turn {turn}: {ratios:.3?}");
        assert!(ratios.iter().all(|ratio| *ratio <= 1.15), "{ratios:?}");
    }
}

#[test]
fn f4_places_slide_out_of_a_wall() {
    let mut sim = Sim { wall_x: 5.0, ..Sim::held(&clump(1, 8, vec3(-20.0, 0.0, 0.0), 3.0), 12.0) };
    sim.ring.rules.free_phase = false;
    for _ in 0..900 {
        let before = sim.positions();
        sim.step(ZERO, ZERO);
        for (agent, before) in sim.agents.iter_mut().zip(before) {
            let grinding = agent.me.velocity.length() > 1.0 && agent.me.position.distance(before) < 0.1 * DT;
            agent.stuck_for = if grinding { agent.stuck_for + DT } else { 0.0 };
            assert!(agent.me.position.x <= 4.5 + 1e-4 && agent.stuck_for <= 1.0);
        }
    }
    println!("F4: nearest pair {:.2} m, fastest {:.3} m/s", sim.nearest_pair(), sim.fastest());
    assert!(sim.nearest_pair() >= 1.0 && sim.fastest() <= 0.2);
    assert!(sim.ring.places().iter().all(|place| place.arrived && !place.blocked));
}

#[test]
fn f6_nobody_walks_through_the_player() {
    for seed in 1..=20 {
        let mut sim = Sim::held(&clump(seed, 8, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
        let mut nearest = f32::MAX;
        for _ in 0..720 {
            sim.step(ZERO, ZERO);
            nearest = sim.agents.iter().map(|agent| sim.distance(agent)).fold(nearest, f32::min);
        }
        println!("F6 seed {seed}: nearest {nearest:.2} m, fastest at 12 s {:.3} m/s", sim.fastest());
        assert!(nearest >= 6.0 && sim.fastest() <= 0.2, "seed {seed}: nearest {nearest}");
        assert!(sim.ring.places().iter().all(|place| place.arrived));
    }
}

#[test]
fn f7_small_moves_of_the_player_move_nobody() {
    let mut sim = Sim::held(&clump(1, 8, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
    sim.run(12.0);
    sim.agents.iter_mut().for_each(|agent| (agent.walked, agent.reversals) = (0.0, 0));
    let mut dice = Dice::new(3, &[]);
    let (mut player, mut heading) = (ZERO, 0.0f32);
    for _ in 0..1200 {
        heading += dice.normal() as f32 * 0.5;
        let velocity = direction(heading);
        let next = clamp_length(player + velocity * DT, 0.5);
        sim.step(next, (next - player) / DT);
        player = next;
    }
    let walked = sim.agents.iter().map(|agent| agent.walked).fold(0.0, f32::max);
    let reversals = sim.agents.iter().map(|agent| agent.reversals).max().unwrap();
    println!("F7: walked {walked:.2} m, {reversals} reversals");
    assert!(walked <= 5.0 && reversals <= 4);
}

#[test]
fn f7_a_player_who_arrives_and_then_fidgets_moves_nobody_after_two_seconds() {
    let mut sim = Sim::held(&clump(1, 8, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
    for tick in 0..1200 {
        let (player, velocity) = square_walk(tick as f32 * DT);
        sim.step(player, velocity);
    }
    let stop = sim.player;
    let circle = |time: f32| stop + (direction(time * 2.0) - Vec3::X) * 0.25;
    for tick in 0..600 {
        if tick == 300 {
            sim.agents.iter_mut().for_each(|agent| agent.walked = 0.0);
        }
        let time = tick as f32 * DT;
        sim.step(circle(time), (circle(time + DT) - circle(time)) / DT);
    }
    let walked = sim.agents.iter().map(|agent| agent.walked).fold(0.0, f32::max);
    assert!(walked <= 0.1, "walked {walked} m in the last five seconds");
}

#[test]
fn f8_places_do_not_turn_with_anything_but_the_world() {
    let mut sim = Sim::held(&clump(1, 8, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
    sim.run(12.0);
    // A player that spins on the spot looks to the ring like one that stands: it is never told a facing.
    let before = sim.positions();
    sim.run(10.0);
    let moved =
        sim.positions().iter().zip(before).map(|(now, before)| now.distance(before)).fold(0.0, f32::max);
    println!("F8: moved {moved:.3} m");
    assert!(moved <= 0.5, "moved {moved} m");
}

#[test]
fn f10_places_depend_on_positions_and_keys_only() {
    let starts = clump(4, 8, vec3(-20.0, 0.0, 0.0), 5.0);
    let mut dice = Dice::new(5, &[]);
    let mut order: Vec<usize> = (0..8).collect();
    let mut first: Option<Vec<(u32, f32)>> = None;
    for _ in 0..20 {
        for at in (1..8).rev() {
            order.swap(at, dice.below(at as u64 + 1) as usize);
        }
        let sim = Sim::held(&starts, 12.0);
        let mut ring = Ring::new(RingRules::default());
        for _ in 0..60 {
            let members: Vec<Member> = order.iter().map(|at| sim.member(&sim.agents[*at])).collect();
            ring.update(&members, ZERO, ZERO, DT, &Ground::OPEN);
        }
        let map: Vec<(u32, f32)> = ring.places().iter().map(|place| (place.key, place.angle)).collect();
        assert_eq!(first.get_or_insert(map.clone()), &map);
    }
}

#[test]
fn f11_more_than_the_ring_can_hold_stand_in_a_second_row() {
    let mut sim = Sim::held(&clump(6, 50, vec3(-20.0, 0.0, 0.0), 5.0), 6.0);
    sim.run(20.0);
    let nearest = sim.agents.iter().map(|agent| sim.distance(agent)).fold(99.0, f32::min);
    let overlap = 1.0 - sim.nearest_pair();
    println!("F11: fastest {:.3} m/s, overlap {overlap:.3} m, nearest {nearest:.2} m", sim.fastest());
    assert!(sim.fastest() <= 0.2 && overlap <= 0.1 && nearest >= 5.5);
    assert!(
        sim.ring.places().iter().any(|place| place.row == 1)
            && sim.ring.places().iter().all(|place| place.row <= 1)
    );
}

#[test]
fn a_death_is_made_good_with_the_least_walking() {
    let mut sim = Sim::held(&clump(1, 8, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
    sim.run(12.0);
    sim.agents.remove(3);
    sim.agents.iter_mut().for_each(|agent| agent.walked = 0.0);
    sim.run(8.0);
    let gap = largest_gap(ZERO, &sim.positions());
    let walked: f32 = sim.agents.iter().map(|agent| agent.walked).sum();
    // From eighths to sevenths: 3, 2, 1, 0, 1, 2 … times 6.43° each way, 77° in all, is the least there is.
    println!("death: gap {gap:.1}°, walked {walked:.1} m");
    assert!(gap <= 1.2 * 360.0 / 7.0 && walked <= 1.15 * 77.0f32.to_radians() * 12.0, "{gap}°, {walked} m");
}

#[test]
fn m2_agents_spawned_on_one_point_part_and_do_so_the_same_way_each_time() {
    let run = || {
        let mut sim = Sim::held(&[vec3(5.0, 0.0, 5.0); 8], 12.0);
        sim.player = vec3(25.0, 0.0, 5.0);
        for _ in 0..120 {
            sim.run(DT);
            assert!(sim.positions().iter().all(|position| position.is_finite()));
        }
        assert!(sim.nearest_pair() >= 0.9, "nearest pair {}", sim.nearest_pair());
        sim.positions()
    };
    assert_eq!(run(), run());
}

#[test]
fn a_saved_ring_goes_on_as_if_nothing_had_happened() {
    let mut sim = Sim::chase(&clump(1, 8, vec3(-30.0, 0.0, 0.0), 3.0));
    let mut other = Sim::chase(&clump(1, 8, vec3(-30.0, 0.0, 0.0), 3.0));
    for tick in 0..900 {
        if tick % 250 == 100 {
            let text = serde_json::to_string(&other.ring).unwrap();
            other.ring = serde_json::from_str(&text).unwrap();
        }
        let (player, velocity) = square_walk(tick as f32 * DT);
        sim.step(player, velocity);
        other.step(player, velocity);
        assert_eq!(sim.positions(), other.positions(), "tick {tick}");
    }
}

// --- the encircling chase of behaviour.md 3.1 --------------------------------------------------------------------------

struct Chase {
    first_direct_at: f32,
    gap_when_first_direct: f32,
    best_gap: f32,
    nearest_in_formation: f32,
    seven_near_at: f32,
    longest_stand: f32,
    radius_at_25: f32,
}

fn chase(seed: u64, count: usize, walking: bool, dt: f32) -> Chase {
    let from = direction(seed as f32 * 2.4) * 30.0;
    let mut sim = Sim::chase(&clump(seed, count, from, 3.0));
    let mut seen = Chase {
        first_direct_at: 0.0,
        gap_when_first_direct: f32::NAN,
        best_gap: 360.0,
        nearest_in_formation: f32::MAX,
        seven_near_at: f32::INFINITY,
        longest_stand: 0.0,
        radius_at_25: 0.0,
    };
    sim.dt = dt;
    let mut stands = vec![0.0f32; count];
    for tick in 0..(25.0 / dt).round() as u32 {
        let (player, velocity) = if walking { square_walk(tick as f32 * dt) } else { (ZERO, ZERO) };
        let gap = largest_gap(sim.player, &sim.positions());
        sim.step(player, velocity);
        let direct = sim.agents.iter().filter(|agent| agent.mode == Mode::Direct).count();
        if direct == 0 {
            seen.first_direct_at = sim.time;
            (seen.gap_when_first_direct, seen.best_gap) = (gap, seen.best_gap.min(gap));
        }
        for (agent, stand) in
            sim.agents.iter().zip(&mut stands).filter(|(agent, _)| agent.mode != Mode::Direct)
        {
            seen.nearest_in_formation = seen.nearest_in_formation.min(sim.distance(agent));
            *stand = if agent.me.velocity.length() < 0.1 { *stand + dt } else { 0.0 };
            seen.longest_stand = seen.longest_stand.max(*stand);
        }
        let near = sim.agents.iter().filter(|agent| sim.distance(agent) <= 2.5).count();
        if near >= count.min(7) && seen.seven_near_at.is_infinite() {
            seen.seven_near_at = sim.time;
        }
    }
    seen.radius_at_25 = sim.ring.radius();
    seen
}

fn report(walking: bool) -> Vec<Chase> {
    let all: Vec<Chase> = (1..=20).map(|seed| chase(seed, 8, walking, DT)).collect();
    for (index, seen) in all.iter().enumerate() {
        println!(
            "seed {:2}: first direct at {:4.1} s with gap {:5.1}°, best {:5.1}°, nearest in formation {:.2} m, seven near at {:.1} s, longest stand {:.1} s, ring {:.1} m",
            index + 1,
            seen.first_direct_at,
            seen.gap_when_first_direct,
            seen.best_gap,
            seen.nearest_in_formation,
            seen.seven_near_at,
            seen.longest_stand,
            seen.radius_at_25
        );
    }
    all
}

#[test]
fn the_ring_closes_in_on_a_player_who_stands() {
    for seen in report(false) {
        assert!(seen.seven_near_at <= 25.0 && seen.nearest_in_formation >= 5.0);
        assert!(seen.gap_when_first_direct <= 56.25 && seen.longest_stand <= 3.0);
    }
}

#[test]
fn the_ring_closes_in_on_a_player_who_walks() {
    let all = report(true);
    assert!(all.iter().all(|seen| seen.nearest_in_formation >= 5.0), "somebody in formation came too near");
    assert!(all.iter().all(|seen| seen.seven_near_at <= 25.0), "somebody never got there");
    let closed = all.iter().filter(|seen| seen.gap_when_first_direct <= 70.0).count();
    assert!(closed >= 18, "only {closed} of 20 rings were closed when the first went for the player");
}

#[test]
fn squads_of_other_sizes_close_their_ring_too() {
    for (count, seed) in [3, 5, 12].into_iter().flat_map(|count| (1..=10).map(move |seed| (count, seed))) {
        let gap = chase(seed, count, true, DT).gap_when_first_direct;
        assert!(gap <= 1.25 * 360.0 / count as f32, "{count} members, seed {seed}: {gap}°");
    }
}

#[test]
fn the_chase_is_the_same_at_every_frame_rate() {
    for seed in 1..=5 {
        let [fine, slow, fast] = [1.0 / 60.0, 1.0 / 30.0, 1.0 / 144.0].map(|dt| chase(seed, 8, false, dt));
        for other in [slow, fast] {
            let late = (other.first_direct_at - fine.first_direct_at).abs();
            assert!(late <= 0.15, "seed {seed}: the first goes direct {late} s off");
            assert!((other.seven_near_at - fine.seven_near_at).abs() <= 0.5, "seed {seed}");
        }
    }
}

// --- what else happens to a ring ----------------------------------------------------------------------------------------

#[test]
fn a_steadily_moving_ring_leaves_nobody_behind() {
    let mut sim = Sim::held(&clump(1, 8, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
    sim.run(12.0);
    for tick in 0..1200 {
        let way = tick as f32 * DT * 3.0;
        sim.step(vec3(way, 0.0, 0.0), vec3(3.0, 0.0, 0.0));
        let worst = sim.ring.places().iter().map(|place| place.error).fold(0.0, f32::max);
        assert!(worst <= 2.0, "tick {tick}: a member is {worst} m from its place");
    }
    let behind = flat(sim.ring.centre() - sim.player).length();
    let error = sim.ring.place_error();
    println!("moving: the centre is {behind:.2} m off, members {error:.2} m");
    assert!(behind <= 0.1 && error <= 0.5, "the centre is {behind} m off, members {error} m");
    assert!(largest_gap(sim.player, &sim.positions()) <= 56.25);
}

#[test]
fn q1_every_survivor_has_a_place_in_the_next_tick_and_the_radius_does_not_jump() {
    let mut sim = Sim::held(&clump(2, 8, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
    sim.run(3.0);
    while sim.agents.len() > 1 {
        sim.agents.remove(0);
        sim.step(ZERO, ZERO);
        assert!(sim.agents.iter().all(|agent| sim.ring.place_of(agent.me.id).is_some()));
        assert!(sim.ring.places().len() == sim.agents.len() && sim.ring.radius() == 12.0);
        sim.run(1.0);
    }
    sim.agents.clear();
    sim.step(ZERO, ZERO);
    assert!(sim.ring.places().is_empty() && sim.ring.radius() == 0.0 && !sim.ring.is_set());
}

#[test]
fn a_ring_that_was_left_behind_starts_again_wide() {
    let mut sim = Sim::chase(&clump(1, 8, vec3(-30.0, 0.0, 0.0), 3.0));
    sim.run(21.0);
    assert!(sim.ring.is_set() && sim.ring.radius() < 6.0);
    let far = vec3(60.0, 0.0, 60.0);
    for tick in 0..300 {
        sim.step(far, ZERO);
        assert!(sim.ring.radius() <= 12.0, "tick {tick}");
    }
    assert!(!sim.ring.is_set() && sim.ring.radius() == 12.0, "{}", sim.ring.radius());
    for _ in 0..1800 {
        sim.step(far, ZERO);
    }
    let near = sim.agents.iter().filter(|agent| sim.distance(agent) <= 2.5).count();
    assert!(near >= 7, "only {near} reached the player at the new place");
}

#[test]
fn a_siege_holds_the_radius_it_asks_for() {
    let mut sim = Sim::held(&clump(1, 8, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
    sim.run(10.0);
    sim.radius = 6.0;
    sim.run(14.0);
    assert!((sim.ring.radius() - 6.0).abs() < 1e-4 && sim.ring.set_fraction() == 1.0);
    let at: Vec<f32> = sim.agents.iter().map(|agent| sim.distance(agent)).collect();
    assert!(at.iter().all(|d| (d - 6.0).abs() <= 0.5), "{at:?}");
}
