mod crowd;
use crowd::*;
use warband::*;
const DT: f64 = 1.0 / 60.0;

#[test]
fn probe() {
    let x = |x: f32, z: f32| vec3(x, 0.0, z);
    // head on
    for speed in [3.0f32, 5.0] {
        let mut c = Crowd::new(Config::default());
        c.limits = Limits { max_acceleration: 20.0, ..Limits::of(0.5, speed) };
        c.walker(x(-5., 0.), x(5., 0.));
        c.walker(x(5., 0.), x(-5., 0.));
        println!("head-on {speed}: {:.2} s gap {:.3}", c.until_arrived(15., DT), c.gap);
        let mut c = Crowd::new(Config::default());
        c.limits = Limits { max_acceleration: 20.0, ..Limits::of(0.5, speed) };
        for (a, b) in [(5., 0.), (0., 5.), (-5., 0.), (0., -5.)] {
            c.walker(x(a, b), x(-a, -b));
        }
        println!("4 crossing {speed}: {:.2} s gap {:.3}", c.until_arrived(15., DT), c.gap);
    }
    // near head on
    for off in [0.01, 0.05, 0.2, 0.5] {
        let mut c = Crowd::walking(&[(x(-5., 0.), x(5., 0.)), (x(5., off), x(-5., off))]);
        println!("near head-on {off}: {:.2} s gap {:.3}", c.until_arrived(15., DT), c.gap);
    }
    // wall of 5
    let mut c = Crowd::new(Config::default());
    c.walker(x(-6., 0.), x(6., 0.));
    for i in -2..=2 {
        c.idler(x(0., i as f32 * 1.05));
    }
    let before = c.places();
    let t = c.until_arrived(15., DT);
    c.run(4.0, DT);
    let back = (1..6).map(|i| c.at(i).distance(before[i])).fold(0.0, f32::max);
    println!("wall of 5: {t:.2} s gap {:.3} back {back:.3}", c.gap);
    // passer
    for off in [0.0, 0.3, 0.6, 0.9, 1.1] {
        let mut c = Crowd::new(Config::default());
        c.walker(x(-6., off), x(6., off));
        c.idler(x(0., 0.));
        let mut far: f32 = 0.0;
        for _ in 0..300 {
            c.tick(DT);
            far = far.max(c.at(1).length());
        }
        println!(
            "passer off {off}: arrived {} gap {:.3}, idle moved {far:.3} back {:.3}",
            c.arrived(),
            c.gap,
            c.at(1).length()
        );
    }
    // crowd of 49 idle, walker through
    let mut c = Crowd::new(Config::default());
    c.walker(x(-8., 0.3), x(8., 0.3));
    for p in lattice(49, 1.3, Vec3::ZERO) {
        c.idler(p);
    }
    let before = c.places();
    let t = c.until_arrived(20., DT);
    c.run(4.0, DT);
    let back = (1..50).map(|i| c.at(i).distance(before[i])).fold(0.0, f32::max);
    println!("through 49: {t:.2} s gap {:.3} back {back:.3}", c.gap);
    // doorway
    for width in [1.2f32, 1.5, 2.4] {
        let mut c = Crowd::walking(&[(x(-6., 0.), x(6., 0.)), (x(6., 0.), x(-6., 0.))]);
        c.door(width);
        println!("door {width} two: {:.2} s gap {:.3}", c.until_arrived(30., DT), c.gap);
        let mut c = Crowd::new(Config::default());
        for (i, p) in lattice(10, 1.2, x(-5., 0.)).into_iter().enumerate() {
            c.walker(p, x(6. + (i / 4) as f32 * 1.3, (i % 4) as f32 * 1.3 - 2.0));
        }
        c.door(width);
        println!(
            "door {width} ten: {:.2} s gap {:.3} arrived {}",
            c.until_arrived(30., DT),
            c.gap,
            c.arrived()
        );
    }
    // streams
    let mut c = Crowd::new(Config::default());
    for i in 0..10 {
        let (a, b) = (i % 2, i / 2);
        let z = a as f32 * 1.2 - 0.6;
        let dx = b as f32 * 1.2;
        c.walker(x(-8. - dx, z), x(8. + 5. - dx, z));
        c.walker(x(8. + dx, z), x(-8. - 5. + dx, z));
    }
    c.walls(&[(x(-30., 2.), x(30., 2.)), (x(-30., -2.), x(30., -2.))]);
    println!("streams: {:.2} s gap {:.3} arrived {}", c.until_arrived(40., DT), c.gap, c.arrived());
    // packing
    for hz in [10.0, 30., 60., 144.] {
        let mut c = Crowd::new(Config::default());
        for p in lattice(40, 1.5, x(-12., 3.)) {
            c.walker(p, x(0., 0.));
        }
        c.run(30.0, 1.0 / hz);
        c.walked.iter_mut().for_each(|w| *w = 0.0);
        let g = least_gap(&c.places(), 0.5);
        let all = c.gap;
        c.run(10.0, 1.0 / hz);
        let far = c.places().iter().map(|p| p.length()).fold(0.0, f32::max);
        println!(
            "packing {hz}: walked {:.4} gap {g:.3} (ever {all:.3}) farthest {far:.2} arrived {}",
            c.walked.iter().copied().fold(0.0, f32::max),
            c.world.outputs().filter(|o| o.arrived).count()
        );
    }
    // coincident
    for n in [2, 10, 50, 100] {
        let mut c = Crowd::new(Config::default());
        for _ in 0..n {
            c.idler(x(5., 5.));
        }
        c.run(3.0, DT);
        let g = least_gap(&c.places(), 0.5);
        c.walked.iter_mut().for_each(|w| *w = 0.0);
        c.run(1.0, DT);
        println!("on one point {n}: gap {g:.3}, then motion {:.5}", c.walked.iter().sum::<f32>());
    }
    // chase
    let mut w = Crowd::new(Config::default());
    w.world.add_tree("chase", &Spec::new("direct_chase")).unwrap();
    let hero = w.world.add_actor(ActorDesc::at(Vec3::ZERO));
    for p in lattice(20, 1.3, x(-12., 0.)) {
        let id = w.world.spawn(w.squad, AgentDesc { tree: "chase".into(), ..AgentDesc::at(p) }).unwrap();
        w.agents.push(id);
        w.goals.push(None);
        w.walked.push(0.0);
    }
    for t in 0..900 {
        let _ = t;
        w.world.set_actor(hero, Vec3::ZERO, Vec3::ZERO);
        w.tick(DT);
    }
    let far = w.places().iter().map(|p| p.length()).fold(0.0, f32::max);
    println!(
        "M5: mean speed {:.4} gap ever {:.3} far {far:.2}",
        w.speeds().iter().sum::<f32>() / 20.0,
        w.gap
    );
    let mut g = f32::MAX;
    for t in 0..1200 {
        let a = t as f32 / 60.0 * 0.8;
        let p = x(6.0 * a.cos() - 6.0, 6.0 * a.sin());
        w.world.set_actor(hero, p, Vec3::ZERO);
        w.tick(DT);
        g = g.min(least_gap(&w.places(), 0.5));
    }
    println!("moving chase: gap {g:.3}");
}

