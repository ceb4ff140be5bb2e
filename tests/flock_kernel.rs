//! The flock kernel against the functions that say what a flock is, over all bodies and one by one: equal bit for bit.

mod counting;

use proptest::prelude::*;
use warband::math::{Vec3, vec3};
use warband::rng::Dice;
use warband::space::{Grid, Shape};
use warband::steer::{
    Class, Crowd, DEFAULT_BIAS_SHARE, Flock, FlockKernel, Flocker, Level, Limits, MOST_NEIGHBOURS, Me, Near,
    Order, Radii, School, SchoolRules, Weights, Wish, combine_weighted, flock, flock_of_nearest, seek, steer,
};

const DT: f32 = 1.0 / 60.0;

/// Bodies, and how each takes part.
struct Case {
    position: Vec<Vec3>,
    velocity: Vec<Vec3>,
    radius: Vec<f32>,
    id: Vec<u32>,
    flockers: Vec<Flocker>,
    grid: Grid,
}

/// Which oddities a case has.
#[derive(Clone, Copy, Debug)]
struct Kind {
    volume: bool,
    mixed: bool,
    odd: bool,
    cell: f32,
}

fn number(dice: &mut Dice, low: f32, high: f32) -> f32 {
    dice.range(f64::from(low), f64::from(high)) as f32
}

impl Case {
    fn new(count: usize, side: f32, seed: u64, kind: Kind) -> Self {
        let mut dice = Dice::new(seed, &[count as u64]);
        let dice = &mut dice;
        let height = if kind.volume { side } else { 0.0 };
        let mut position: Vec<Vec3> = (0..count)
            .map(|_| vec3(number(dice, 0.0, side), number(dice, 0.0, height), number(dice, -side, 0.0)))
            .collect();
        let mut velocity: Vec<Vec3> =
            (0..count).map(|_| vec3(number(dice, -4.0, 4.0), number(dice, -1.0, 1.0), 0.5)).collect();
        let radius = (0..count).map(|_| if kind.mixed { number(dice, 0.2, 1.5) } else { 0.5 }).collect();
        if kind.odd && count > 9 {
            // On the same point, nowhere, of no velocity, far away, and on the edges of cells.
            position[1] = position[0];
            position[2] = position[0] + vec3(4e-6, 0.0, 0.0);
            position[3] = Vec3::NAN;
            velocity[4] = vec3(f32::INFINITY, 0.0, 0.0);
            position[5] = vec3(1e6, 0.0, 0.0);
            position[6] = vec3(1e6 + 1.0, 0.0, 0.0);
            position[7] = vec3(kind.cell, 0.0, -kind.cell);
            position[8] = vec3(2.0 * kind.cell, 0.0, -kind.cell);
        }
        let flockers = (0..count).map(|_| flocker(dice, kind)).collect();
        let mut grid = Grid::default();
        let shape = if kind.volume { Shape::Volume } else { Shape::Ground };
        grid.rebuild(&position, kind.cell, shape);
        let id = (0..count as u32).map(|index| index ^ 0x55).collect();
        Self { position, velocity, radius, id, flockers, grid }
    }

