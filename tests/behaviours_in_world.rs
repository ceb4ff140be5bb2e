//! The behaviours as leaves of trees, in worlds with walls, leaders, doors and fields.

use warband::math::{Vec3, flat, vec3};
use warband::space::Walls;
use warband::steer::FlowField;
use warband::{
    ActorDesc, ActorId, AgentDesc, AgentId, Config, LineOfSight, Spec, SquadDesc, SquadId, Wall, World,
};

const DT: f64 = 1.0 / 60.0;

struct Stage {
    world: World,
    squad: SquadId,
}

impl Stage {
    fn new(walls: Vec<Wall>, trees: &[(&str, Spec)]) -> Stage {
        let mut world = World::new(Config::default());
        world.set_walls(Walls::new(walls));
        for (name, tree) in trees {
            world.add_tree(name, tree).unwrap_or_else(|error| panic!("{error}"));
        }
        let squad =
            world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a squad");
        Stage { world, squad }
    }

    fn agent(&mut self, tree: &str, at: Vec3) -> AgentId {
        let senses =
            warband::Senses { range: 90.0, lose_range: 90.0, angle: 360.0, ..warband::Senses::default() };
        self.world
            .spawn(self.squad, AgentDesc { tree: tree.into(), senses, ..AgentDesc::at(at) })
            .expect("an agent")
    }

    fn at(&self, agent: AgentId) -> Vec3 {
        self.world.outputs().find(|out| out.agent == agent).expect("it lives").position
    }

    fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / DT).round() as u32 {
            self.world.tick(DT);
        }
        assert!(self.world.all_problems().is_empty(), "{:?}", self.world.all_problems());
    }
}

fn pillar(x: f32, z: f32, radius: f32) -> Wall {
    Wall::circle(vec3(x, 0.0, z), radius).expect("a pillar")
}

fn box_at(x: f32, z: f32, half: f32) -> Wall {
    let corner = |a: f32, b: f32| vec3(x + a * half, 0.0, z + b * half);
    Wall::polygon(&[corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)])
        .expect("a box")
}

/// The body of 0.5 m at `place`, all of it, is out of view of `eye`.
fn is_hidden(walls: &[Wall], eye: Vec3, place: Vec3) -> bool {
    let walls = Walls::new(walls.to_vec());
    let way = flat(place - eye).normalize();
    let edge = vec3(-way.z, 0.0, way.x) * 0.45;
    [place, place + edge, place - edge].iter().all(|point| !walls.clear(eye, *point))
}

#[test]
fn hide_ends_out_of_view_each_in_a_place_of_its_own_and_moves_when_the_threat_comes_round() {
    let walls = vec![pillar(8.0, 3.0, 1.5), box_at(-4.0, 9.0, 1.5), pillar(2.0, -8.0, 1.2)];
    let mut stage = Stage::new(walls.clone(), &[("hide", Spec::new("hide"))]);
    let hunter: ActorId = stage.world.add_actor(ActorDesc::at(vec3(0.0, 0.0, 0.0)));
    let hidden: Vec<AgentId> =
        (0..3).map(|at| stage.agent("hide", vec3(5.0, 0.0, 4.0 + 1.5 * at as f32))).collect();
    stage.run(6.0);
    let rest: Vec<Vec3> = hidden.iter().map(|agent| stage.at(*agent)).collect();
    for place in &rest {
        assert!(is_hidden(&walls, Vec3::ZERO, *place), "{place} is in view");
    }
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        assert!(rest[a].distance(rest[b]) > 0.95, "two in one place");
    }
    stage.run(1.0);
    assert!(
        hidden.iter().zip(&rest).all(|(agent, place)| stage.at(*agent).distance(*place) < 0.05),
        "they wait there"
    );
    // The threat walks round and looks from behind.
    stage.world.set_actor(hunter, vec3(9.0, 0.0, -7.0), Vec3::ZERO);
    stage.run(8.0);
    let exposed =
        hidden.iter().filter(|agent| !is_hidden(&walls, vec3(9.0, 0.0, -7.0), stage.at(**agent))).count();
    assert_eq!(exposed, 0, "they hid anew");
}