#[test]
fn late() {
    let x = |x: f32, z: f32| vec3(x, 0.0, z);
    let tell = |c: &Crowd| {
        for i in 0..c.agents.len() {
            let (p, g) = (c.at(i), c.goals[i].unwrap());
            let o = c.world.output(c.agents[i]).unwrap();
            if p.distance(g) > 0.5 {
                println!(
                    "  {i} at {p:.2} goal {g:.2} blocked {} arrived {} v {:.2}",
                    o.blocked, o.arrived, o.velocity
                );
                for j in 0..c.agents.len() {
                    if j != i && c.at(j).distance(p) < 1.3 {
                        println!("     near {j} at {:.2} goal {:.2}", c.at(j), c.goals[j].unwrap());
                    }
                }
            }
        }
    };
    for width in [1.2, 1.5, 2.4] {
        let mut crowd = Crowd::new(Config::default());
        for (at, from) in lattice(10, 1.2, x(-5.0, 0.0)).into_iter().enumerate() {
            crowd.walker(from, x(6.0 + (at / 4) as f32 * 1.3, (at % 4) as f32 * 1.3 - 2.0));
        }
        crowd.door(width);
        println!(
            "door {width} ten: {:.2} s gap {:.3} arrived {}",
            crowd.until_arrived(20., DT),
            crowd.gap,
            crowd.arrived()
        );
        tell(&crowd);
    }
    for (half, apart) in [(2.0_f32, 1.2_f32), (3.0, 1.5)] {
        let mut crowd = Crowd::new(Config::default());
        for at in 0..10 {
            let (aside, back) = ((at % 2) as f32 * apart - 0.5 * apart, (at / 2) as f32 * 1.2);
            crowd.walker(x(-8.0 - back, aside), x(13.0 - back, aside));
            crowd.walker(x(8.0 + back, aside), x(-13.0 + back, aside));
        }
        crowd.walls(&[(x(-30.0, half), x(30.0, half)), (x(-30.0, -half), x(30.0, -half))]);
        println!(
            "streams {half}: {:.2} s gap {:.3} arrived {}",
            crowd.until_arrived(30., DT),
            crowd.gap,
            crowd.arrived()
        );
        tell(&crowd);
    }
}

