//! How agents perceive: awareness that builds up, extents, low walls, noises, hits, factions, many targets, and how many
//! lines of sight that takes.

mod common;

use common::{Hunt, squad_at};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use warband::{
    ActorDesc, AgentDesc, AgentId, Attitude, Awareness, Config, EventKind, LineOfSight, Senses, Spec,
    SquadDesc, Vec3, Wall, Walls, World, math, vec3,
};

const DT: f64 = 1.0 / 60.0;

/// A watcher at the origin that looks along +x, and a player.
fn watcher(senses: Senses, player: Vec3) -> (Hunt, AgentId) {
    let mut hunt = squad_at(&Spec::new("wait").set("seconds", 1e6), 1, &[], player);
    let desc = AgentDesc { tree: "tree".into(), senses, ..AgentDesc::at(Vec3::ZERO) };
    let agent = hunt.world.spawn(hunt.pack, desc).expect("a new agent");
    (hunt, agent)
}

fn slow(seconds: f32) -> Senses {
    Senses { awareness: Awareness { seconds, ..Awareness::default() }, ..Senses::default() }
}

fn known(hunt: &Hunt) -> bool {
    hunt.world.knowledge(hunt.pack).is_some_and(|knowledge| !knowledge.tracks().is_empty())
}

/// When the squad has it in view, s.
fn seen_after(senses: Senses, player: Vec3, light: f32, dt: f64) -> f64 {
    let (mut hunt, _) = watcher(senses, player);
    hunt.world.set_light(hunt.player, light);
    while hunt.world.now() < 30.0 {
        hunt.tick(player, Vec3::ZERO, dt);
        let knowledge = hunt.world.knowledge(hunt.pack).expect("the squad");
        if knowledge.target().is_some_and(|track| track.in_view) {
            return hunt.world.now();
        }
    }
    f64::INFINITY
}

#[test]
fn awareness_takes_the_time_that_its_formula_says_at_any_rate() {
    let senses = Senses { range: 42.5, lose_range: 45.0, ..slow(1.5) };
    for (player, light) in [
        (vec3(3.0, 0.0, 0.0), 1.0),
        (vec3(22.5, 0.0, 0.0), 1.0),
        (vec3(40.0, 0.0, 0.0), 1.0),
        (math::direction(0.9) * 20.0, 1.0),
        (vec3(10.0, 0.0, 0.0), 0.4),
    ] {
        let far = (player.length() - 2.5) / 40.0;
        // 0.5 is the cosine at the edge of 120°; the player's edge, half a metre to the middle, is what counts.
        let off = math::angle_of(player) - libm::asinf(0.5 / player.length());
        let aside = if off <= 0.0 { 0.0 } else { (1.0 - libm::cosf(off)) / 0.5 };
        let wanted = f64::from(senses.awareness.seconds_until_sure(far, aside, light));
        for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0] {
            let after = seen_after(senses, player, light, dt);
            assert!((after - wanted).abs() <= dt + 0.02 * wanted, "{player}: {after} s, {wanted} s at {dt}");
        }
    }
    assert_eq!(seen_after(senses, vec3(10.0, 0.0, 0.0), 0.0, DT), f64::INFINITY, "never in the dark");
    assert!(seen_after(senses, vec3(2.0, 0.0, 0.0), 0.0, DT) < 1.6, "but what stands before one");
    assert!(seen_after(Senses::default(), vec3(38.0, 0.0, 0.0), 0.0, DT) <= DT + 1e-9, "off by default");
}

