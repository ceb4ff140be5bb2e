//! Ways on a mesh against the shortest ways of a brute-force graph, and laws on random ground.
#![cfg(feature = "navmesh")]

use warband::math::{Vec3, vec3};
use warband::nav::{NavMesh, Navigation, PathStatus};
use warband::rng::Dice;
use warband::space::{Wall, Walls};

/// An obstacle as the test knows it: corners of a line or block, or a pillar.
#[derive(Clone, Debug)]
enum Block {
    Line(Vec<Vec3>),
    Solid(Vec<Vec3>),
    Pillar(Vec3, f32),
}

fn uniform(dice: &mut Dice, low: f32, high: f32) -> f32 {
    dice.range(f64::from(low), f64::from(high)) as f32
}

fn spot(dice: &mut Dice, half: f32) -> Vec3 {
    vec3(uniform(dice, -half, half), 0.0, uniform(dice, -half, half))
}

fn block(dice: &mut Dice, half: f32) -> Block {
    let at = spot(dice, half);
    match dice.below(3) {
        0 => Block::Pillar(at, uniform(dice, 0.3, 2.5)),
        1 => Block::Line(vec![at, at + spot(dice, 14.0) + vec3(0.3, 0.0, 0.0)]),
        _ => {
            let turn = uniform(dice, 0.0, 6.0);
            let (along, across) = (uniform(dice, 0.3, 4.0), uniform(dice, 0.3, 4.0));
            let axis = vec3(libm::cosf(turn), 0.0, libm::sinf(turn));
            let side = vec3(-axis.z, 0.0, axis.x);
            let corner = |a: f32, b: f32| at + axis * (a * along) + side * (b * across);
            Block::Solid(vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)])
        }
    }
}

impl Block {
    fn wall(&self) -> Wall {
        match self {
            Block::Line(ends) => Wall::segment(ends[0], ends[1]),
            Block::Solid(corners) => Wall::polygon(corners),
            Block::Pillar(at, radius) => Wall::circle(*at, *radius),
        }
        .expect("it is a wall")
    }

    fn sides(&self) -> Vec<(Vec3, Vec3)> {
        match self {
            Block::Line(ends) => vec![(ends[0], ends[1])],
            Block::Solid(corners) => (0..4).map(|at| (corners[at], corners[(at + 1) % 4])).collect(),
            Block::Pillar(..) => Vec::new(),
        }
    }

    fn holds(&self, p: Vec3) -> bool {
        let left = |(a, b): &(Vec3, Vec3)| (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x) > 0.0;
        matches!(self, Block::Solid(_)) && self.sides().iter().all(left)
    }

    /// Whether the straight way keeps `room` metres off.
    fn clear(&self, from: Vec3, to: Vec3, room: f32) -> bool {
        match self {
            Block::Pillar(at, radius) => to_segment(*at, from, to) >= room + radius,
            _ => !self.holds(from) && self.sides().iter().all(|(a, b)| apart(*a, *b, from, to) >= room),
        }
    }

    /// Places just outside of `room` metres, all round.
    fn round(&self, room: f32) -> Vec<Vec3> {
        const FINE: i32 = 40;
        let (middles, radius) = match self {
            Block::Pillar(at, radius) => (vec![*at], radius + room),
            Block::Line(corners) | Block::Solid(corners) => (corners.clone(), room),
        };
        let off = (radius + 1e-4) / libm::cosf(std::f32::consts::PI / FINE as f32);
        let around = |at: Vec3| {
            (0..FINE).map(move |number| {
                let angle = std::f32::consts::TAU * (number as f32 + 0.5) / FINE as f32;
                at + vec3(libm::cosf(angle), 0.0, libm::sinf(angle)) * off
            })
        };
        middles.into_iter().flat_map(around).collect()
    }
}

fn to_segment(p: Vec3, a: Vec3, b: Vec3) -> f32 {
    let share = ((p - a).dot(b - a) / (b - a).length_squared().max(1e-12)).clamp(0.0, 1.0);
    p.distance(a + (b - a) * share)
}

