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
fn rules_with_one_cap_go_together_and_the_others_alone() {
    let crowd = Crowd::new(&mut Dice::new(6, &[]));
    let (me, all) = (me(&crowd), (0..COUNT as u32).collect::<Vec<_>>());
    let near = crowd.near(&all);
    let caps = [0.0, 3.0, 6.0];
    for mix in (0..27).map(|at| [caps[at % 3], caps[at / 3 % 3], caps[at / 9]]) {
        let orders = [order(4.0, mix[0]), order(9.0, mix[1]), order(6.0, mix[2])];
        let rules = || RULES.into_iter().zip(&orders);
        let flock = OnePass::new(&me, &near, rules().map(|(rule, order)| (rule.name, order)));
        for (rule, order) in rules() {
            let alone = (rule.run)(&me, order, &near, 0.1);
            let together = order.numbers[1] == mix[0];
            assert_eq!(
                flock.of(&me, rule.name, order),
                together.then_some(alone),
                "{} of {mix:?}",
                rule.name
            );
        }
    }
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
            assert!(told.contains("neighbours") && told.contains("between 1 and 64"), "{told}");
        }
    }
}

#[cfg(feature = "lua")]
#[test]
fn what_is_no_number_of_neighbours_is_told_to_scripts_too() {
    use warband::{AgentDesc, SquadDesc};
    let script = |most: &str| {
        format!(
            "return bt.tree('herd', bt.action {{ tick = function(self) return self:cohesion({{ neighbours = {most} }}) end }})"
        )
    };
    for (most, wrong) in [("7", false), ("1.5", true), ("0", true), ("65", true)] {
        let file = std::env::temp_dir().join(format!("warband-cap-{}-{most}.lua", std::process::id()));
        std::fs::write(&file, script(most)).expect("the folder can be written to");
        let mut world = World::new(Config::default());
        world.load(&file).expect("it loads");
        std::fs::remove_file(&file).expect("it is there");
        let squad = world.add_squad(SquadDesc::default()).expect("a new squad");
        world
            .spawn(squad, AgentDesc { tree: "herd".into(), ..AgentDesc::at(Vec3::ZERO) })
            .expect("a new agent");
        world.tick(0.1);
        let told =
            world.all_problems().iter().any(|problem| problem.error.to_string().contains("between 1 and 64"));
        assert_eq!(told, wrong, "{most}: {:?}", world.all_problems());
    }
}
