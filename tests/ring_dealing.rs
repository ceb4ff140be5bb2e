//! How places of a ring are dealt: by the true length of walks, seldom, with bounded work, and together with other squads.

mod common;
mod ring_sim;

use common::{clump as spread_out, held_ring, keyed};
use ring_sim::{DT, Sim, ZERO, clump};
use warband::math::{Vec3, angle_of, direction, flat, vec3};
use warband::rng::Dice;
use warband::squad::*;
use warband::{ActorDesc, AgentDesc, Config, SquadDesc, SquadId, World};

fn member(key: u32, position: Vec3) -> Member {
    Member { key, position, hold: true, ..Member::default() }
}

fn scattered(seed: u64, count: u32) -> Vec<Member> {
    let mut dice = Dice::new(seed, &[1]);
    let mut at = || dice.range(-30.0, 30.0) as f32;
    (0..count).map(|key| member(key, vec3(at(), 0.0, at()))).collect()
}

// --- the cost of a place -------------------------------------------------------------------------------------------

/// The shortest walk outside of a circle, by Dijkstra over a ring of points just outside of it.
fn oracle(from: Vec3, to: Vec3, inner: f32) -> f32 {
    const POINTS: usize = 180;
    let clear = |a: Vec3, b: Vec3| {
        let way = b - a;
        let along = (-a.dot(way) / way.length_squared().max(1e-9)).clamp(0.0, 1.0);
        (a + way * along).length() >= inner * 0.9998
    };
    let out = inner / libm::cosf(std::f32::consts::PI / POINTS as f32);
    let mut nodes = vec![from, to];
    nodes.extend((0..POINTS).map(|at| direction(std::f32::consts::TAU * at as f32 / POINTS as f32) * out));
    let mut best = vec![f32::MAX; nodes.len()];
    let mut done = vec![false; nodes.len()];
    best[0] = 0.0;
    while let Some(at) = (0..nodes.len()).filter(|at| !done[*at]).min_by(|a, b| best[*a].total_cmp(&best[*b]))
    {
        if at == 1 || best[at] == f32::MAX {
            break;
        }
        done[at] = true;
        for next in (0..nodes.len()).filter(|next| !done[*next]) {
            let length = best[at] + nodes[at].distance(nodes[next]);
            if length < best[next] && clear(nodes[at], nodes[next]) {
                best[next] = length;
            }
        }
    }
    best[1]
}

#[test]
fn the_walk_to_a_place_is_the_shortest_that_keeps_out_of_the_middle() {
    let mut dice = Dice::new(1, &[]);
    for _ in 0..60 {
        let inner = dice.range(2.0, 11.0) as f32;
        let mut outside =
            || direction(dice.range(-3.2, 3.2) as f32) * dice.range(f64::from(inner) * 1.01, 30.0) as f32;
        let (from, to) = (outside(), outside());
        let (said, found) = (skirt_length(from, to, ZERO, inner), oracle(from, to, inner));
        assert!(
            (said - found).abs() <= 0.005 * found + 0.01,
            "{from} to {to} round {inner}: {said}, found {found}"
        );
    }
}

/// What is dealt by is the same length: the sum of a fresh ring's walks is that of the best assignment by `skirt_length`, over all
/// assignments and the turns that a ring tries.
#[test]
fn a_fresh_ring_is_the_least_walking_there_is() {
    for seed in 0..30 {
        let members = scattered(seed, 6);
        let mut ring = Ring::new(RingRules::default());
        ring.update(&members, ZERO, ZERO, DT, &Ground::OPEN);
        let walk = |member: &Member, place: Vec3| skirt_length(member.position, place, ZERO, ring.inner());
        let total: f32 =
            ring.places().iter().zip(&members).map(|(place, member)| walk(member, place.position)).sum();
        let mut best = f32::MAX;
        for turn in 0..60 {
            let place =
                |at: usize| direction((at as f32 + turn as f32 / 60.0) * std::f32::consts::TAU / 6.0) * 12.0;
            let mut order: Vec<usize> = (0..6).collect();
            permute(&mut order, 0, &mut |order| {
                best =
                    best.min(order.iter().zip(&members).map(|(at, member)| walk(member, place(*at))).sum());
            });
        }
        assert!(total <= best * 1.01 + 0.1, "seed {seed}: {total} m where {best} m would do");
    }
}

fn permute(order: &mut Vec<usize>, at: usize, each: &mut impl FnMut(&[usize])) {
    if at == order.len() {
        return each(order);
    }
    for other in at..order.len() {
        order.swap(at, other);
        permute(order, at + 1, each);
        order.swap(at, other);
    }
}