#[test]
fn a_suspicion_comes_first_and_fades() {
    let place = vec3(10.0, 0.0, 0.0);
    let (mut hunt, agent) = watcher(slow(2.0), place);
    let (mut noticed, mut glimpsed) = (0, 0);
    let mut last = 0.0;
    while hunt.world.awareness(agent, hunt.player) < 0.8 {
        hunt.tick(place, Vec3::ZERO, DT);
        let now = hunt.world.awareness(agent, hunt.player);
        assert!(now >= last, "it grows");
        last = now;
        noticed += hunt.world.events().iter().filter(|event| event.kind.name() == "noticed").count();
        for event in hunt.world.events() {
            if let EventKind::Gained { how, .. } = event.kind {
                assert_eq!(how.name(), "glimpse");
                assert!(now >= 0.5, "at {now}");
                glimpsed += 1;
            }
        }
        assert!(hunt.world.now() < 10.0);
    }
    assert_eq!((noticed, glimpsed), (1, 1), "each once");
    let track = hunt.world.knowledge(hunt.pack).expect("the squad").target().cloned().expect("a glimpse");
    assert!(!track.in_view && (track.awareness - last).abs() < 1e-6);
    // Away: 4 s from sure to nothing.
    let before = hunt.world.now();
    while hunt.world.awareness(agent, hunt.player) > 0.0 {
        hunt.tick(vec3(-300.0, 0.0, 0.0), Vec3::ZERO, DT);
    }
    let faded = hunt.world.now() - before;
    assert!((faded - 4.0 * f64::from(last)).abs() < 0.05, "{faded} s from {last}");
    let track = hunt.world.knowledge(hunt.pack).expect("the squad").target().cloned();
    assert!(track.is_none_or(|track| track.position == place), "what is not seen is where it was");
}

#[test]
fn the_edges_of_a_body_count() {
    let seen = |extent: f32, player: Vec3, wall: Option<Wall>| {
        let (mut hunt, _) = watcher(Senses { extent, near: 0.5, ..Senses::default() }, player);
        hunt.world.set_walls(Walls::new(wall.into_iter().collect()));
        hunt.tick(player, Vec3::ZERO, DT);
        known(&hunt)
    };
    let pillar = || Some(Wall::circle(vec3(5.0, 0.0, 0.0), 0.2).expect("a pillar"));
    assert!(seen(1.0, vec3(10.0, 0.0, 0.0), pillar()), "both shoulders show");
    assert!(!seen(0.0, vec3(10.0, 0.0, 0.0), pillar()), "its middle does not");
    let wide = Wall::circle(vec3(5.0, 0.0, 0.0), 0.6).expect("a pillar");
    assert!(!seen(1.0, vec3(10.0, 0.0, 0.0), Some(wide)));
    // One degree and a half outside of 60°, 10 m off: half a metre is 2.9°.
    let aside = math::direction(61.5_f32.to_radians()) * 10.0;
    assert!(seen(1.0, aside, None) && !seen(0.0, aside, None));
    assert!(!seen(1.0, math::direction(63.5_f32.to_radians()) * 10.0, None));
    // To one side is like to the other.
    for degrees in 0..90 {
        let to = |sign: f32| math::direction(sign * (degrees as f32 + 0.25).to_radians()) * 8.0;
        assert_eq!(seen(1.0, to(1.0), None), seen(1.0, to(-1.0), None), "{degrees}");
    }
}

#[test]
fn whoever_crouches_is_hidden_by_a_low_wall() {
    let place = vec3(10.0, 0.0, 0.0);
    let (mut hunt, agent) = watcher(Senses::default(), place);
    let wall = |high: f32| {
        let wall =
            Wall::segment(vec3(9.0, 0.0, -9.0), vec3(9.0, 0.0, 9.0)).and_then(|wall| wall.height(0.0, high));
        Walls::new(vec![wall.expect("a wall")])
    };
    hunt.world.set_walls(wall(1.0));
    hunt.world.set_eyes(hunt.player, 0.7);
    (0..60).for_each(|_| hunt.tick(place, Vec3::ZERO, DT));
    assert!(!known(&hunt), "it crouches");
    hunt.world.set_eyes(hunt.player, 1.6);
    hunt.tick(place, Vec3::ZERO, DT);
    assert!(known(&hunt), "it stands up");
    // The watcher crouches behind it: it sees no more.
    hunt.world.set_walls(wall(1.3));
    hunt.world.set_eyes(agent, 0.7);
    hunt.world.set_eyes(hunt.player, 1.2);
    (0..400).for_each(|_| hunt.tick(place, Vec3::ZERO, DT));
    assert!(!known(&hunt));
    hunt.world.set_eyes(hunt.player, -1.0);
    assert_eq!(hunt.world.all_problems().len(), 1, "a height below 0 is told and left out");
}