#[test]
fn hide_fails_where_nothing_hides_and_the_next_branch_has_its_turn() {
    let tree = Spec::new("selector").with(Spec::new("hide")).with(Spec::new("evade"));
    let mut stage = Stage::new(vec![], &[("shy", tree)]);
    stage.world.add_actor(ActorDesc::at(vec3(3.0, 0.0, 0.0)));
    let shy = stage.agent("shy", Vec3::ZERO);
    stage.run(2.0);
    assert!(stage.at(shy).x < -4.0, "it fled: {}", stage.at(shy));
}

#[test]
fn a_wing_keeps_its_offset_from_the_leader_who_is_the_lowest_key_that_lives() {
    let wing = |z: f32| Spec::new("offset_pursuit").set("offset", vec3(-2.0, 0.0, z));
    let lead = Spec::new("arrive").set("to", vec3(60.0, 0.0, 0.0)).set("speed", 3.0);
    // The leader is no follower of itself: it goes on to the next branch.
    let both = |z: f32| Spec::new("selector").with(wing(z)).with(lead.clone());
    let mut stage = Stage::new(vec![], &[("a", both(2.0)), ("b", both(-2.0)), ("c", both(4.0))]);
    let [a, b, c] =
        [("a", 0.0), ("b", 6.0), ("c", -6.0)].map(|(tree, z)| stage.agent(tree, vec3(0.0, 0.0, z)));
    stage.run(8.0);
    let leader = stage.at(a);
    assert!(leader.x > 20.0);
    assert!(stage.at(b).distance(leader + vec3(-2.0, 0.0, -2.0)) < 0.25, "{} {leader}", stage.at(b));
    assert!(stage.at(c).distance(leader + vec3(-2.0, 0.0, 4.0)) < 0.25, "{} {leader}", stage.at(c));
    stage.world.remove(a);
    stage.run(6.0);
    let leader = stage.at(b);
    assert!(leader.x > 30.0, "the next one leads: {leader}");
    assert!(stage.at(c).distance(leader + vec3(-2.0, 0.0, 4.0)) < 0.25, "{} {leader}", stage.at(c));
}

#[test]
fn an_offset_is_kept_between_the_thoughts_of_those_who_think_seldom() {
    let mut stage = Stage::new(
        vec![],
        &[
            ("lead", Spec::new("arrive").set("to", vec3(60.0, 0.0, 0.0)).set("speed", 3.0)),
            ("wing", Spec::new("offset_pursuit").set("offset", vec3(-1.5, 0.0, 1.5))),
        ],
    );
    let lead = stage.agent("lead", Vec3::ZERO);
    let desc = AgentDesc { tree: "wing".into(), think_interval: 1.0, ..AgentDesc::at(vec3(-3.0, 0.0, 2.0)) };
    let wing = stage.world.spawn(stage.squad, desc).expect("an agent");
    stage.run(5.0);
    for _ in 0..90 {
        stage.run(DT);
        let off = stage.at(wing).distance(stage.at(lead) + vec3(-1.5, 0.0, 1.5));
        assert!(off < 0.2, "{off} m off between two thoughts");
    }
}

#[test]
fn a_leash_holds_a_chaser_and_lets_it_go_on_inside() {
    let chase = Spec::new("blend")
        .with(Spec::new("seek").set("to", "target").set("stop", 0.0))
        .with(Spec::new("containment").set("radius", 6.0));
    let mut stage = Stage::new(vec![], &[("dog", chase)]);
    let burglar = stage.world.add_actor(ActorDesc::at(vec3(20.0, 0.0, 0.0)));
    let dog = stage.agent("dog", Vec3::ZERO);
    for tick in 0..900 {
        let angle = tick as f32 * 0.01;
        stage.world.set_actor(burglar, vec3(angle.cos(), 0.0, angle.sin()) * 20.0, Vec3::ZERO);
        stage.run(DT);
        assert!(stage.at(dog).length() <= 6.0, "off the leash at {}", stage.at(dog));
    }
    assert!(stage.at(dog).length() > 4.5, "it runs along the edge, to the burglar's side");
    assert!(stage.at(dog).angle_between(vec3(9.0_f32.cos(), 0.0, 9.0_f32.sin())) < 0.8);
}

