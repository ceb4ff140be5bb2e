//! What several tests share: the encircling hunt as a tree in Rust, a pack of wolves and a player that walks.
#![allow(dead_code, reason = "not every test uses all of it")]

use warband::math::direction;
use warband::rng::Dice;
use warband::squad::{Assignment, skirt_length};
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

/// A short hunt: patrol, a ring of `ring` metres round who is seen, and straight at him from `direct` metres on.
pub fn chase(direct: f64, ring: f64) -> Spec {
    let chase = Spec::new("bands")
        .with(Spec::new("direct_chase").edge("below", direct))
        .with(Spec::new("formation").set("radius", ring));
    Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(chase))
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

/// A tree that holds a ring of this radius round the target, once it is seen.
pub fn held_ring(radius: f64) -> Spec {
    Spec::new("formation").set("radius", radius).set("close_in", false).set("hold", true)
}

/// A world with a squad whose members stand at these places, with these keys, and look at the player at the origin.
pub fn squad_at(tree: &Spec, seed: u64, members: &[(u32, Vec3)], player: Vec3) -> Hunt {
    let mut world = World::new(Config { seed, ..Config::default() });
    world.add_tree("tree", tree).expect("the tree is right");
    let actor = world.add_actor(ActorDesc::at(player));
    let pack =
        world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() }).expect("a new squad");
    for (key, place) in members {
        let desc = AgentDesc {
            tree: "tree".into(),
            facing: player - *place,
            key: Some(*key),
            ..AgentDesc::at(*place)
        };
        world.spawn(pack, desc).expect("a new agent");
    }
    Hunt { world, player: actor, pack }
}

/// Keys 0.. for these places.
pub fn keyed(places: impl IntoIterator<Item = Vec3>) -> Vec<(u32, Vec3)> {
    places.into_iter().enumerate().map(|(key, place)| (key as u32, place)).collect()
}

/// The smallest distance between two of these.
pub fn nearest_pair(places: &[Vec3]) -> f32 {
    let mut nearest = f32::MAX;
    for (at, one) in places.iter().enumerate() {
        for other in &places[at + 1..] {
            nearest = nearest.min(one.distance(*other));
        }
    }
    nearest
}

/// The smallest sum of walks to places evenly spread on a ring round the origin, over all assignments and all turns
/// of the ring, with walks that stay outside of it.
pub fn shortest_walks(starts: &[Vec3], radius: f32) -> f32 {
    let count = starts.len();
    let mut assignment = Assignment::default();
    let totals = (0..90).map(|turn| {
        let angle = |i: usize| std::f32::consts::TAU / count as f32 * (i as f32 + turn as f32 / 90.0);
        assignment.solve(count, count, |row, i| {
            f64::from(skirt_length(starts[row], direction(angle(i)) * radius, Vec3::ZERO, radius * 0.999))
        });
        assignment.total() as f32
    });
    totals.fold(f32::MAX, f32::min)
}