/// How far two segments are apart.
fn apart(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f32 {
    let side = |a: Vec3, b: Vec3, p: Vec3| (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
    if side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0 {
        return 0.0;
    }
    [to_segment(a, c, d), to_segment(b, c, d), to_segment(c, a, b), to_segment(d, a, b)]
        .into_iter()
        .fold(f32::INFINITY, f32::min)
}

/// A yard with blocks in it, and how far one can see in it.
struct Yard {
    blocks: Vec<Block>,
    outline: Vec<Vec3>,
}

impl Yard {
    fn random(seed: u64, blocks: u32, half: f32) -> Yard {
        let mut dice = Dice::new(seed, &[7]);
        let outline = vec![
            vec3(-half, 0.0, -half),
            vec3(half, 0.0, -half),
            vec3(half, 0.0, half),
            vec3(-half, 0.0, half),
        ];
        Yard { blocks: (0..blocks).map(|_| block(&mut dice, half)).collect(), outline }
    }

    /// Tiles edge to edge: all lines of the mesh meet in the same few places.
    fn tiles(seed: u64) -> Yard {
        let mut dice = Dice::new(seed, &[11]);
        let mut tile = || {
            let at = vec3(dice.below(28) as f32 - 14.0, 0.0, dice.below(28) as f32 - 14.0);
            let corner = |x: f32, z: f32| at + vec3(x, 0.0, z);
            Block::Solid(vec![at, corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)])
        };
        Yard { blocks: (0..120).map(|_| tile()).collect(), ..Yard::random(seed, 0, 15.0) }
    }

    fn mesh(&self, radii: &[f32]) -> NavMesh {
        let walls = self.blocks.iter().map(Block::wall).collect();
        NavMesh::new(&self.outline, &Walls::new(walls), radii).expect("there is room")
    }

    fn edges(&self) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
        self.outline.iter().copied().zip(self.outline.iter().copied().cycle().skip(1))
    }

    fn clear(&self, from: Vec3, to: Vec3, room: f32) -> bool {
        self.blocks.iter().all(|block| block.clear(from, to, room))
            && self.edges().all(|(a, b)| apart(a, b, from, to) >= room)
    }

    /// The length of the shortest way for a body of `room` metres, by brute force.
    fn shortest(&self, from: Vec3, to: Vec3, room: f32) -> Option<f32> {
        let mut nodes = vec![from, to];
        nodes.extend(self.blocks.iter().flat_map(|block| block.round(room)));
        nodes.retain(|node| self.clear(*node, *node, room));
        if nodes.first() != Some(&from) || nodes.get(1) != Some(&to) {
            return None;
        }
        let mut best = vec![f32::INFINITY; nodes.len()];
        let mut done = vec![false; nodes.len()];
        best[0] = 0.0;
        loop {
            let open = (0..nodes.len()).filter(|at| !done[*at] && best[*at].is_finite());
            let next = open.min_by(|a, b| best[*a].total_cmp(&best[*b]))?;
            if next == 1 {
                return Some(best[1]);
            }
            done[next] = true;
            for other in 0..nodes.len() {
                let length = best[next] + nodes[next].distance(nodes[other]);
                if !done[other] && length < best[other] && self.clear(nodes[next], nodes[other], room) {
                    best[other] = length;
                }
            }
        }
    }
}

fn length(from: Vec3, corners: &[Vec3]) -> f32 {
    let starts = std::iter::once(&from).chain(corners);
    starts.zip(corners).map(|(a, b)| a.distance(*b)).sum()
}

/// Ways are as short as can be within 1 %; there is one wherever a slightly stouter body has one, and none where there is none.
#[test]
fn ways_are_the_shortest() {
    const RADIUS: f32 = 0.5;
    let (mut complete, mut bent, mut partial) = (0, 0, 0);
    for seed in 0..60 {
        let yard = Yard::random(seed, 2 + seed as u32 % 7, 9.0);
        let mesh = yard.mesh(&[RADIUS]);
        let mut dice = Dice::new(seed, &[8]);
        for _ in 0..4 {
            let (from, to) = (spot(&mut dice, 8.4), spot(&mut dice, 8.4));
            if !yard.clear(from, from, RADIUS + 0.05) || !yard.clear(to, to, RADIUS + 0.05) {
                continue;
            }
            let mut corners = Vec::new();
            let status = mesh.path(from, to, RADIUS, &mut corners);
            let (slim, stout) = (yard.shortest(from, to, RADIUS), yard.shortest(from, to, RADIUS + 0.02));
            let way = length(from, &corners);
            match status {
                PathStatus::Complete => {
                    let slim =
                        slim.unwrap_or_else(|| panic!("seed {seed}: nobody can go from {from} to {to}"));
                    assert!(way >= slim * 0.99, "seed {seed}: {way} m of {slim} m from {from} to {to}");
                    complete += 1;
                    bent += u32::from(corners.len() > 1);
                }
                PathStatus::Partial => partial += 1,
                other => panic!("seed {seed}: {other:?}, and both ends are free: {from} to {to}"),
            }
            if let Some(stout) = stout {
                assert_eq!(status, PathStatus::Complete, "seed {seed}: {stout} m from {from} to {to}");
                assert!(way <= stout * 1.01, "seed {seed}: {way} m of {stout} m from {from} to {to}");
            }
        }
    }
    assert!(
        complete > 100 && bent > 30 && partial > 3,
        "{complete} complete, {bent} bent, {partial} partial"
    );
}