    fn crowd(&self) -> Crowd<'_> {
        Crowd { position: &self.position, velocity: &self.velocity, radius: &self.radius, id: &self.id }
    }

    fn kernel(&self, level: Level, most: Option<usize>) -> Vec<Flock> {
        let mut kernel = FlockKernel::default();
        (kernel.level, kernel.most) = (level, most);
        // What was in it before does not matter.
        let mut out = vec![Flock { separation: Vec3::NAN, ..Flock::default() }; self.position.len()];
        kernel.run(&self.grid, &self.crowd(), |index| self.flockers[index], &mut out);
        out
    }

    fn me(&self, index: usize) -> Me {
        let each = &self.flockers[index];
        let limits = Limits::of(self.radius[index], each.max_speed);
        let mut me = Me::new(self.id[index], self.position[index], Vec3::X, &limits);
        (me.velocity, me.ground) = (self.velocity[index], each.ground);
        me
    }

    /// All other bodies, one after the other: in the order of the records, or just the nearest.
    fn one_by_one(&self, most: Option<usize>) -> Vec<Flock> {
        let order: Vec<u32> = self.grid.records().iter().map(|record| record.index).collect();
        let of = |index: usize| {
            let (me, radii) = (self.me(index), &self.flockers[index].radii);
            let nearest = most.map(|most| self.nearest(&me, most));
            flock(&me, &self.crowd().near(nearest.as_ref().unwrap_or(&order)), radii)
        };
        let found = |index: usize| order.contains(&(index as u32));
        (0..self.position.len()).map(|i| if found(i) { of(i) } else { Flock::default() }).collect()
    }

    /// The nearest others, by sorting all.
    fn nearest(&self, me: &Me, most: usize) -> Vec<u32> {
        let squared = |index: u32| me.plane(self.position[index as usize] - me.position).length_squared();
        let counts = |index: &u32| {
            let velocity = self.velocity[*index as usize];
            self.id[*index as usize] != me.id && squared(*index).is_finite() && velocity.is_finite()
        };
        let mut all: Vec<u32> = (0..self.position.len() as u32).filter(counts).collect();
        all.sort_by(|a, b| {
            let ids = self.id[*a as usize].cmp(&self.id[*b as usize]);
            squared(*a).total_cmp(&squared(*b)).then(ids)
        });
        all.truncate(most);
        all
    }

    /// The same bodies in another order.
    fn shuffled(&self, seed: u64, cell: f32, shape: Shape) -> Self {
        let mut dice = Dice::new(seed, &[7]);
        let mut order: Vec<usize> = (0..self.position.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, dice.below(last as u64 + 1) as usize);
        }
        fn taken<T: Copy>(all: &[T], order: &[usize]) -> Vec<T> {
            order.iter().map(|index| all[*index]).collect()
        }
        let position = taken(&self.position, &order);
        let mut grid = Grid::default();
        grid.rebuild(&position, cell, shape);
        let (velocity, radius) = (taken(&self.velocity, &order), taken(&self.radius, &order));
        let (id, flockers) = (taken(&self.id, &order), taken(&self.flockers, &order));
        Self { position, velocity, radius, id, flockers, grid }
    }

    /// What each wants, by its id.
    fn by_id(&self, flocks: &[Flock]) -> Vec<(u32, [[u32; 3]; 3])> {
        let mut all: Vec<_> = self.id.iter().copied().zip(bits(flocks)).collect();
        all.sort_by_key(|(id, _)| *id);
        all
    }
}

fn flocker(dice: &mut Dice, kind: Kind) -> Flocker {
    let mut radius = || if dice.below(5) == 0 { 0.0 } else { number(dice, 0.3, 4.0) };
    let radii = Radii { separation: radius(), alignment: radius(), cohesion: radius() };
    Flocker {
        radii: if kind.mixed { radii } else { Radii::all(3.0) },
        max_speed: if kind.mixed { number(dice, 0.0, 6.0) } else { 5.0 },
        ground: !kind.volume || (kind.mixed && dice.below(2) == 0),
    }
}

