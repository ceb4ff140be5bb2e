//! Queries against a plain search over every point, and what their budget leaves out.

use proptest::prelude::*;
use warband::math::{Vec3, vec3};
use warband::nav::{Navigation, OpenGround};
use warband::query::{Asker, COSTLY, Found, Place, Query};
use warband::sense::LineOfSight;
use warband::space::{Wall, Walls};

/// A yard with some walls, an asker, its mates and a target.
struct Yard {
    walls: Walls,
    ground: OpenGround,
    me: Vec3,
    mates: Vec<Vec3>,
    target: Option<Vec3>,
}

const EYES: f32 = 1.6;
const RADIUS: f32 = 0.5;

impl Yard {
    fn new(seed: &[(f32, f32)], target: bool) -> Self {
        let point = |at: usize| vec3(seed[at].0, 0.0, seed[at].1);
        let walls =
            (0..4).map(|at| Wall::segment(point(at), point(at) + vec3(4.0, 0.0, 1.0)).expect("a wall"));
        let walls = Walls::new(walls.collect());
        let ground = OpenGround::new(walls.clone());
        let mates = (4..8).map(point).collect::<Vec<_>>();
        Self { walls, ground, me: mates[1], mates, target: target.then(|| point(8)) }
    }

    fn find(&self, place: Place) -> Option<Vec3> {
        match place {
            Place::Point(point) => Some(point),
            Place::Me => Some(self.me),
            Place::Target => self.target,
            Place::Squad => Some(self.mates.iter().sum::<Vec3>() / self.mates.len() as f32),
            Place::Home => Some(Vec3::ZERO),
            Place::Body(_) | Place::Given(_) => None,
        }
    }

    fn ask(&self, query: &Query, most: usize) -> Found {
        let mut found = Found::default();
        let asker = Asker {
            position: self.me,
            radius: RADIUS,
            eyes: EYES,
            mates: &self.mates,
            rank: 1,
            ground: &self.ground,
            sight: &self.walls,
            find: &|place| self.find(place),
        };
        query.ask(&asker, most, &mut found);
        found
    }

    fn clear(&self, from: Vec3, to: Vec3) -> bool {
        self.walls.clear(from + Vec3::Y * EYES, to + Vec3::Y * EYES)
    }
}

fn seeds() -> impl Strategy<Value = Vec<(f32, f32)>> {
    prop::collection::vec((-15.0f32..15.0, -15.0f32..15.0), 9)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_best_place_is_that_of_a_plain_search(seed in seeds(), apart in 0.0f32..6.0, hidden in any::<bool>()) {
        let yard = Yard::new(&seed, true);
        let target = yard.target.expect("there is one");
        let ring = Query::ring(Place::Target, 4.0, 9.0, 100).expect("right");
        let points = yard.ask(&ring, 1000).points().to_vec();
        prop_assert_eq!(points.len(), 100);
        for point in &points {
            let distance = point.distance(target);
            prop_assert!((3.99..=9.01).contains(&distance));
        }
        let query = ring.away_from_mates(apart).expect("right").within(Place::Me, 25.0).expect("right").walkable();
        let query = if hidden { query.hidden_from(Place::Target) } else { query.visible_from(Place::Target) };
        let found = yard.ask(&query, 1000);
        prop_assert!(found.is_complete());

        let good = points.iter().filter_map(|point| {
            let mates = yard.mates.iter().enumerate().filter(|(rank, _)| *rank != 1);
            let free = mates.map(|(_, mate)| mate.distance(*point)).all(|d| d >= apart);
            let near = point.distance(yard.me) <= 25.0;
            let stand = yard.ground.nearest(*point, RADIUS, RADIUS)?;
            (free && near && yard.clear(target, stand) != hidden).then_some((point, stand))
        });
        let mut good = good.collect::<Vec<_>>();
        good.sort_by(|a, b| a.0.distance(yard.me).total_cmp(&b.0.distance(yard.me)));
        prop_assert_eq!(found.points().len(), good.len());
        let key = |point: &Vec3| point.to_array().map(f32::to_bits);
        let (mut ours, mut theirs) = (found.points().to_vec(), good.iter().map(|(_, stand)| *stand).collect::<Vec<_>>());
        ours.sort_by_key(key);
        theirs.sort_by_key(key);
        prop_assert_eq!(ours, theirs);
        let best = yard.ask(&query, 1).points().first().copied();
        prop_assert_eq!(best, found.points().first().copied(), "one or all: the best is the same");
        if let (Some(best), Some((nearest, _))) = (best, good.first()) {
            prop_assert!(best.distance(yard.me) <= nearest.distance(yard.me) + 2.0 * RADIUS + 1e-4);
        }
    }

    #[test]
    fn a_budget_bounds_the_work_and_never_lies(seed in seeds(), budget in 0u32..3000) {
        let yard = Yard::new(&seed, true);
        let query = Query::ring(Place::Target, 2.0, 12.0, 128).expect("right").walkable().hidden_from(Place::Target);
        let all = yard.ask(&query, 1000);
        let some = yard.ask(&query.clone().budget(budget), 1000);
        prop_assert!(some.spent() <= budget);
        prop_assert_eq!(some.is_complete(), some.spent() == all.spent());
        prop_assert_eq!(some.points(), &all.points()[..some.points().len()], "the best of those it looked at");
    }
}