#[test]
fn an_outline_holds_too_and_a_region_without_a_size_is_told() {
    let yard = vec![vec3(-6.0, 0.0, -6.0), vec3(6.0, 0.0, -6.0), vec3(6.0, 0.0, 6.0), vec3(-6.0, 0.0, 6.0)];
    let tree =
        Spec::new("blend").with(Spec::new("wander")).with(Spec::new("containment").set("points", yard));
    let mut stage = Stage::new(vec![], &[("cow", tree)]);
    let cows: Vec<AgentId> = (0..4).map(|at| stage.agent("cow", vec3(at as f32, 0.0, 0.0))).collect();
    for _ in 0..1800 {
        stage.run(DT);
        assert!(cows.iter().all(|cow| stage.at(*cow).abs().max_element() <= 6.0));
    }
    let error = stage.world.add_tree("bad", &Spec::new("containment")).expect_err("it has no size");
    assert!(error.to_string().contains("a region needs a radius, a width or points"), "{error}");
}

#[test]
fn a_flow_field_of_the_world_leads_round_a_wall() {
    let wall = Wall::segment(vec3(0.0, 0.0, -8.0), vec3(0.0, 0.0, 8.0)).expect("a wall");
    let mut stage = Stage::new(vec![wall.clone()], &[("drop", Spec::new("flow_field").set("field", "sink"))]);
    let walls = Walls::new(vec![wall]);
    let free = |place: Vec3| !walls.overlaps(place, 0.6);
    let field =
        FlowField::towards(vec3(8.0, 0.0, 0.0), vec3(-12.0, 0.0, -12.0), vec3(12.0, 0.0, 12.0), 0.5, free)
            .expect("a field");
    stage.world.set_flow_field("sink", field);
    let drops: Vec<AgentId> =
        (0..5).map(|at| stage.agent("drop", vec3(-8.0, 0.0, at as f32 - 2.0))).collect();
    stage.run(8.0);
    let farthest = drops.iter().map(|drop| stage.at(*drop).distance(vec3(8.0, 0.0, 0.0))).fold(0.0, f32::max);
    assert!(farthest < 2.5, "one is {farthest} m from the sink");
}

#[test]
fn context_gets_round_a_block_that_holds_weights_and_never_touches_it() {
    let walls = || vec![Wall::segment(vec3(6.0, 0.0, -3.0), vec3(6.0, 0.0, 3.0)).expect("a wall")];
    let ends = |by: &str| {
        let go = Spec::new("seek").set("to", vec3(12.0, 0.0, 0.0)).set("stop", 0.0);
        let mut stage = Stage::new(walls(), &[("go", Spec::new("blend").set("by", by).with(go))]);
        let walls = Walls::new(walls());
        let agent = stage.agent("go", vec3(0.0, 0.0, 0.0));
        let mut least = f32::INFINITY;
        for _ in 0..600 {
            stage.run(DT);
            least = least.min(walls.nearest(stage.at(agent), 9.0).map_or(9.0, |near| near.distance));
        }
        (stage.at(agent), least)
    };
    let (end, least) = ends("context");
    assert!(end.distance(vec3(12.0, 0.0, 0.0)) < 0.5, "{end}");
    assert!(least > 0.5, "{least}");
}

#[test]
fn a_guard_stands_between_and_a_round_is_walked_along_the_walls() {
    let mut stage = Stage::new(
        vec![box_at(0.0, 20.0, 3.0)],
        &[
            ("idle", Spec::new("wait").set("seconds", 999.0)),
            ("guard", Spec::new("interpose")),
            ("round", Spec::new("wall_following").set("speed", 2.0).set("distance", 1.5)),
        ],
    );
    stage.world.add_actor(ActorDesc::at(vec3(10.0, 0.0, 0.0)));
    stage.agent("idle", Vec3::ZERO);
    let guard = stage.agent("guard", vec3(2.0, 0.0, 6.0));
    let round = stage.agent("round", vec3(0.0, 0.0, 15.0));
    stage.run(6.0);
    assert!(stage.at(guard).distance(vec3(5.0, 0.0, 0.0)) < 0.4, "{}", stage.at(guard));
    let mut sides = [false; 4];
    for _ in 0..1800 {
        stage.run(DT);
        let at = stage.at(round) - vec3(0.0, 0.0, 20.0);
        [at.x > 4.0, at.x < -4.0, at.z > 4.0, at.z < -4.0]
            .iter()
            .zip(&mut sides)
            .for_each(|(here, seen)| *seen |= *here);
    }
    assert_eq!(sides, [true; 4], "all the way round the house");
}
