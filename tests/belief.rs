//! The belief of a search that spreads: it never gets ahead of the target's top speed, it always holds where the target
//! truly is, nothing but what the squad knows goes into it, and no two members search the same part.

mod common;
mod counting;

use common::{Hunt, keyed, squad_at};
use warband::rng::Dice;
use warband::space::Against;
use warband::{AgentDesc, Senses, Spec, Vec3, Wall, Walls, World, math, vec3};

const DT: f64 = 1.0 / 60.0;
const TOP: f32 = 4.0;

fn search() -> Spec {
    Spec::new("reactive_selector")
        .with(Spec::new("search").set("spread", true).set("target_speed", f64::from(TOP)))
}

/// Walls in no order, with ways between all parts.
fn maze(dice: &mut Dice) -> Walls {
    let mut walls = Vec::new();
    for _ in 0..36 {
        let from = vec3(dice.range(-25.0, 25.0) as f32, 0.0, dice.range(-25.0, 25.0) as f32);
        let way =
            math::direction(dice.range(0.0, std::f64::consts::TAU) as f32) * dice.range(3.0, 9.0) as f32;
        walls.push(Wall::segment(from, from + way).expect("a wall"));
    }
    for _ in 0..8 {
        let at = vec3(dice.range(-25.0, 25.0) as f32, 0.0, dice.range(-25.0, 25.0) as f32);
        walls.push(Wall::circle(at, dice.range(0.5, 2.5) as f32).expect("a pillar"));
    }
    Walls::new(walls)
}

/// A walker that goes about at random, never faster than `TOP`, and never through walls.
struct Walker {
    at: Vec3,
    heading: f32,
}

impl Walker {
    fn step(&mut self, walls: &Walls, dice: &mut Dice, dt: f32) -> Vec3 {
        self.heading += dice.range(-0.35, 0.35) as f32;
        let next = self.at + math::direction(self.heading) * (TOP * 0.999 * dt);
        // With a body of its own, so that it does not squeeze through where nobody could.
        if walls.ray_against(Against::Bodies, self.at, next).is_some() || walls.overlaps(next, 0.5) {
            self.heading += 2.0;
            return Vec3::ZERO;
        }
        let before = std::mem::replace(&mut self.at, next);
        (next - before) / dt
    }
}

/// A squad in a maze that has seen the walker for a moment.
fn hunt(seed: u64) -> (Hunt, Walls, Walker, Dice) {
    let mut dice = Dice::new(seed, &[3]);
    let walls = maze(&mut dice);
    let mut start = Vec3::ZERO;
    while walls.overlaps(start, 0.6) {
        start += vec3(0.7, 0.0, 0.3);
    }
    let places = keyed((0..5).map(|i| start + vec3(-4.0 - i as f32, 0.0, i as f32 * 1.3 - 2.6)));
    let mut hunt = squad_at(&search(), seed, &[], start);
    // They do not see far, so that much stays hidden from them.
    for (key, place) in places {
        let senses = Senses { range: 10.0, lose_range: 11.0, ..Senses::default() };
        let desc = AgentDesc {
            tree: "tree".into(),
            facing: start - place,
            key: Some(key),
            senses,
            ..AgentDesc::at(place)
        };
        hunt.world.spawn(hunt.pack, desc).expect("a new agent");
    }
    hunt.tick(start, Vec3::ZERO, DT);
    assert!(hunt.world.knowledge(hunt.pack).expect("the squad").target().is_some(), "it is seen");
    hunt.world.set_walls(walls.clone());
    (hunt, walls, Walker { at: start, heading: seed as f32 }, dice)
}