fn bits(flocks: &[Flock]) -> Vec<[[u32; 3]; 3]> {
    let of = |v: Vec3| v.to_array().map(|part| if part == 0.0 { 0 } else { part.to_bits() });
    flocks.iter().map(|flock| [of(flock.separation), of(flock.alignment), of(flock.cohesion)]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_kernel_is_the_function_for_every_body(
        count in 0_usize..140, side in 0.5_f32..40.0, seed in 0_u64..1 << 40,
        volume in any::<bool>(), mixed in any::<bool>(), odd in any::<bool>(), cell in 0.4_f32..8.0,
    ) {
        let case = Case::new(count, side, seed, Kind { volume, mixed, odd, cell });
        let expected = bits(&case.one_by_one(None));
        for level in [Level::Detected, Level::Baseline] {
            let found = bits(&case.kernel(level, None));
            for index in 0..count {
                prop_assert_eq!(found[index], expected[index], "body {} at {:?}", index, level);
            }
        }
    }

    #[test]
    fn of_the_nearest_few_alone_it_is_the_function_of_all_sorted(
        count in 0_usize..140, side in 0.5_f32..40.0, seed in 0_u64..1 << 40, most in 1_usize..80,
        volume in any::<bool>(), mixed in any::<bool>(), odd in any::<bool>(), cell in 0.4_f32..8.0,
    ) {
        let case = Case::new(count, side, seed, Kind { volume, mixed, odd, cell });
        let expected = bits(&case.one_by_one(Some(most.min(MOST_NEIGHBOURS))));
        let crowd = case.crowd();
        let everybody: Vec<u32> = (0..count as u32).rev().collect();
        for level in [Level::Detected, Level::Baseline] {
            let found = bits(&case.kernel(level, Some(most)));
            for index in 0..count {
                prop_assert_eq!(found[index], expected[index], "body {} at {:?}", index, level);
            }
        }
        for index in (0..count).filter(|index| case.position[*index].is_finite()) {
            let near = crowd.near(&everybody);
            let plain = flock_of_nearest(&case.me(index), &near, &case.flockers[index].radii, most);
            prop_assert_eq!(bits(&[plain])[0], expected[index], "body {}", index);
        }
    }

    #[test]
    fn the_nearest_few_are_the_same_in_whatever_order_the_bodies_come(
        count in 2_usize..140, side in 0.5_f32..30.0, seed in 0_u64..1 << 40, most in 1_usize..20,
        volume in any::<bool>(), mixed in any::<bool>(), odd in any::<bool>(), lattice in any::<bool>(),
    ) {
        let kind = Kind { volume, mixed, odd, cell: 3.0 };
        let shape = if volume { Shape::Volume } else { Shape::Ground };
        let mut case = Case::new(count, side, seed, kind);
        if lattice {
            // Many that are equally near.
            case.position.iter_mut().for_each(|place| *place = place.round());
        }
        let (one, other) = (case.shuffled(seed, 3.0, shape), case.shuffled(seed + 1, 3.0, shape));
        let found = |case: &Case, level| case.by_id(&case.kernel(level, Some(most)));
        prop_assert_eq!(found(&one, Level::Detected), found(&other, Level::Detected));
        prop_assert_eq!(found(&one, Level::Detected), found(&other, Level::Baseline));
    }

    #[test]
    fn a_step_of_a_school_is_its_functions_one_after_the_other(
        count in 1_usize..120, side in 0.5_f32..30.0, seed in 0_u64..1 << 40,
        volume in any::<bool>(), odd in any::<bool>(), to_a_goal in any::<bool>(), most in 0_usize..12,
        alone in any::<bool>(),
    ) {
        let case = Case::new(count, side, seed, Kind { volume, mixed: false, odd, cell: 3.0 });
        let rules = SchoolRules {
            limits: Limits::of(0.5, 5.0),
            radii: if alone { Radii::NONE } else { Radii::all(3.0) },
            most: (most > 0).then_some(most),
            weights: Weights::default(),
            ground: !volume,
            goal: to_a_goal.then_some(vec3(9.0, 1.0, 2.0)),
        };
        let expected = one_step(&case, &rules);
        for level in [Level::Detected, Level::Baseline] {
            let (mut position, mut velocity) = (case.position.clone(), case.velocity.clone());
            School::with_level(level).step(&rules, &mut position, &mut velocity, DT);
            for index in (0..count).filter(|index| case.position[*index].is_finite()) {
                prop_assert_eq!((position[index], velocity[index]), expected[index], "{} {:?}", index, level);
            }
        }
    }
}

/// The step of a school by the functions that it is made of.
fn one_step(case: &Case, rules: &SchoolRules) -> Vec<(Vec3, Vec3)> {
    let order: Vec<u32> = case.grid.records().iter().map(|record| record.index).collect();
    let ids: Vec<u32> = (0..case.position.len() as u32).collect();
    let crowd = case.crowd();
    let near = Near { id: &ids, ..crowd.near(&order) };
    let of = |index: usize| {
        let mut me = Me::new(index as u32, case.position[index], Vec3::X, &rules.limits);
        (me.velocity, me.ground) = (case.velocity[index], rules.ground);
        let flock = match rules.most {
            Some(most) => flock_of_nearest(&me, &near, &rules.radii, most),
            None => flock(&me, &near, &rules.radii),
        };
        let bias = flock.sum(&rules.weights);
        let mut wishes = vec![Wish { class: Class::Bias, weight: 1.0, velocity: bias }];
        if let Some(goal) = rules.goal {
            let velocity = (seek::DEF.run)(&me, &Order::to(goal), &Near::NOBODY, DT);
            wishes.push(Wish { class: Class::Goal, weight: 1.0, velocity });
        }
        let desired = combine_weighted(&wishes, me.max_speed, DEFAULT_BIAS_SHARE);
        let velocity = steer(&me, desired, DT);
        (me.position + velocity * DT, velocity)
    };
    (0..case.position.len()).map(of).collect()
}

#[test]
fn a_school_that_swims_on_stays_the_same_at_every_level() {
    let kind = Kind { volume: false, mixed: false, odd: false, cell: 3.0 };
    let case = Case::new(3000, 110.0, 5, kind);
    let rules = SchoolRules {
        limits: Limits::of(0.5, 5.0),
        radii: Radii::all(3.0),
        most: None,
        weights: Weights::default(),
        ground: true,
        goal: Some(vec3(300.0, 0.0, 0.0)),
    };
    let swim = |level| {
        let (mut position, mut velocity) = (case.position.clone(), case.velocity.clone());
        let mut school = School::with_level(level);
        (0..300).for_each(|_| school.step(&rules, &mut position, &mut velocity, DT));
        position
    };
    let wide = swim(Level::Detected);
    assert_eq!(wide, swim(Level::Baseline));
    assert!(wide.iter().all(|place| place.is_finite()) && wide.iter().any(|place| place.x > 40.0));
}

/// Report B1: a crowd that looks at the first few in the order of its grid leans to one side.
#[test]
fn the_eight_nearest_on_a_lattice_pull_to_no_side() {
    let kind = Kind { volume: false, mixed: false, odd: false, cell: 3.0 };
    let mut case = Case::new(121, 30.0, 3, kind);
    case.position = (0..121).map(|i| vec3((i % 11) as f32 * 0.7, 0.0, (i / 11) as f32 * 0.7)).collect();
    case.grid.rebuild(&case.position, 3.0, Shape::Ground);
    let inner = |index: &usize| (2..9).contains(&(index % 11)) && (2..9).contains(&(index / 11));
    for level in [Level::Detected, Level::Baseline] {
        let found = case.kernel(level, Some(8));
        for index in (0..121).filter(inner) {
            let lean = found[index].cohesion.length().max(found[index].separation.length());
            assert!(lean < 1e-4, "body {index} leans by {lean} m/s");
        }
        // Of five not all can be balanced: the test would see a lean.
        assert!(case.kernel(level, Some(5))[60].cohesion.length() > 0.01);
    }
}

#[test]
fn warm_kernels_allocate_nothing() {
    let kind = Kind { volume: false, mixed: false, odd: true, cell: 3.0 };
    let case = Case::new(2000, 80.0, 9, kind);
    let (mut kernel, mut out) = (FlockKernel::default(), vec![Flock::default(); 2000]);
    let mut run = || kernel.run(&case.grid, &case.crowd(), |index| case.flockers[index], &mut out);
    run();
    assert_eq!(counting::allocations(run), 0);
    kernel.most = Some(6);
    let mut run = || kernel.run(&case.grid, &case.crowd(), |index| case.flockers[index], &mut out);
    run();
    assert_eq!(counting::allocations(run), 0);
    let rules = SchoolRules {
        limits: Limits::of(0.5, 5.0),
        radii: Radii::all(3.0),
        most: None,
        weights: Weights::default(),
        ground: true,
        goal: None,
    };
    let (mut position, mut velocity) = (case.position.clone(), case.velocity.clone());
    let mut school = School::default();
    school.step(&rules, &mut position, &mut velocity, DT);
    assert_eq!(counting::allocations(|| school.step(&rules, &mut position, &mut velocity, DT)), 0);
}
