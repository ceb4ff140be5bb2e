//! What the detail of movement, and lists of neighbours that are kept, save: 20,000 agents that walk in packs of eight, with a focus at one corner of their ground, steered in every
//! step and in turns; the two are ticked in turn, so that both meet the same machine. A time is the median of a tick, and of its steering.
//!
//! `cargo bench --no-default-features --bench detail`

use std::time::{Duration, Instant};
use warband::{AgentDesc, Config, Spec, SquadDesc, Vec3, World, vec3};

const DT: f64 = 1.0 / 60.0;
const AGENTS: usize = 20_000;
/// How often each has its turn, and how many ticks that is.
const TURNS: usize = 9;
const TICKS: usize = 20;

/// What packs do: walk a round of so many by 8 m, or flock, their middles so many metres apart.
#[derive(Clone, Copy)]
enum Work {
    Walk(f32),
    Flock(f32),
}

/// Packs on a square.
fn world(config: Config, work: Work, avoid: bool) -> World {
    let mut world = World::new(config);
    let node = Spec::new;
    let flock = node("blend").with(node("wander")).with(node("separation"));
    let flock = flock.with(node("alignment")).with(node("cohesion"));
    let (tree, long, apart) = match work {
        Work::Walk(long) => (node("patrol"), long, 16.0),
        Work::Flock(apart) => (flock, apart - 8.0, apart),
    };
    world.add_tree("walk", &tree).expect("right");
    let side = ((AGENTS / 8) as f32).sqrt().ceil() as usize;
    for pack in 0..AGENTS / 8 {
        let from = vec3((pack % side) as f32 * (long + 8.0), 0.0, (pack / side) as f32 * apart);
        let round = [(0.0, 0.0), (long, 0.0), (long, 8.0), (0.0, 8.0)];
        let route = round.map(|(x, z)| from + vec3(x, 0.0, z)).to_vec();
        let name = format!("pack {pack}");
        let squad = world.add_squad(SquadDesc { name, route, ..SquadDesc::default() }).expect("new");
        for at in 0..8 {
            let place = from + vec3((at % 4) as f32 * 1.5, 0.0, (at / 4) as f32 * 1.5);
            let desc = AgentDesc { tree: "walk".into(), avoid, ..AgentDesc::at(place) };
            world.spawn(squad, desc).expect("new");
        }
    }
    world.set_focus(&[Vec3::ZERO]);
    (0..120).for_each(|_| world.tick(DT));
    world
}

#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn ticked(world: &mut World, times: &mut Vec<(f64, f64, f64)>) {
    for _ in 0..TICKS {
        let start = Instant::now();
        world.tick(DT);
        let all: Duration = start.elapsed();
        times.push((all.as_secs_f64(), world.timings().steer, world.timings().act));
    }
}

fn median(times: &[(f64, f64, f64)], of: impl Fn(&(f64, f64, f64)) -> f64) -> f64 {
    let mut times: Vec<f64> = times.iter().map(of).collect();
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2] * 1e3
}

fn measure(name: &str, work: Work, avoid: bool, configs: [Config; 2]) {
    let mut worlds = configs.map(|config| world(config, work, avoid));
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..TURNS {
        worlds.iter_mut().zip(&mut times).for_each(|(world, times)| ticked(world, times));
    }
    let coasting = worlds[1].coasting() as f64 / AGENTS as f64;
    let [plain, other] =
        times.map(|times| (median(&times, |t| t.0), median(&times, |t| t.1), median(&times, |t| t.2)));
    println!(
        "detail/{name}: tick {:.2} and {:.2} ms (x {:.2}), steer {:.2} and {:.2} ms (x {:.2}), act {:.2} and {:.2} ms; {:.0} % coast",
        plain.0,
        other.0,
        plain.0 / other.0,
        plain.1,
        other.1,
        plain.1 / other.1,
        plain.2,
        other.2,
        coasting * 100.0
    );
}

fn main() {
    let plain = || Config { threads: 1, ..Config::default() };
    let coarse = || Config { steer_detail: vec![(60.0, 0.1), (150.0, 0.25)], ..plain() };
    let kept = || Config { neighbour_refresh: 0.1, ..plain() };
    measure("flock_20k_thin_kept", Work::Flock(12.0), false, [plain(), kept()]);
    measure("flock_20k_thick_kept", Work::Flock(5.0), false, [plain(), kept()]);
    measure("walk_20k_40m_avoid_kept", Work::Walk(40.0), true, [plain(), kept()]);
    measure("walk_20k_40m", Work::Walk(40.0), false, [plain(), coarse()]);
    measure("walk_20k_40m_avoid", Work::Walk(40.0), true, [plain(), coarse()]);
    measure("walk_20k_12m_avoid", Work::Walk(12.0), true, [plain(), coarse()]);
}