#[test]
fn ranks_add_up_by_their_weights() {
    let yard = Yard::new(&[(50.0, 50.0); 9], true);
    let line = (0..=10).map(|x| vec3(x as f32, 0.0, 0.0)).collect::<Vec<_>>();
    let (left, right) = (Place::Point(line[0]), Place::Point(line[10]));
    let at = |query: Query| yard.ask(&query, 1).points()[0].x;
    let points = || Query::from_points(&line).expect("finite");
    assert_eq!(at(points().near(left, 1.0).expect("right")), 0.0);
    assert_eq!(at(points().far(left, 1.0).expect("right")), 10.0);
    assert_eq!(at(points().near(left, 1.0).expect("right").near(right, 2.0).expect("right")), 10.0);
    // Equal ranks: the first of the layout.
    assert_eq!(at(points().near(left, 1.0).expect("right").near(right, 1.0).expect("right")), 0.0);
}

#[test]
fn ranks_from_outside_count_and_those_that_are_no_numbers_do_not() {
    let yard = Yard::new(&[(50.0, 50.0); 9], true);
    let line = (0..4).map(|x| vec3(x as f32, 0.0, 0.0)).collect::<Vec<_>>();
    let query = Query::from_points(&line).expect("finite").near(Place::Home, 1.0).expect("right");
    let mut found = Found::default();
    let find = |place| yard.find(place);
    let (position, mates, ground, sight) = (yard.me, &yard.mates[..], &yard.ground, &yard.walls);
    let asker = Asker { position, radius: RADIUS, eyes: EYES, mates, rank: 1, ground, sight, find: &find };
    query.gather(&asker, &mut found);
    assert_eq!(found.candidates(), line);
    found.rank([f32::NAN, f32::INFINITY, 5.0], 1.0);
    query.pick(&asker, 1, &mut found);
    assert_eq!(found.points(), [line[2]]);
}

#[test]
fn a_place_that_is_not_known_leaves_nothing() {
    let yard = Yard::new(&[(1.0, 2.0); 9], false);
    for query in [
        Query::ring(Place::Target, 1.0, 2.0, 8).expect("right"),
        Query::grid(Place::Me, 2.0, 1.0).expect("right").within(Place::Target, 5.0).expect("right"),
        Query::grid(Place::Me, 2.0, 1.0).expect("right").visible_from(Place::Target),
    ] {
        assert!(yard.ask(&query, 10).points().is_empty(), "{query:?}");
    }
    let hidden = Query::grid(Place::Me, 2.0, 1.0).expect("right").hidden_from(Place::Target);
    assert_eq!(yard.ask(&hidden, 100).points().len(), 25, "from nobody everything is hidden");
}

#[test]
fn what_is_out_of_range_is_refused() {
    assert!(Query::ring(Place::Me, 3.0, 2.0, 8).is_err());
    assert!(Query::ring(Place::Me, -1.0, 2.0, 8).is_err());
    assert!(Query::ring(Place::Me, 1.0, f32::NAN, 8).is_err());
    assert!(Query::ring(Place::Me, 1.0, 2.0, 0).is_err());
    assert!(Query::ring(Place::Me, 1.0, 2.0, 4097).is_err());
    assert!(Query::grid(Place::Me, 1e5, 0.01).is_err());
    assert!(Query::from_points(&[vec3(f32::INFINITY, 0.0, 0.0)]).is_err());
    assert!(Query::grid(Place::Me, 2.0, 1.0).expect("right").near(Place::Me, -1.0).is_err());
}

#[test]
fn asking_costs_what_it_says_and_allocates_only_once() {
    let yard = Yard::new(&[(50.0, 50.0); 9], true);
    let query =
        Query::grid(Place::Home, 5.0, 1.0).expect("right").away_from_mates(1.0).expect("right").walkable();
    let found = yard.ask(&query, 3);
    // Laid out, 4 mates each, the rank that nobody asked for, and three looks at the ground.
    assert_eq!(found.spent(), 121 + 4 * 121 + 121 + 3 * COSTLY);
}