// --- how often, and how much work ----------------------------------------------------------------------------------

/// A member that comes and goes in every tick costs five deals a second and no more; everybody has a place in each tick.
#[test]
fn places_are_dealt_at_most_every_fifth_of_a_second() {
    let all = scattered(2, 24);
    let mut ring = Ring::new(RingRules::default());
    ring.update(&all, ZERO, ZERO, DT, &Ground::OPEN);
    let (mut before, mut dealt) = (ring.visits(), 0);
    for tick in 0..240 {
        let members = if tick % 2 == 0 { &all[1..] } else { &all[..] };
        ring.update(members, ZERO, ZERO, DT, &Ground::OPEN);
        let keys: Vec<u32> = ring.places().iter().map(|place| place.key).collect();
        assert!(keys.iter().eq(members.iter().map(|member| &member.key)), "tick {tick}: {keys:?}");
        dealt += u32::from(ring.visits() > before);
        before = ring.visits();
    }
    assert!((15..=20).contains(&dealt), "dealt {dealt} times in 4 s");
}

/// The count behind the 50 µs of `cargo bench --bench ring`: pairs looked at when 24 are dealt anew, and when they are looked at.
#[test]
fn a_ring_of_24_is_dealt_within_its_bound() {
    let (mut deals, mut mends) = (0, 0);
    for seed in 0..50 {
        let members = scattered(seed, 24);
        let mut ring = Ring::new(RingRules::default());
        ring.update(&members, ZERO, ZERO, DT, &Ground::OPEN);
        deals = deals.max(ring.visits());
        let before = ring.visits();
        ring.update(&members, ZERO, ZERO, 0.2, &Ground::OPEN);
        mends = mends.max(ring.visits() - before);
    }
    println!("24: {deals} pairs to deal, {mends} to mend");
    assert!(
        mends > 0 && mends <= 24 * 24 * 8 && deals <= 4 * 24 * 24 * 8,
        "{deals} to deal, {mends} to mend"
    );
}

/// Above 64 members work grows with the number, not with its cube, and places are still distinct and walks near the least.
#[test]
fn more_than_64_are_dealt_in_the_order_of_angles() {
    let visits = |count: u32| {
        let mut ring = Ring::new(RingRules::default());
        ring.update(&scattered(3, count), ZERO, ZERO, DT, &Ground::OPEN);
        ring.visits()
    };
    assert!(visits(1000) <= 1000 * 64, "{}", visits(1000));
    let members = scattered(3, 65);
    let mut ring = Ring::new(RingRules::default());
    ring.update(&members, ZERO, ZERO, DT, &Ground::OPEN);
    let walk =
        |member: &Member, place: &Place| skirt_length(member.position, place.position, ZERO, ring.inner());
    let total: f32 = ring.places().iter().zip(&members).map(|(place, member)| walk(member, place)).sum();
    let mut assignment = Assignment::default();
    assignment.solve(65, 65, |row, column| f64::from(walk(&members[row], &ring.places()[column])));
    let least = assignment.total() as f32;
    println!("65: {total} m, least {least} m");
    assert!(total <= 1.35 * least, "{total} m where {least} m would do");
}

// --- corners -------------------------------------------------------------------------------------------------------