/// Whatever is asked, corners are finite and walkable, legs are free, and the same question has the same answer.
#[test]
fn ways_keep_to_the_ground() {
    let radii = [0.3, 0.32, 0.6, 1.2];
    let mut corners = Vec::new();
    let mut asked = 0;
    for seed in 0..150 {
        let random = |seed| Yard::random(1000 + seed, 3 + seed as u32 % 20, 15.0);
        let yard = if seed % 5 == 0 { Yard::tiles(seed) } else { random(seed) };
        let (mesh, twin) = (yard.mesh(&radii), yard.mesh(&radii));
        let mut dice = Dice::new(seed, &[9]);
        for _ in 0..20 {
            let radius = radii[dice.below(4) as usize];
            // Also from places in walls and outside of the yard.
            let (from, to) = (spot(&mut dice, 18.0), spot(&mut dice, 18.0));
            let status = mesh.path(from, to, radius, &mut corners);
            let mut again = Vec::new();
            assert_eq!((twin.path(from, to, radius, &mut again), &again), (status, &corners));
            assert_eq!(status == PathStatus::None, corners.is_empty(), "seed {seed}");
            for pair in corners.windows(2) {
                assert!(
                    yard.clear(pair[0], pair[1], radius - 1e-3),
                    "seed {seed}: {pair:?} of {corners:?} from {from} for {radius}"
                );
            }
            for corner in &corners {
                assert!(corner.is_finite() && mesh.is_walkable(*corner, radius), "seed {seed}: {corner}");
                asked += 1;
            }
            if let Some(at) = mesh.nearest(from, radius, f32::INFINITY) {
                assert!(mesh.is_walkable(at, radius), "seed {seed}: {at} for {from}");
                assert_eq!(mesh.nearest(at, radius, 0.0), Some(at));
                if status != PathStatus::None && status != PathStatus::Partial && at == from {
                    assert!(yard.clear(from, corners[0], radius - 0.04), "seed {seed}: the first leg");
                }
            }
        }
    }
    assert!(asked > 2000, "{asked} corners");
}

/// The nearest walkable place is no farther than any walkable place of a fine raster.
#[test]
fn nearest_is_nearest() {
    for seed in 0..20 {
        let yard = Yard::random(2000 + seed, 8, 10.0);
        let mesh = yard.mesh(&[0.5]);
        let mut dice = Dice::new(seed, &[10]);
        for _ in 0..10 {
            let at = spot(&mut dice, 11.0);
            let near = mesh.nearest(at, 0.5, f32::INFINITY).expect("there is ground");
            let raster =
                (0..10_000).map(|n| vec3((n % 100) as f32 * 0.2 - 10.0, 0.0, (n / 100) as f32 * 0.2 - 10.0));
            let free = raster.filter(|place| yard.clear(*place, *place, 0.51));
            let best = free.map(|place| place.distance(at)).fold(f32::INFINITY, f32::min);
            assert!(
                near.distance(at) <= best + 0.03,
                "seed {seed}: {near} is {} m off {at}, not {best}",
                near.distance(at)
            );
        }
    }
}