#[test]
fn a_noise_carries_half_as_far_through_each_wall() {
    let heard = |walls: usize, muffles: f32, distance: f32| {
        let mut world = World::new(Config { wall_muffles: muffles, ..Config::default() });
        let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
        world.spawn(squad, AgentDesc { facing: -Vec3::X, ..AgentDesc::at(Vec3::ZERO) }).expect("a new agent");
        let player = world.add_actor(ActorDesc::at(Vec3::X * distance));
        let wall = |at: usize| {
            let x = 1.0 + at as f32 * 0.5;
            Wall::segment(vec3(x, 0.0, -50.0), vec3(x, 0.0, 50.0)).expect("a wall")
        };
        world.set_walls(Walls::new((0..walls).map(wall).collect()));
        world.noise(Vec3::X * distance, 20.0, player.entity());
        world.tick(DT);
        world
            .knowledge(squad)
            .is_some_and(|knowledge| knowledge.target().is_some_and(|track| track.how.name() == "noise"))
    };
    assert!(heard(0, 0.5, 19.9) && !heard(0, 0.5, 20.1));
    assert!(heard(1, 0.5, 9.9) && !heard(1, 0.5, 10.1));
    assert!(heard(2, 0.5, 4.9) && !heard(2, 0.5, 5.1));
    assert!(heard(2, 1.0, 19.9), "walls that do not count");
    assert!(!heard(1, 0.0, 3.0), "nothing through walls");
}

#[test]
fn a_hit_is_known_from_any_side_and_friends_are_forgiven() {
    let behind = vec3(-20.0, 0.0, 0.0);
    let (mut hunt, agent) = watcher(Senses::default(), behind);
    let friend = hunt.world.spawn(hunt.pack, AgentDesc::at(vec3(-5.0, 0.0, 0.0))).expect("a new agent");
    hunt.world.hit(agent, friend.entity(), vec3(-5.0, 0.0, 0.0));
    hunt.tick(behind, Vec3::ZERO, DT);
    assert!(!known(&hunt), "a friend");
    hunt.world.hit(agent, hunt.player.entity(), behind);
    hunt.tick(behind, Vec3::ZERO, DT);
    let track = hunt.world.knowledge(hunt.pack).expect("the squad").target().cloned().expect("it is known");
    assert_eq!((track.how.name(), track.position, track.source(agent.entity())), ("hit", behind, "hit"));
    assert!(!track.in_view);
}

#[test]
fn factions_regard_each_other_as_the_game_says() {
    let place = vec3(5.0, 0.0, 0.0);
    let (mut hunt, _) = watcher(Senses::default(), place);
    assert_eq!(hunt.world.attitude("wolves", "hero"), Attitude::Hostile);
    hunt.world.set_attitude("wolves", "hero", Attitude::Neutral).expect("there is room");
    hunt.tick(place, Vec3::ZERO, DT);
    assert!(!known(&hunt), "left alone");
    hunt.world.noise(place, 50.0, hunt.player.entity());
    hunt.tick(place, Vec3::ZERO, DT);
    assert!(!known(&hunt), "what it does is of no matter");
    hunt.world.set_attitude("wolves", "hero", Attitude::Hostile).expect("there is room");
    hunt.tick(place, Vec3::ZERO, DT);
    assert!(known(&hunt), "an enemy at once");
    hunt.world.set_attitude("wolves", "hero", Attitude::Friendly).expect("there is room");
    hunt.tick(place, Vec3::ZERO, DT);
    assert!(!known(&hunt), "and a friend at once");
    assert_eq!(hunt.world.attitude("hero", "wolves"), Attitude::Hostile, "it is not mutual");
    assert_eq!(hunt.world.attitude("wolves", "wolves"), Attitude::Friendly);
}

