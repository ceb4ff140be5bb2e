//! A post for a whole squad. The field reports of kinds S, P and T stand in `tests/field`.

use warband::{AgentDesc, Config, Spec, SquadDesc, World, vec3};

const DT: f64 = 1.0 / 60.0;

/// A route of one waypoint for six: they stand round it, and stand still.
#[test]
fn one_waypoint_is_a_post_for_a_whole_squad() {
    let tree = Spec::new("patrol");
    let mut world = World::new(Config::default());
    world.add_tree("patrol", &tree).expect("the tree is right");
    let desc = SquadDesc { name: "guards".into(), route: vec![vec3(5.0, 0.0, 5.0)], ..SquadDesc::default() };
    let squad = world.add_squad(desc).expect("a new squad");
    for i in 0..6 {
        let desc =
            AgentDesc { tree: "patrol".into(), ..AgentDesc::at(vec3(-5.0 - i as f32 * 2.0, 0.0, 0.0)) };
        world.spawn(squad, desc).expect("a new agent");
    }
    for _ in 0..1800 {
        world.tick(DT);
    }
    assert!(world.outputs().all(|out| out.velocity.length() <= 0.05), "all stand");
    assert!(world.outputs().all(|out| out.position.distance(vec3(5.0, 0.0, 5.0)) < 5.0));
}