/// An island out of reach: the way ends at the shore, and says so. Field report 35 of the peers: such a search must not eat the mesh.
#[test]
fn a_goal_on_an_island_gives_a_partial_way() {
    let side =
        |at: [f32; 4]| Wall::segment(vec3(at[0], 0.0, at[1]), vec3(at[2], 0.0, at[3])).expect("it is a wall");
    let cell = [[4.0, -2.0, 8.0, -2.0], [8.0, -2.0, 8.0, 2.0], [8.0, 2.0, 4.0, 2.0], [4.0, 2.0, 4.0, -2.0]];
    let outline =
        [vec3(-10.0, 0.0, -10.0), vec3(10.0, 0.0, -10.0), vec3(10.0, 0.0, 10.0), vec3(-10.0, 0.0, 10.0)];
    let mesh = NavMesh::new(&outline, &Walls::new(cell.map(side).to_vec()), &[0.5]).expect("there is room");
    let mut corners = Vec::new();
    let status = mesh.path(vec3(-8.0, 0.0, 0.5), vec3(5.0, 0.0, 0.5), 0.5, &mut corners);
    assert_eq!(status, PathStatus::Partial);
    let end = corners.last().expect("there is a way");
    assert!(end.distance(vec3(3.5, 0.0, 0.5)) < 0.01, "{end}");
    // From within the cell it is the other way round.
    assert_eq!(mesh.path(vec3(5.0, 0.0, 0.5), vec3(-8.0, 0.0, 0.5), 0.5, &mut corners), PathStatus::Partial);
    assert!(corners.last().expect("there is a way").distance(vec3(4.5, 0.0, 0.5)) < 0.01, "{corners:?}");
    assert_eq!(mesh.path(vec3(50.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), 0.5, &mut corners), PathStatus::None);
}

/// A concave outline, far from the origin: the way keeps inside by the radius.
#[test]
fn a_concave_outline_is_kept_to() {
    let corner = |x: f32, z: f32| vec3(6000.0 + x, 2.0, -3000.0 + z);
    let outline = [
        corner(0.0, 0.0),
        corner(20.0, 0.0),
        corner(20.0, 20.0),
        corner(16.0, 20.0),
        corner(16.0, 4.0),
        corner(4.0, 4.0),
        corner(4.0, 20.0),
        corner(0.0, 20.0),
    ];
    let low = Wall::segment(corner(0.0, 2.0), corner(20.0, 2.0)).expect("it is a wall").height(-9.0, 1.0);
    let walls = Walls::new(vec![low.expect("it has a height")]);
    let mesh = NavMesh::new(&outline, &walls, &[0.5]).expect("there is room");
    let mut corners = Vec::new();
    let status = mesh.path(corner(2.0, 18.0), corner(18.0, 18.0), 0.5, &mut corners);
    assert_eq!(status, PathStatus::Complete, "the wall below the ground is in nobody's way");
    let way = length(corner(2.0, 18.0), &corners);
    assert!((41.6..41.8).contains(&way), "{way} m: {corners:?}");
    assert!(mesh.straight(corner(2.0, 18.0), corner(2.0, 1.0), 0.5));
    assert!(!mesh.straight(corner(2.0, 18.0), corner(18.0, 18.0), 0.5));
    assert!(!mesh.is_walkable(corner(10.0, 10.0), 0.5) && mesh.is_walkable(corner(10.0, 2.0), 0.5));
}

/// What cannot be ground is refused, with what to do.
#[test]
fn what_is_no_ground_is_refused() {
    let square = [vec3(0.0, 0.0, 0.0), vec3(4.0, 0.0, 0.0), vec3(4.0, 0.0, 4.0), vec3(0.0, 0.0, 4.0)];
    let bow = [square[0], square[2], square[1], square[3]];
    let none = Walls::default();
    let said = |outline: &[Vec3], radii: &[f32]| match NavMesh::new(outline, &none, radii) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    assert_eq!(said(&square[..2], &[0.5]), "the outline of the ground needs at least 3 corners, got 2");
    assert_eq!(said(&bow, &[0.5]), "edges 1 and 3 of the outline cross");
    assert_eq!(said(&square, &[]), "a mesh needs the radii of those who walk on it, got none");
    assert_eq!(said(&square, &[0.5, -1.0]), "the radius of a body must be above 0 m, got -1");
    assert!(said(&square, &[2.5]).starts_with("a body of radius 2.5 m has no room anywhere on the ground"));
    assert_eq!(said(&[square[0], square[1], Vec3::NAN], &[0.5]), "corner 3 of the outline must be finite");
    assert_eq!(said(&square.map(|corner| corner * 3000.0), &[0.5]), "the ground can be at most 8000 m wide");
    let mesh = NavMesh::new(&square, &none, &[0.5, 0.48, 1.0, 0.2]).expect("there is room");
    assert_eq!(mesh.radii().collect::<Vec<_>>(), [0.2, 0.5, 1.0]);
}