#[test]
fn it_holds_the_truth_and_is_no_faster_than_the_target() {
    let (mut beliefs, mut cleared) = (0, 0);
    for seed in 0..192 {
        let (mut hunt, walls, mut walker, mut dice) = hunt(seed);
        let mut before: Option<(u64, Vec<Vec3>)> = None;
        let dt = [1.0 / 60.0, 1.0 / 30.0, 1.0 / 144.0][seed as usize % 3];
        while hunt.world.now() < 5.0 {
            let velocity = walker.step(&walls, &mut dice, dt as f32);
            hunt.tick(walker.at, velocity, dt);
            let Some(belief) = hunt.world.belief(hunt.pack) else {
                before = None;
                continue;
            };
            beliefs += 1;
            let now = (hunt.world.now() * 1e9).round() as u64;
            assert!(
                belief.may_be_at(walker.at),
                "seed {seed} at {:.2} s: it is at {}, {:.2} m from where it was seen, {:.2} s ago",
                hunt.world.now(),
                walker.at,
                walker.at.distance(belief.origin()),
                (now - belief.seen_at()) as f64 * 1e-9,
            );
            // As far as it can have got until the belief spreads on, and what the lattice adds.
            let seconds = (now - belief.seen_at()) as f32 * 1e-9 + belief.cell() / TOP + dt as f32;
            let reach = TOP * seconds + 2.3 * belief.cell();
            let places: Vec<Vec3> = belief.places().map(|(place, _)| place).collect();
            let farthest = places.iter().map(|place| place.distance(belief.origin())).fold(0.0, f32::max);
            assert!(farthest <= reach, "seed {seed}: {farthest} m, {reach} m can be");
            let sum: f32 = belief.places().map(|(_, likelihood)| likelihood).sum();
            assert!(sum <= 1.001, "seed {seed}: {sum}");
            if let Some((seen_at, old)) = &before
                && *seen_at == belief.seen_at()
            {
                // One place further in a step, and no step in less than the target takes to the next place.
                let near = |place: &Vec3| old.iter().any(|old| old.distance(*place) <= 2.9 * belief.cell());
                assert!(places.iter().all(near), "seed {seed}: it jumps");
                cleared += usize::from(old.iter().any(|old| !places.contains(old)));
            }
            before = Some((belief.seen_at(), places));
        }
    }
    assert!(beliefs > 500, "{beliefs} ticks with a belief");
    assert!(cleared > 8, "members clear what they see: {cleared}");
}

/// The same squad with the target in two places that nobody sees: nothing of it can be felt.
#[test]
fn nothing_but_the_belief_is_read() {
    let run = |hidden: Vec3| {
        let (mut hunt, ..) = hunt(7);
        for _ in 0..240 {
            hunt.tick(hidden, vec3(1.0, 0.0, 0.0), DT);
        }
        hunt.places()
    };
    assert_eq!(run(vec3(400.0, 0.0, 0.0)), run(vec3(0.0, 0.0, -900.0)));
}

#[test]
fn each_member_has_a_part_of_its_own() {
    let (mut hunt, ..) = hunt(3);
    let (mut closest, mut asked) = (f32::MAX, 0);
    for _ in 0..270 {
        hunt.tick(vec3(400.0, 0.0, 0.0), Vec3::ZERO, DT);
        let Some(belief) = hunt.world.belief(hunt.pack) else { continue };
        assert_eq!(belief.leases().len(), 5, "one each");
        for (at, lease) in belief.leases().iter().enumerate() {
            for other in &belief.leases()[at + 1..] {
                let apart = math::wrap_angle(lease.angle - other.angle).abs();
                assert!(apart > std::f32::consts::TAU / 5.0 - 1e-3, "two sectors {apart} rad apart");
            }
        }
        let goals: Vec<Vec3> = belief.leases().iter().filter_map(|lease| belief.goal_of(lease.key)).collect();
        for (at, goal) in goals.iter().enumerate() {
            for other in &goals[at + 1..] {
                closest = closest.min(goal.distance(*other));
                asked += 1;
            }
        }
    }
    assert!(asked > 100 && closest > 0.9, "{closest} m between two goals, {asked} looked at");
}