/// Random rooms of walls: whoever has a place has one of their own on free ground, and while there is room all have one.
#[test]
fn places_among_walls_and_corners_are_distinct_free_and_reachable() {
    let mut dice = Dice::new(9, &[]);
    for round in 0..200 {
        let discs: Vec<(Vec3, f32)> = (0..dice.below(9))
            .map(|_| {
                (
                    direction(dice.range(-3.1, 3.1) as f32) * dice.range(8.0, 16.0) as f32,
                    dice.range(1.0, 5.0) as f32,
                )
            })
            .collect();
        let (side, angle) = (dice.range(4.0, 20.0) as f32, direction(dice.range(-3.1, 3.1) as f32));
        let other = vec3(-angle.z, 0.0, angle.x);
        let free = |point: Vec3| {
            let clear = discs.iter().all(|(centre, radius)| centre.distance(point) >= radius + 0.5);
            clear && angle.dot(point) <= side - 0.5 && other.dot(point) <= side + 2.0 - 0.5
        };
        let stand = |point: Vec3| free(point).then_some(point);
        // Beyond a line nobody can walk.
        let reach = dice.range(6.0, 30.0) as f32;
        let reaches = |_: Vec3, to: Vec3| to.x <= reach;
        let mut members = scattered(round, 1 + dice.below(12) as u32);
        let mut ring = Ring::new(RingRules::default());
        for _ in 0..6 {
            for member in &mut members {
                member.cut_off = ring.place_of(member.key).is_some_and(|place| place.position.x > reach);
            }
            ring.update(&members, ZERO, ZERO, 0.25, &Ground { stand: &stand, reaches: &reaches });
        }
        for (at, place) in ring.places().iter().enumerate() {
            assert!(!place.blocked, "round {round}: {} of {} has no place", place.key, members.len());
            assert!(free(place.position), "round {round}: {} in a wall", place.position);
            assert!(place.position.x <= reach + 1e-3, "round {round}: {} is out of reach", place.position);
            for other in &ring.places()[..at] {
                let apart = other.position.distance(place.position);
                assert!(apart >= 1.0, "round {round}: {} and {} are {apart} m apart", place.key, other.key);
            }
        }
        let before: Vec<Vec3> = ring.places().iter().map(|place| place.position).collect();
        ring.update(&members, ZERO, ZERO, 0.25, &Ground { stand: &stand, reaches: &reaches });
        let after: Vec<Vec3> = ring.places().iter().map(|place| place.position).collect();
        assert_eq!(before, after, "round {round}: places wander");
    }
}

// --- several squads ------------------------------------------------------------------------------------------------

