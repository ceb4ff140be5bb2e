//! The rules of a flock may count just the nearest neighbours: which those are is a matter of distance and number, of nothing else.

use warband::math::{Vec3, vec3};
use warband::rng::Dice;
use warband::steer::{Behaviour, Limits, Me, Near, OnePass, Order, alignment, cohesion, separation};
use warband::{Config, Spec, World};

const RULES: [&Behaviour; 3] = [&separation::DEF, &alignment::DEF, &cohesion::DEF];
const COUNT: usize = 24;

struct Crowd {
    position: Vec<Vec3>,
    velocity: Vec<Vec3>,
    radius: Vec<f32>,
    id: Vec<u32>,
}

impl Crowd {
    /// On places of a lattice, so that many are equally near.
    fn new(dice: &mut Dice) -> Self {
        let place = |dice: &mut Dice| {
            vec3(dice.range(-3.0, 3.0).round() as f32, 0.0, dice.range(-3.0, 3.0).round() as f32)
        };
        let velocity =
            |dice: &mut Dice| vec3(dice.range(-2.0, 2.0) as f32, 0.0, dice.range(-2.0, 2.0) as f32);
        Self {
            position: (0..COUNT).map(|_| place(dice)).collect(),
            velocity: (0..COUNT).map(|_| velocity(dice)).collect(),
            radius: vec![0.3; COUNT],
            id: (0..COUNT as u32).map(|at| at * 7 % 101).collect(),
        }
    }

    fn near<'a>(&'a self, indices: &'a [u32]) -> Near<'a> {
        let Self { position, velocity, radius, id } = self;
        Near { indices, position, velocity, radius, id, ..Near::NOBODY }
    }

    /// All others, by distance, then by number.
    fn nearest(&self, me: &Me) -> Vec<u32> {
        let mut others: Vec<u32> = (1..COUNT as u32).collect();
        let key =
            |at: &u32| ((self.position[*at as usize] - me.position).length_squared(), self.id[*at as usize]);
        others.sort_by(|a, b| key(a).partial_cmp(&key(b)).expect("finite"));
        others
    }
}

fn order(radius: f32, most: f32) -> Order {
    Order { numbers: [radius, most, 0.0, 0.0], ..Order::to(Vec3::ZERO) }
}

fn me(crowd: &Crowd) -> Me {
    let mut me = Me::new(crowd.id[0], crowd.position[0], Vec3::X, &Limits::of(0.3, 5.0));
    me.velocity = crowd.velocity[0];
    me
}

#[test]
fn the_nearest_few_count_in_whatever_order_they_come() {
    let mut dice = Dice::new(5, &[]);
    for _ in 0..60 {
        let crowd = Crowd::new(&mut dice);
        let (me, all) = (me(&crowd), (0..COUNT as u32).collect::<Vec<_>>());
        let turned: Vec<u32> = all.iter().rev().copied().collect();
        let nearest = crowd.nearest(&me);
        for rule in RULES {
            for most in [1, 2, 5, 8] {
                let capped = order(9.0, most as f32);
                let few = (rule.run)(&me, &capped, &crowd.near(&all), 0.1);
                assert_eq!(few, (rule.run)(&me, &capped, &crowd.near(&turned), 0.1), "{}", rule.name);
                let alone = (rule.run)(&me, &order(9.0, 0.0), &crowd.near(&nearest[..most]), 0.1);
                assert_eq!(few, alone, "{} of {most}", rule.name);
            }
            let (every, no_cap) = (order(9.0, 64.0), order(9.0, 0.0));
            let sorted = (rule.run)(&me, &no_cap, &crowd.near(&nearest), 0.1);
            assert_eq!((rule.run)(&me, &every, &crowd.near(&all), 0.1), sorted, "{}", rule.name);
        }
    }
}

#[test]
fn a_rule_that_counts_the_nearest_goes_alone() {
    let crowd = Crowd::new(&mut Dice::new(6, &[]));
    let (me, all) = (me(&crowd), (0..COUNT as u32).collect::<Vec<_>>());
    let (capped, free) = (order(9.0, 3.0), order(9.0, 0.0));
    let near = crowd.near(&all);
    let flock = OnePass::new(&me, &near, [("separation", &capped), ("cohesion", &free)].into_iter());
    assert_eq!(flock.of(&me, "separation", &capped), None);
    assert_eq!(flock.of(&me, "cohesion", &free), Some((cohesion::DEF.run)(&me, &free, &near, 0.1)));
    assert_ne!(
        (separation::DEF.run)(&me, &capped, &near, 0.1),
        (separation::DEF.run)(&me, &free, &near, 0.1)
    );
}

#[test]
fn what_is_no_number_of_neighbours_is_told() {
    let mut world = World::new(Config::default());
    for rule in RULES {
        world
            .add_tree(rule.name, &Spec::new(rule.name).set("neighbours", 7))
            .expect("a number of neighbours");
        for wrong in [0.0, 65.0, 1.5] {
            let error =
                world.add_tree("wrong", &Spec::new(rule.name).set("neighbours", wrong)).expect_err("not one");
            let told = error.to_string();
            assert!(told.contains("neighbours"), "{told}");
        }
    }
}