/// Somebody who hides round a corner is found, as he is not by those who stand where they lost him.
#[test]
fn it_finds_whom_the_plain_search_does_not() {
    let found = |spread: bool| {
        let tree = Spec::new("guard")
            .when(Spec::new("remembers_target").set("within", 12.0))
            .with(Spec::new("search").set("spread", spread));
        let members = keyed((0..6).map(|i| vec3(-12.0, 0.0, i as f32 * 1.5 - 4.0)));
        let mut hunt = squad_at(&tree, 5, &members, vec3(2.0, 0.0, 0.0));
        hunt.tick(vec3(2.0, 0.0, 0.0), Vec3::ZERO, DT);
        // It walks along behind a long wall that stands between them from now on, and hides at its end.
        let wall = Wall::segment(vec3(1.0, 0.0, -14.0), vec3(1.0, 0.0, 6.0)).expect("a wall");
        let side = Wall::segment(vec3(1.0, 0.0, -14.0), vec3(12.0, 0.0, -14.0)).expect("a wall");
        hunt.world.set_walls(Walls::new(vec![wall, side]));
        for tick in 0..600 {
            hunt.tick(vec3(2.0, 0.0, -(tick as f32 / 60.0 * 4.0).min(12.0)), Vec3::ZERO, DT);
            if hunt.world.knowledge(hunt.pack).expect("the squad").target().is_some_and(|track| track.in_view)
                && tick > 30
            {
                return true;
            }
        }
        false
    };
    assert!(found(true));
    assert!(!found(false));
}

#[test]
fn a_snapshot_has_it() {
    let (mut hunt, walls, ..) = hunt(11);
    for _ in 0..40 {
        hunt.tick(vec3(300.0, 0.0, 0.0), Vec3::ZERO, DT);
    }
    let belief = hunt.world.belief(hunt.pack).expect("they search");
    assert!(belief.places().count() > 5 && belief.leases().iter().any(|lease| lease.goal.is_some()));
    let bytes = hunt.world.snapshot().to_bytes().expect("it can be encoded");
    let mut again = World::new(warband::Config { seed: 11, ..warband::Config::default() });
    again.add_tree("tree", &search()).expect("the tree is right");
    again.set_walls(walls);
    again.restore(&warband::Snapshot::from_bytes(&bytes).expect("the bytes are good")).expect("it is good");
    for _ in 0..90 {
        hunt.tick(vec3(300.0, 0.0, 0.0), Vec3::ZERO, DT);
        again.set_actor(hunt.player, vec3(300.0, 0.0, 0.0), Vec3::ZERO);
        again.tick(DT);
        assert_eq!(hunt.world.digest(), again.digest());
    }
}

#[test]
fn the_order_of_spawning_cannot_be_felt() {
    let run = |order: [u32; 4]| {
        let mut hunt = squad_at(&search(), 2, &[], Vec3::ZERO);
        for key in order {
            let place = vec3(-8.0, 0.0, key as f32 * 2.0 - 3.0);
            let desc = AgentDesc { tree: "tree".into(), key: Some(key), ..AgentDesc::at(place) };
            hunt.world.spawn(hunt.pack, desc).expect("a new agent");
        }
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
        for _ in 0..240 {
            hunt.tick(vec3(300.0, 0.0, 0.0), Vec3::ZERO, DT);
        }
        hunt.world.digest()
    };
    assert_eq!(run([0, 1, 2, 3]), run([3, 1, 0, 2]));
}

#[test]
fn a_steady_search_allocates_nothing() {
    let (mut hunt, ..) = hunt(13);
    for _ in 0..120 {
        hunt.tick(vec3(300.0, 0.0, 0.0), Vec3::ZERO, DT);
    }
    let allocations = counting::allocations(|| {
        for _ in 0..60 {
            hunt.tick(vec3(300.0, 0.0, 0.0), Vec3::ZERO, DT);
        }
    });
    assert_eq!(allocations, 0);
}