#[test]
fn a_squad_turns_to_a_clearly_better_target_after_a_while() {
    let (mut hunt, _) = watcher(Senses { angle: 360.0, ..Senses::default() }, vec3(20.0, 0.0, 0.0));
    let target =
        |hunt: &Hunt| hunt.world.knowledge(hunt.pack).and_then(|k| k.target().map(|track| track.target));
    hunt.tick(vec3(20.0, 0.0, 0.0), Vec3::ZERO, DT);
    let first = hunt.player.entity();
    assert_eq!(target(&hunt), Some(first));
    let other = hunt.world.add_actor(ActorDesc::at(vec3(0.0, 0.0, 17.0)));
    for _ in 0..240 {
        hunt.tick(vec3(20.0, 0.0, 0.0), Vec3::ZERO, DT);
        assert_eq!(target(&hunt), Some(first), "not clearly better");
    }
    hunt.world.set_actor(other, vec3(0.0, 0.0, 5.0), Vec3::ZERO);
    hunt.tick(vec3(20.0, 0.0, 0.0), Vec3::ZERO, DT);
    assert_eq!(target(&hunt), Some(other.entity()), "clearly better, and long enough");
    hunt.world.set_actor(other, vec3(0.0, 0.0, 20.0), Vec3::ZERO);
    for tick in 0..240 {
        hunt.tick(vec3(5.0, 0.0, 0.0), Vec3::ZERO, DT);
        let turned = target(&hunt) == Some(first);
        assert_eq!(turned, tick >= 118 + 1 || turned && tick >= 117, "2 s, at tick {tick}");
    }
    hunt.world.prefer_target(hunt.pack, Some(other.entity()));
    hunt.tick(vec3(5.0, 0.0, 0.0), Vec3::ZERO, DT);
    assert_eq!(target(&hunt), Some(other.entity()), "whatever the scores");
}

/// Counts the lines that are asked for.
struct Counting(Arc<AtomicU64>);

impl LineOfSight for Counting {
    fn clear(&self, _: Vec3, _: Vec3) -> bool {
        self.0.fetch_add(1, Relaxed);
        true
    }
}

/// 500 observers in five squads, and 20 targets, on a lattice of so many metres.
fn crowd(apart: f32) -> (World, Vec<AgentId>) {
    let mut world = World::new(Config::default());
    let mut agents = Vec::new();
    for squad in 0..5 {
        let desc = SquadDesc { name: format!("squad {squad}"), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        for _ in 0..100 {
            let at = agents.len() as f32;
            let place = vec3((at % 25.0) * apart, 0.0, (at / 25.0).floor() * apart);
            agents.push(world.spawn(squad, AgentDesc::at(place)).expect("a new agent"));
        }
    }
    for at in 0..20 {
        world.add_actor(ActorDesc::at(vec3((at as f32 + 0.5) * apart, 0.0, (at as f32 + 0.5) * apart)));
    }
    (world, agents)
}

#[test]
fn lines_of_sight_are_few_and_spread_over_ticks() {
    let (mut world, _) = crowd(16.0);
    let count = Arc::new(AtomicU64::new(0));
    world.set_line_of_sight(Counting(count.clone()));
    (0..30).for_each(|_| world.tick(DT));
    let mut most = 0;
    for _ in 0..30 {
        let before = count.load(Relaxed);
        world.tick(DT);
        let asked = count.load(Relaxed) - before;
        assert_eq!(asked, world.sight_tests());
        most = most.max(asked);
    }
    // 10,000 pairs in ten turns; of a thousand only those within 40 m and a third of the circle: about one in forty.
    assert!(most > 0 && most <= 100, "{most} lines in a tick");
    // All in one place, everybody in range: a line for each pair that is looked at.
    let (mut world, _) = crowd(0.5);
    (0..30).for_each(|_| world.tick(DT));
    for _ in 0..30 {
        world.tick(DT);
        assert!(world.sight_tests() <= 1024 + 256, "{}", world.sight_tests());
    }
}

#[test]
fn what_is_in_view_stays_so_between_two_looks() {
    let (mut world, agents) = crowd(0.5);
    (0..20).for_each(|_| world.tick(DT));
    for _ in 0..60 {
        world.tick(DT);
        assert!(world.events().is_empty(), "nothing is lost and found again: {:?}", world.events());
    }
    assert!(world.exists(agents[0]));
}
