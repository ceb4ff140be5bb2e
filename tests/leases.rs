//! Tokens that few may hold at once: given in the order of asking, returned however their holder ends.

mod common;

use common::{keyed, squad_at};
use warband::{AgentDesc, Spec, SquadDesc, Vec3, World, vec3};

const DT: f64 = 1.0 / 60.0;

fn wait(seconds: f64) -> Spec {
    Spec::new("wait").set("seconds", seconds)
}

fn holders(world: &World) -> Vec<u32> {
    let squad = world.squads().next().expect("a squad");
    world.token(squad, "melee").map_or(Vec::new(), |token| token.holders().collect())
}

fn queue(world: &World) -> Vec<u32> {
    let squad = world.squads().next().expect("a squad");
    world.token(squad, "melee").map_or(Vec::new(), |token| token.queue().collect())
}

fn lease(child: Spec) -> Spec {
    Spec::new("lease").set("token", "melee").set("capacity", 2).with(child)
}

fn pack(tree: &Spec, count: u32) -> common::Hunt {
    squad_at(tree, 1, &keyed((0..count).map(|at| vec3(-20.0, 0.0, at as f32 * 2.0))), Vec3::ZERO)
}

#[test]
fn two_hold_it_and_who_is_refused_fails_at_once() {
    let mut hunt = pack(
        &Spec::new("selector")
            .with(lease(wait(1.0)))
            .with(Spec::new("mode").set("name", "refused").with(wait(9.0))),
        4,
    );
    hunt.world.tick(DT);
    assert_eq!(holders(&hunt.world), [0, 1], "in the order of keys");
    let refused: Vec<_> =
        hunt.world.outputs().filter(|out| out.mode == "refused").map(|out| out.key).collect();
    assert_eq!(refused, [2, 3]);
    for _ in 0..61 {
        hunt.world.tick(DT);
    }
    assert!(!holders(&hunt.world).is_empty(), "a finished tree starts afresh and takes it again");
}

#[test]
fn a_queue_is_served_in_the_order_of_asking_and_nobody_starves() {
    let tree = lease(wait(0.5)).set("wait", true);
    let mut hunt = pack(&tree, 6);
    let mut turns = vec![0; 6];
    let mut before: Vec<u32> = Vec::new();
    for _ in 0..600 {
        hunt.world.tick(DT);
        let now = holders(&hunt.world);
        assert!(now.len() <= 2, "{now:?}");
        now.iter().filter(|key| !before.contains(key)).for_each(|key| turns[*key as usize] += 1);
        before = now;
    }
    let (least, most) = (turns.iter().min().expect("six"), turns.iter().max().expect("six"));
    assert!(most - least <= 1, "all have their turn: {turns:?}");
    assert!(*least >= 5, "{turns:?}");
}

#[test]
fn a_long_holder_gives_way_to_who_waits_and_keeps_it_while_nobody_does() {
    let tree = Spec::new("lease")
        .set("token", "melee")
        .set("capacity", 1)
        .set("wait", true)
        .set("hold", 0.5)
        .with(wait(100.0));
    let mut hunt = pack(&tree, 1);
    for _ in 0..120 {
        hunt.world.tick(DT);
    }
    assert_eq!(holders(&hunt.world), [0], "nobody waits");
    let squad = hunt.pack;
    let late = AgentDesc { tree: "tree".into(), key: Some(5), ..AgentDesc::at(vec3(0.0, 0.0, 40.0)) };
    hunt.world.spawn(squad, late).expect("new");
    for _ in 0..3 {
        hunt.world.tick(DT);
    }
    assert_eq!(holders(&hunt.world), [5]);
    assert_eq!(queue(&hunt.world), [0]);
}

#[test]
fn it_is_returned_on_death_abort_halt_and_swap() {
    let guarded = |child: Spec| Spec::new("guard").when(Spec::new("sees_target")).with(child);
    for end in ["death", "abort", "halt", "other tree", "changed tree", "unchanged tree"] {
        let mut hunt = pack(&guarded(lease(wait(100.0))), 2);
        hunt.world.add_tree("other", &wait(5.0)).expect("right");
        hunt.world.tick(DT);
        assert_eq!(holders(&hunt.world), [0, 1], "{end}");
        let first = hunt.world.members(hunt.pack).next().expect("a member");
        match end {
            "death" => hunt.world.remove(first),
            "abort" => hunt.world.remove(hunt.player),
            "halt" => hunt.world.halt(first),
            "other tree" => hunt.world.set_tree(first, "other").expect("a tree"),
            "changed tree" => hunt.world.add_tree("tree", &guarded(wait(3.0))).expect("right"),
            _ => hunt.world.add_tree("tree", &guarded(lease(wait(100.0)))).expect("right"),
        }
        if end == "abort" {
            hunt.world.tick(DT);
        }
        let left: &[u32] = match end {
            "abort" | "changed tree" => &[],
            "unchanged tree" => &[0, 1],
            _ => &[1],
        };
        assert_eq!(holders(&hunt.world), left, "{end}");
    }
}