/// Squads that hold rings round the same player, in this order of adding: name, key, where from, how many, radius.
fn packs(squads: &[(&str, u32, Vec3, u32, f64)]) -> (World, Vec<SquadId>) {
    let mut world = World::new(Config { seed: 1, ..Config::default() });
    world.add_actor(ActorDesc::at(ZERO));
    let mut ids = Vec::new();
    for (name, key, from, count, radius) in squads {
        world.add_tree(name, &held_ring(*radius)).expect("the tree is right");
        let desc = SquadDesc { name: (*name).into(), key: Some(*key), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        for (key, at) in keyed(spread_out(&mut Dice::new(u64::from(*key), &[3]), *count, *from, 4.0)) {
            let desc = AgentDesc { tree: (*name).into(), facing: -at, key: Some(key), ..AgentDesc::at(at) };
            world.spawn(squad, desc).expect("a new agent");
        }
        ids.push(squad);
    }
    (world, ids)
}

fn run(world: &mut World, seconds: f32) {
    (0..(seconds / DT) as u32).for_each(|_| world.tick(DT));
}

fn positions(world: &World) -> Vec<Vec3> {
    world.outputs().map(|out| out.position).collect()
}

#[test]
fn two_squads_share_the_angles_of_one_target() {
    for (radii, from) in
        [([12.0, 12.0], [-22.0, 22.0]), ([12.0, 12.0], [-22.0, -30.0]), ([12.0, 7.0], [-22.0, -30.0])]
    {
        let squads =
            [("a", 1, vec3(from[0], 0.0, 0.0), 5, radii[0]), ("b", 2, vec3(from[1], 0.0, 3.0), 7, radii[1])];
        let (mut world, ids) = packs(&squads);
        run(&mut world, 16.0);
        let gap = largest_gap(ZERO, &positions(&world));
        println!("{radii:?} from {from:?}: gap {gap:.1}");
        assert!(gap <= 1.25 * 30.0, "{radii:?}: twelve hunters leave {gap} degrees empty");
        let places: Vec<Vec3> =
            ids.iter().flat_map(|id| world.ring(*id).expect("it").places()).map(|p| p.position).collect();
        assert!(
            common::nearest_pair(&places) >= 1.15,
            "two places are {} m apart",
            common::nearest_pair(&places)
        );
        for id in &ids {
            let said = world.largest_gap(*id);
            assert!((said - gap).abs() <= 3.0, "the ring says {said}, it is {gap}");
            assert_eq!(world.set_fraction(*id), 1.0);
        }
        if from[1] > 0.0 {
            // Each keeps to the side that it came from.
            let west = world.outputs().filter(|out| out.squad == ids[0]).all(|out| out.position.x < 3.5);
            assert!(west, "{:?}", positions(&world));
        }
    }
}

#[test]
fn three_squads_and_their_deaths_leave_no_angle_open() {
    let squads = [
        ("a", 1, vec3(-22.0, 0.0, 0.0), 4, 12.0),
        ("b", 2, vec3(0.0, 0.0, 25.0), 4, 12.0),
        ("c", 3, vec3(25.0, 0.0, 0.0), 4, 12.0),
    ];
    let (mut world, ids) = packs(&squads);
    run(&mut world, 14.0);
    for _ in 0..3 {
        let first = world.members(ids[1]).next().expect("a member");
        world.remove(first);
        run(&mut world, 1.0);
    }
    run(&mut world, 10.0);
    let gap = largest_gap(ZERO, &positions(&world));
    assert!(gap <= 1.25 * 40.0, "nine hunters leave {gap} degrees empty");
}

#[test]
fn the_order_in_which_squads_were_added_is_not_felt() {
    let squads = [
        ("a", 1, vec3(-22.0, 0.0, 0.0), 5, 12.0),
        ("b", 2, vec3(-25.0, 0.0, 9.0), 4, 9.0),
        ("c", 3, vec3(3.0, 0.0, 24.0), 3, 12.0),
    ];
    let mut found: Option<Vec<(u32, u32, Vec3)>> = None;
    for turn in 0..3 {
        let mut order = squads;
        order.rotate_left(turn);
        let (mut world, ids) = packs(&order);
        run(&mut world, 6.0);
        let key = |squad: SquadId| order[ids.iter().position(|id| *id == squad).expect("known")].1;
        let mut all: Vec<_> = world.outputs().map(|out| (key(out.squad), out.key, out.position)).collect();
        all.sort_unstable_by_key(|(squad, key, _)| (*squad, *key));
        assert_eq!(found.get_or_insert_with(|| all.clone()), &all, "bit for bit the same");
    }
}

#[test]
fn squads_beside_walls_take_no_places_from_each_other() {
    let squads = [("a", 1, vec3(-18.0, 0.0, -3.0), 6, 12.0), ("b", 2, vec3(-18.0, 0.0, 8.0), 6, 12.0)];
    let (mut world, ids) = packs(&squads);
    let corners = [(4.0, -40.0), (40.0, -40.0), (40.0, 40.0), (4.0, 40.0)].map(|(x, z)| vec3(x, 0.0, z));
    let wall = warband::Wall::polygon(&corners).expect("a wall").see_through(true);
    world.set_walls(warband::Walls::new(vec![wall]));
    run(&mut world, 16.0);
    let places: Vec<_> = ids.iter().flat_map(|id| world.ring(*id).expect("it").places()).collect();
    assert!(places.iter().all(|place| !place.blocked && place.position.x <= 3.51));
    let at: Vec<Vec3> = places.iter().map(|place| place.position).collect();
    assert!(common::nearest_pair(&at) >= 1.1, "{}", common::nearest_pair(&at));
}

#[test]
fn a_saved_world_of_two_squads_goes_on_as_it_was() {
    let squads = [("a", 1, vec3(-22.0, 0.0, 0.0), 5, 12.0), ("b", 2, vec3(22.0, 0.0, 0.0), 4, 9.0)];
    let (mut world, _) = packs(&squads);
    run(&mut world, 2.3);
    let saved = world.snapshot();
    run(&mut world, 3.0);
    let end = (world.digest(), positions(&world));
    world.restore(&saved).expect("its own");
    run(&mut world, 3.0);
    assert_eq!((world.digest(), positions(&world)), end);
}

// --- what can be read ----------------------------------------------------------------------------------------------

#[test]
fn gap_set_fraction_and_place_error_are_what_they_say() {
    let mut sim = Sim::held(&clump(1, 8, vec3(-20.0, 0.0, 0.0), 3.0), 12.0);
    for _ in 0..600 {
        sim.step(ZERO, ZERO);
        let ring = &sim.ring;
        let before: Vec<&Place> = ring.places().iter().collect();
        let arrived = before.iter().filter(|place| place.arrived).count() as f32 / 8.0;
        let mean = before.iter().map(|place| place.error).sum::<f32>() / 8.0;
        assert!((ring.set_fraction() - arrived).abs() < 1e-6 && (ring.place_error() - mean).abs() < 1e-4);
    }
    let mut angles: Vec<f32> =
        sim.positions().iter().map(|position| angle_of(flat(*position)).to_degrees()).collect();
    angles.sort_unstable_by(f32::total_cmp);
    let widest =
        angles.windows(2).map(|pair| pair[1] - pair[0]).fold(360.0 + angles[0] - angles[7], f32::max);
    assert!((sim.ring.largest_gap() - widest).abs() < 0.5, "{} and {widest}", sim.ring.largest_gap());
    assert!(Ring::new(RingRules::default()).largest_gap() == 360.0);
}
