//! Slot falls inside a wall, off the walkable area, or out of reach.

use super::common::{Hunt, clump, held_ring, keyed, nearest_pair, squad_at};
use super::{Measure, at_least, at_most, exactly};
use warband::rng::Dice;
use warband::{Vec3, Wall, Walls, vec3};

const DT: f64 = 1.0 / 60.0;

/// A ring of eight whose first place is at angle 0, with these walls round the player: how deep a body was in a wall at most, the
/// longest that anybody pushed on without getting on (s), the fastest at the end, the least distance of two, and how many have
/// no place of their own.
struct Seen {
    depth: f32,
    grinding: f32,
    fastest: f32,
    apart: f32,
    lost: f64,
}

fn beside(walls: Vec<Wall>, from: Vec3) -> Seen {
    let walls = Walls::new(walls);
    watch(ring_of_eight(from, &walls), &walls)
}

fn ring_of_eight(from: Vec3, walls: &Walls) -> Hunt {
    let members = keyed(clump(&mut Dice::new(4, &[]), 8, from, 3.0));
    let mut hunt = squad_at(&held_ring(12.0).set("angle_offset", 0.0), 1, &members, Vec3::ZERO);
    hunt.world.set_walls(walls.clone());
    hunt
}

fn watch(mut hunt: Hunt, walls: &Walls) -> Seen {
    let mut seen = Seen { depth: 0.0, grinding: 0.0, fastest: 0.0, apart: 0.0, lost: 0.0 };
    let mut stuck = [0.0f32; 8];
    for _ in 0..900 {
        let before = hunt.places();
        hunt.tick(Vec3::ZERO, Vec3::ZERO, DT);
        for (at, place) in hunt.places().into_iter().enumerate() {
            let wall = walls.nearest(place, 0.5).map_or(0.5, |near| near.distance);
            seen.depth = seen.depth.max(0.5 - wall);
            let still = place.distance(before[at]) < 0.1 * DT as f32;
            stuck[at] = if still && commands(&hunt, at) > 1.0 { stuck[at] + DT as f32 } else { 0.0 };
            seen.grinding = seen.grinding.max(stuck[at]);
        }
    }
    let ring = hunt.world.ring(hunt.pack).expect("the squad");
    seen.fastest = hunt.world.outputs().map(|out| out.velocity.length()).fold(0.0, f32::max);
    seen.apart = nearest_pair(&hunt.places());
    seen.lost = ring.places().iter().filter(|place| place.blocked || !place.arrived).count() as f64;
    seen
}

/// How fast an agent wants to go, m/s.
fn commands(hunt: &Hunt, at: usize) -> f32 {
    let agent = hunt.world.outputs().nth(at).expect("an agent").agent;
    let rules = hunt.world.rule_vectors(agent);
    rules.iter().filter(|rule| rule.name == "arrive").map(|rule| rule.vector.length()).fold(0.0, f32::max)
}

fn block(left: f32, right: f32, low: f32, high: f32) -> Wall {
    let corners = [(left, low), (right, low), (right, high), (left, high)].map(|(x, z)| vec3(x, 0.0, z));
    Wall::polygon(&corners).expect("a wall").see_through(true)
}

fn rows(what: &str, seen: &Seen) -> Vec<Measure> {
    vec![
        at_most(format!("{what}: deepest in a wall, m"), seen.depth, 0.001),
        at_most(format!("{what}: pushing on without moving, s"), seen.grinding, 1.0),
        at_most(format!("{what}: fastest at 15 s, m/s"), seen.fastest, 0.2),
        at_least(format!("{what}: least distance of two, m"), seen.apart, 1.0),
        exactly(format!("{what}: without a place, or not there"), seen.lost, 0.0),
    ]
}

pub fn measure() -> Vec<Measure> {
    let half = beside(vec![block(5.0, 60.0, -60.0, 60.0)], vec3(-20.0, 0.0, 0.0));
    // Two walls that meet in a concave corner: three quarters of the ring are gone.
    let corner =
        beside(vec![block(5.0, 60.0, -60.0, 60.0), block(-60.0, 60.0, 5.0, 60.0)], vec3(-14.0, 0.0, -14.0));
    let rows = [rows("half-plane", &half), rows("concave corner", &corner)].concat();
    #[cfg(feature = "navmesh")]
    let rows = [rows, self::rows("niche, pillar and chamber on a navmesh", &chamber())].concat();
    rows
}

/// A niche open to the player, a pillar, and a closed chamber with a place inside that nobody can get to. Only a navmesh knows the ways.
#[cfg(feature = "navmesh")]
fn chamber() -> Seen {
    let walls = Walls::new(vec![
        block(8.0, 16.0, -3.0, -2.0),
        block(8.0, 16.0, 2.0, 3.0),
        block(15.0, 16.0, -3.0, 3.0),
        block(-13.0, -11.0, -2.0, 2.0),
        block(-4.0, 4.0, 9.0, 10.0),
        block(-4.0, 4.0, 14.0, 15.0),
        block(-4.0, -3.0, 9.0, 15.0),
        block(3.0, 4.0, 9.0, 15.0),
    ]);
    let outline = [(-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0)].map(|(x, z)| vec3(x, 0.0, z));
    let mesh = warband::nav::NavMesh::new(&outline, &walls, &[0.5]).expect("there is room");
    let mut hunt = ring_of_eight(vec3(0.0, 0.0, -20.0), &walls);
    hunt.world.set_navigation(mesh);
    watch(hunt, &walls)
}