#[test]
fn a_squad_offers_tokens_and_what_nobody_offers_is_held_by_one() {
    let mut hunt = pack(&Spec::new("lease").set("token", "melee").with(wait(1.0)), 2);
    hunt.world.tick(DT);
    assert_eq!(holders(&hunt.world), [0]);
    let mut world = World::new(warband::Config::default());
    world.add_tree("tree", &Spec::new("lease").set("token", "melee").with(wait(1.0))).expect("right");
    let desc = SquadDesc { name: "pack".into(), tokens: vec![("melee".into(), 2)], ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("new");
    for at in 0..3 {
        let place = vec3(at as f32 * 2.0, 0.0, 0.0);
        world.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::at(place) }).expect("new");
    }
    world.tick(DT);
    assert_eq!(holders(&world), [0, 1]);
}

/// The shipped siege: the ring holds, two at a time attack, and everybody gets a turn.
#[cfg(feature = "lua")]
#[test]
fn in_a_siege_two_at_a_time_leave_the_ring() {
    let mut world = World::new(warband::Config::default());
    world.load(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/siege.lua")).expect("a shipped script is right");
    let player = world.add_actor(warband::ActorDesc::at(Vec3::ZERO));
    let squad = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("new");
    for at in 0..8 {
        let place = vec3(-20.0, 0.0, at as f32 * 1.5 - 5.0);
        world.spawn(squad, AgentDesc { tree: "siege".into(), ..AgentDesc::at(place) }).expect("new");
    }
    let mut attacked = std::collections::BTreeSet::new();
    let mut together = 0;
    for tick in 0..3600 {
        world.set_actor(player, Vec3::ZERO, Vec3::ZERO);
        world.tick(DT);
        let direct: Vec<u32> =
            world.outputs().filter(|out| out.mode == "direct").map(|out| out.key).collect();
        assert!(direct.len() <= 2, "tick {tick}: {direct:?}");
        together = together.max(direct.len());
        attacked.extend(direct);
    }
    assert_eq!(attacked.len(), 8, "everybody had a turn: {attacked:?}");
    assert_eq!(together, 2);
    let ring = world.ring(squad).expect("the squad").radius();
    assert!((ring - 6.0).abs() < 0.1, "the ring holds at 6 m: {ring}");
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
}

#[test]
fn two_nodes_of_one_member_wait_in_one_place_until_both_have_left() {
    let on = |key: &str| Spec::new("guard").when(Spec::new("has_value").set("key", key));
    let half = |key: &str| {
        let lease = Spec::new("lease").set("token", "melee").set("wait", true).with(wait(99.0));
        Spec::new("reactive_selector").with(on(key).with(lease)).with(wait(999.0))
    };
    let mut hunt = pack(&wait(1.0), 3);
    for key in ["one", "two"] {
        let decl = warband::KeyDecl::new(key, warband::Scope::Agent, warband::ValueType::Bool);
        hunt.world.declare(decl).expect("legal");
    }
    let tree = Spec::new("parallel").with(half("one")).with(half("two"));
    hunt.world.add_tree("tree", &tree).expect("right");
    let members: Vec<_> = hunt.world.members(hunt.pack).collect();
    let mut switch = |member: usize, key: &str, on: bool| {
        hunt.world.set_value(warband::BoardOf::Agent(members[member]), key, on).expect("right");
        hunt.world.tick(DT);
        hunt.world.tick(DT);
        (holders(&hunt.world), queue(&hunt.world))
    };
    switch(0, "one", true);
    switch(1, "one", true);
    switch(1, "two", true);
    assert_eq!(switch(2, "one", true), (vec![0], vec![1, 2]));
    assert_eq!(switch(1, "one", false), (vec![0], vec![1, 2]), "the other node of it still waits");
    assert_eq!(switch(0, "one", false), (vec![1], vec![2]));
    assert_eq!(switch(1, "one", true), (vec![1], vec![2]), "and takes no second place");
    assert_eq!(switch(1, "two", false), (vec![1], vec![2]));
    assert_eq!(switch(1, "one", false), (vec![2], vec![]));
}