use field::common;
#[test]
fn n1dump() {
    let den = vec3(-16.0, 0.0, 0.0);
    for seed in [13u64] {
        for rate in [30.0, 60.0, 144.0] {
            let mut hunt = common::Hunt::new(seed, 3, den);
            hunt.world.set_route(
                hunt.pack,
                vec![den + vec3(3.0, 0.0, 0.0), den - vec3(9.0, 0.0, 0.0)],
                RouteOrder::Loop,
            );
            let dt = 1.0 / rate;
            for tick in 1..=(3.2 * rate) as usize {
                let t = tick as f64 * dt;
                hunt.tick(
                    if t + 1e-9 >= 1.0 && t < 19.7 { Vec3::ZERO } else { vec3(300., 0., 0.) },
                    Vec3::ZERO,
                    dt,
                );
                if (t * 5.0).fract() < dt * 5.0 - 1e-9 {
                    print!("{seed} {rate} t {t:.2}:");
                    for o in hunt.world.outputs() {
                        print!(" {} {:.2} {:.2}", o.mode, o.position, o.velocity);
                    }
                    println!();
                }
            }
        }
    }
}
#[test]
fn unrest() {
    for hz in [30.0, 60.0] {
        let mut c = Crowd::new(Config::default());
        for p in lattice(40, 1.5, vec3(-12., 0.0, 3.)) {
            c.walker(p, Vec3::ZERO);
        }
        c.run(30.0, 1.0 / hz);
        c.walked.fill(0.0);
        c.run(10.0, 1.0 / hz);
        for i in 0..40 {
            if c.walked[i] > 0.05 {
                let o = c.world.output(c.agents[i]).unwrap();
                println!(
                    "{hz} {i} walked {} at {:.2} v {:.2} arrived {} blocked {}",
                    c.walked[i], o.position, o.velocity, o.arrived, o.blocked
                );
                for j in 0..40 {
                    if j != i && c.at(j).distance(c.at(i)) < 1.4 {
                        let o = c.world.output(c.agents[j]).unwrap();
                        println!(
                            "    {j} at {:.2} ({:.2}) arrived {}",
                            o.position,
                            c.at(j).distance(c.at(i)),
                            o.arrived
                        );
                    }
                }
            }
        }
    }
}
#[test]
fn post() {
    let tree = Spec::new("patrol");
    let mut world = World::new(Config::default());
    world.add_tree("tree", &tree).unwrap();
    let desc = SquadDesc { name: "pack".into(), route: vec![Vec3::ZERO], ..SquadDesc::default() };
    let squad = world.add_squad(desc).unwrap();
    let mut dice = warband::rng::Dice::new(1, &[3]);
    for at in common::clump(&mut dice, 8, vec3(-12., 0., 0.), 4.0) {
        world.spawn(squad, AgentDesc { tree: "tree".into(), ..AgentDesc::at(at) }).unwrap();
    }
    for t in 0..1200 {
        world.tick(DT);
        if t % 120 == 119 {
            for o in world.outputs() {
                print!("{:.2} {:.2} {} | ", o.position, o.velocity.length(), o.arrived);
            }
            println!();
        }
    }
}
#[path = "field/mod.rs"]
mod field;
#[test]
fn reports() {
    for (id, f) in field::REPORTS {
        for m in f() {
            println!(
                "{id}: {} = {} ({}) {}",
                m.what,
                m.value,
                m.bound,
                if m.holds() { "" } else { "NOT HELD" }
            );
        }
    }
}
