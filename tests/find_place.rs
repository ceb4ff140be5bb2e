//! The node `find_place`: what it finds, and what it says when there is nothing.

use warband::error::Error;
use warband::space::{Wall, Walls};
use warband::{
    ActorDesc, ActorId, AgentDesc, AgentId, BoardOf, Config, Key, KeyDecl, Scope, Spec, SquadDesc, ValueType,
    Vec3, World, vec3,
};

const DT: f64 = 1.0 / 60.0;

struct Yard {
    world: World,
    player: ActorId,
    agent: AgentId,
    spot: Key<Vec3>,
}

/// A wolf at (-8, 0) and a mate at (-8, 2), both in view of the player at (0, 0); a wall stands to the north.
fn yard(tree: &Spec) -> Yard {
    let mut world = World::new(Config::default());
    world.set_walls(Walls::new(vec![
        Wall::segment(vec3(-9.0, 0.0, 5.0), vec3(9.0, 0.0, 5.0)).expect("a wall"),
    ]));
    let spot = KeyDecl::new("spot", Scope::Agent, ValueType::Vec3);
    world.declare(spot).expect("new");
    world.add_tree("wolf", tree).expect("right");
    let player = world.add_actor(ActorDesc { faction: "hero".into(), ..ActorDesc::at(Vec3::ZERO) });
    let squad = SquadDesc { name: "wolves".into(), faction: "wolves".into(), ..SquadDesc::default() };
    let squad = world.add_squad(squad).expect("new");
    let mut wolf = |z: f32| {
        let facing = vec3(1.0, 0.0, 0.0);
        world
            .spawn(squad, AgentDesc { tree: "wolf".into(), facing, ..AgentDesc::at(vec3(-8.0, 0.0, z)) })
            .expect("new")
    };
    let (agent, _) = (wolf(0.0), wolf(2.0));
    let spot = world.key("spot").expect("declared");
    Yard { world, player, agent, spot }
}

fn look(outer: f64) -> Spec {
    Spec::new("find_place").set("into", "spot").set("around", "target").set("outer", outer)
}

impl Yard {
    fn spot(&mut self, ticks: usize) -> Option<Vec3> {
        (0..ticks).for_each(|_| self.world.tick(DT));
        self.world.get(BoardOf::Agent(self.agent), self.spot).expect("its key")
    }
}

#[test]
fn cover_is_where_the_player_does_not_see() {
    let mut yard = yard(&look(12.0).set("hidden_from", "target"));
    let spot = yard.spot(3).expect("there is cover");
    assert!(spot.z > 5.4, "behind the wall, and a body's radius from it: {spot}");
    let me = yard.world.position(yard.agent.entity()).expect("alive");
    let nearest = spot.distance(me);
    assert!(nearest < 9.0, "the nearest of them: {nearest} m");
}

#[test]
fn in_view_and_away_from_mates() {
    let mut yard =
        yard(&look(12.0).set("inner", 6.0).set("visible_from", "target").set("away_from_mates", 4.0));
    let spot = yard.spot(3).expect("there is room");
    assert!(spot.z < 5.0 && spot.length() >= 5.9 && spot.distance(vec3(-8.0, 0.0, 2.0)) >= 4.0, "{spot}");
}

#[test]
fn without_a_target_nothing_is_found_and_the_key_stays() {
    let mut yard = yard(
        &Spec::new("sequence")
            .with(look(5.0))
            .with(Spec::new("set").set("key", "spot").set("to", vec3(9.0, 9.0, 9.0))),
    );
    yard.world.remove(yard.player);
    assert_eq!(yard.spot(5), None);
}

#[test]
fn far_and_near_decide() {
    let home =
        || Spec::new("find_place").set("into", "spot").set("around", vec3(20.0, 0.0, 0.0)).set("outer", 5.0);
    let near = yard(&home()).spot(2).expect("free ground");
    let far = yard(&home().set("far", "home")).spot(2).expect("free ground");
    assert!(near.x < 16.0 && far.x > 24.0, "{near} {far}");
}

#[test]
fn rings_that_are_none_are_refused_with_their_place() {
    let mut world = World::new(Config::default());
    world.declare(KeyDecl::new("spot", Scope::Agent, ValueType::Vec3)).expect("new");
    let refused =
        |world: &mut World, spec: &Spec| -> Error { world.add_tree("wolf", spec).expect_err("refused") };
    let fault = refused(&mut world, &look(2.0).set("inner", 3.0));
    assert_eq!(fault.message(), "'outer' must be 3 to 100000 m, got 2");
    let moon = Spec::new("find_place").set("into", "spot").set("around", "moon").set("outer", 2.0);
    assert!(refused(&mut world, &moon).message().contains("'moon' is no place"));
    assert!(refused(&mut world, &look(2.0).set("points", 5000.0)).message().contains("'points'"));
}
