//! What several tests share: the encircling hunt as a tree in Rust, a pack of wolves and a player that walks.
#![allow(dead_code, reason = "not every test uses all of it")]

use warband::rng::Dice;
use warband::{ActorDesc, ActorId, AgentDesc, Config, Spec, SquadDesc, SquadId, Vec3, World, vec3};

/// The tree of `scripts/encircle.lua`, in Rust.
pub fn encircle() -> Spec {
    let chase = Spec::new("bands")
        .set("by", "target_distance")
        .set("margin", 1.5)
        .with(Spec::new("direct_chase").set("stop", 1.4).edge("below", 8.0))
        .with(Spec::new("formation").set("radius", 6.0).set("close_in", true).edge("below", 12.0))
        .with(Spec::new("formation").set("radius", 12.0).set("close_in", true));
    Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(chase))
        .with(
            Spec::new("guard")
                .when(Spec::new("remembers_target").set("within", 5.0))
                .with(Spec::new("search")),
        )
        .with(Spec::new("patrol"))
}

/// A world with a pack of `count` wolves in a clump of its own for each seed, and a player.
pub struct Hunt {
    pub world: World,
    pub player: ActorId,
    pub pack: SquadId,
}

impl Hunt {
    /// Wolves within 3 m of `den`, looking at the origin, where the player is.
    pub fn new(seed: u64, count: u32, den: Vec3) -> Self {
        let mut world = World::new(Config { seed, ..Config::default() });
        world.add_tree("encircle", &encircle()).expect("the tree is right");
        let player = world.add_actor(ActorDesc::at(Vec3::ZERO));
        let route = vec![den, den + vec3(0.0, 0.0, 10.0)];
        let desc = SquadDesc { name: "pack".into(), route, ..SquadDesc::default() };
        let pack = world.add_squad(desc).expect("a new squad");
        let mut dice = Dice::new(seed, &[99]);
        for place in clump(&mut dice, count, den, 3.0) {
            let desc = AgentDesc { tree: "encircle".into(), facing: -den, ..AgentDesc::at(place) };
            world.spawn(pack, desc).expect("a new wolf");
        }
        Self { world, player, pack }
    }

    /// One tick with the player at a place.
    pub fn tick(&mut self, player: Vec3, velocity: Vec3, dt: f64) {
        self.world.set_actor(self.player, player, velocity);
        self.world.tick(dt);
    }

    /// Where the wolves are.
    pub fn places(&self) -> Vec<Vec3> {
        self.world.outputs().map(|out| out.position).collect()
    }
}

/// Places within `spread` metres of `centre`, at least a body apart.
pub fn clump(dice: &mut Dice, count: u32, centre: Vec3, spread: f64) -> Vec<Vec3> {
    let mut places: Vec<Vec3> = Vec::new();
    while places.len() < count as usize {
        let place =
            centre + vec3(dice.range(-spread, spread) as f32, 0.0, dice.range(-spread, spread) as f32);
        if places.iter().all(|other| other.distance(place) >= 1.05) {
            places.push(place);
        }
    }
    places
}

/// Where a walker is after `time` seconds on a square of 10 m at 3 m/s round the origin, and its velocity.
pub fn square_walk(time: f64) -> (Vec3, Vec3) {
    let corners = [vec3(-5.0, 0.0, -5.0), vec3(5.0, 0.0, -5.0), vec3(5.0, 0.0, 5.0), vec3(-5.0, 0.0, 5.0)];
    let way = (time * 3.0) % 40.0;
    let leg = (way / 10.0) as usize % 4;
    let along = (way - leg as f64 * 10.0) as f32;
    let ahead = (corners[(leg + 1) % 4] - corners[leg]) / 10.0;
    (corners[leg] + ahead * along, ahead * 3.0)
}
