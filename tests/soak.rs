//! A world with everything on, for a long time: packs that patrol, hunt, besiege, fly and tell each other, a script with
//! coroutines, services, messages and commands, walls, members that die and are replaced, reloads, saves. Nothing
//! that the world holds grows, nothing goes wrong, and a second run comes to the same digests.
//!
//! `WARBAND_SOAK_TICKS=90000 cargo test --test soak` runs longer; `WARBAND_SOAK_SEED` is another run. A day of a game at 60 Hz, as
//! far as anybody waits for it, is `cargo test --release --test soak -- --ignored`.
#![cfg(feature = "lua")]

mod counting;

use std::collections::VecDeque;
use std::path::Path;
use warband::math::direction;
use warband::rng::Dice;
use warband::{
    ActorDesc, ActorId, AgentDesc, AgentId, Config, EventKind, Snapshot, SquadDesc, SquadId, Vec3, Wall,
    Walls, World, vec3,
};

const DT: f64 = 1.0 / 60.0;
/// The trees of the packs; the scripts of these names are shipped, but for the last.
const TREES: [&str; 7] = ["encircle", "siege", "flock", "two_packs", "two_squads", "swarm", "townsman"];
const EACH: usize = 6;

/// A script of everything that the shipped ones have not; `wait` is what a reload changes.
fn townsman(wait: f64) -> String {
    format!(
        r#"
blackboard {{
  agent = {{ rounds = {{ "integer", default = 0 }}, price = "number" }},
  squad = {{ beats = {{ "integer", default = 0 }}, trail = {{ "list", ttl = 1 }} }},
}}

local story = bt.coroutine {{
  run = function(self)
    while true do
      self:wander()
      wait({wait})
      local way = vec3(1, 0, 0) * self.time + self.position
      self.board.rounds = self.board.rounds + 1
      self:append("trail", way)
      if self.board.rounds % 5 == 0 then self:say("round " .. self.board.rounds) end
    end
  end,
}}

local ask = bt.sequence {{
  bt.command {{ name = "price", answer = true, seconds = 2, into = "price" }},
  bt.wait_random {{ low = 0.2, high = 1.5 }},
}}

return bt.tree("townsman", bt.service {{
  interval = 0.5,
  run = function(self) self.memory.beats = (self.memory.beats or 0) + 1 self:increment("beats", 1) end,
  bt.parallel {{
    story,
    bt.repeat_times {{ bt.force_success {{ ask }} }},
    bt.repeat_times {{ bt.sequence {{ bt.wait {{ seconds = 0.7 }}, bt.send {{ name = "step" }} }} }},
    bt.repeat_times {{ bt.force_success {{ bt.receive {{ name = "step" }} }} }},
  }},
}})
"#
    )
}

struct Soak {
    world: World,
    dice: Dice,
    squads: Vec<SquadId>,
    agents: VecDeque<(AgentId, usize)>,
    heroes: Vec<ActorId>,
    /// Commands that wait for the game, and when they are answered.
    asked: Vec<(u64, warband::CommandId)>,
    deaths: u64,
    answers: u64,
    saves: u64,
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A world as the code of a game makes it: scripts and walls.
fn made(seed: u64) -> World {
    let mut world = World::new(Config { seed, ..Config::default() });
    world.set_script_root(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts"));
    for tree in &TREES[..6] {
        world.load(format!("{tree}.lua")).expect("a shipped script is right");
    }
    world.reload("townsman.lua", &townsman(0.4)).unwrap_or_else(|fault| panic!("{fault}"));
    let block = |x: f32, z: f32| Wall::circle(vec3(x, 0.0, z), 2.0).expect("a wall");
    let fence = Wall::segment(vec3(-5.0, 0.0, 30.0), vec3(25.0, 0.0, 30.0)).expect("a wall");
    let walls = Walls::new(vec![block(20.0, 20.0), block(60.0, -10.0), fence]);
    world.set_walls(walls.clone());
    #[cfg(feature = "navmesh")]
    {
        let outline = [
            vec3(-60.0, 0.0, -60.0),
            vec3(150.0, 0.0, -60.0),
            vec3(150.0, 0.0, 150.0),
            vec3(-60.0, 0.0, 150.0),
        ];
        let mesh = warband::nav::NavMesh::new(&outline, &walls, &[0.5]);
        world.set_navigation(mesh.expect("there is room"));
    }
    world
}

fn den(pack: usize) -> Vec3 {
    vec3((pack % 3) as f32 * 40.0, 0.0, (pack / 3) as f32 * 40.0)
}

impl Soak {
    fn new(seed: u64) -> Self {
        let mut world = made(seed);
        let heroes = (0..3).map(|at| {
            world.add_actor(ActorDesc { tokens: vec![("melee".into(), 2)], ..ActorDesc::at(den(at)) })
        });
        let heroes = heroes.collect();
        let squads = TREES.iter().enumerate().map(|(pack, tree)| {
            let route = vec![den(pack), den(pack) + vec3(8.0, 0.0, 0.0), den(pack) + vec3(8.0, 0.0, 8.0)];
            let desc =
                SquadDesc { name: (*tree).into(), team: Some("all".into()), route, ..SquadDesc::default() };
            world.add_squad(desc).expect("new")
        });
        let squads = squads.collect();
        let (dice, agents, asked) = (Dice::new(seed, &[5]), VecDeque::new(), Vec::new());
        let mut soak = Self { world, dice, squads, agents, heroes, asked, deaths: 0, answers: 0, saves: 0 };
        for _ in 0..EACH {
            (0..TREES.len()).for_each(|pack| soak.spawn(pack));
        }
        soak
    }

    fn spawn(&mut self, pack: usize) {
        let turn = self.dice.range(0.0, std::f64::consts::TAU) as f32;
        let place = den(pack) + direction(turn) * self.dice.range(1.0, 6.0) as f32;
        let (tree, flies) = (TREES[pack].to_owned(), TREES[pack] == "swarm");
        let desc = AgentDesc { tree, flies, facing: direction(turn), ..AgentDesc::at(place) };
        let agent = self.world.spawn(self.squads[pack], desc).expect("there is room");
        self.world.set_history(agent, 16);
        self.agents.push_back((agent, pack));
    }

    /// Heroes walk through all the packs, and are out of the world now and then.
    fn play(&mut self, tick: u64) {
        for (at, hero) in self.heroes.iter().enumerate() {
            let turn = tick as f32 * 0.0015 + at as f32 * 2.1;
            let place = vec3(40.0, 0.0, 20.0) + direction(turn) * vec3(45.0, 0.0, 25.0);
            self.world.set_present(*hero, (tick / 700 + at as u64) % 4 != 3);
            self.world.set_actor(*hero, place, direction(turn + 1.57) * 3.0);
        }
        if tick.is_multiple_of(250) {
            self.world.noise(den(self.dice.below(7) as usize), 30.0, self.heroes[0].entity());
        }
    }

    fn tick(&mut self, tick: u64) {
        self.play(tick);
        while let Some(next) = self.asked.iter().position(|(at, _)| *at <= tick) {
            let (_, id) = self.asked.remove(next);
            // Whoever asked may have fallen since.
            if self.world.exists(id.agent()) {
                self.world.answer_with(id, self.dice.below(4) > 0, self.dice.unit());
                self.answers += 1;
            }
        }
        // Long frames and none are part of a day.
        let dt = match self.dice.below(100) {
            0 => 0.3,
            1 => 0.0,
            _ => DT,
        };
        self.world.tick(dt);
        for command in self.world.commands().iter().filter(|command| command.waits) {
            self.asked.push((tick + 1 + self.dice.below(40), command.id));
        }
        for event in self.world.events() {
            if let EventKind::Cancelled { command, .. } = &event.kind {
                self.asked.retain(|(_, id)| id != command);
            }
        }
        assert!(self.world.all_problems().is_empty(), "tick {tick}: {:?}", self.world.all_problems());
        if tick.is_multiple_of(40) {
            self.replace();
        }
        if tick % 600 == 300 {
            let wait = if tick % 1200 == 300 { 0.5 } else { 0.4 };
            self.world.reload("townsman.lua", &townsman(wait)).expect("right");
        }
        if tick % 900 == 450 {
            self.save();
        }
    }

    /// The longest in the field falls, and another comes in its place.
    fn replace(&mut self) {
        let (agent, pack) = self.agents.pop_front().expect("some");
        self.world.remove(agent);
        self.deaths += 1;
        self.spawn(pack);
    }

    /// Puts the world into a file and takes it back.
    fn save(&mut self) {
        let digest = self.world.digest();
        let bytes = self.world.snapshot().to_bytes().expect("it can be encoded");
        let snapshot = Snapshot::from_bytes(&bytes).expect("it is whole");
        self.world.restore(&snapshot).expect("of this world");
        assert_eq!(self.world.digest(), digest);
        self.saves += 1;
    }
}

/// How many looks there are in a run.
const LOOKS: u64 = 20;

/// How many ticks there are between two times that the world is asked what it holds.
const ASKED: u64 = 50;

/// The digest at a look, and what was held on average in the ticks since the one before, bytes: what the allocator gave, what
/// the world says, and what Lua holds.
struct Look {
    digest: u64,
    held: [f64; 3],
}

fn run(seed: u64, ticks: u64) -> (Soak, Vec<Look>) {
    let before = counting::live_bytes();
    let mut soak = Soak::new(seed);
    let (mut looks, every) = (Vec::with_capacity(LOOKS as usize), (ticks / LOOKS).max(1));
    let mut sum = [0; 3];
    for tick in 1..=ticks {
        soak.tick(tick);
        sum[0] += counting::live_bytes() - before;
        sum[2] += soak.world.script_memory() as i64;
        if tick.is_multiple_of(ASKED) {
            sum[1] += soak.world.memory().total() as i64 * ASKED as i64;
        }
        if tick.is_multiple_of(every) {
            looks.push(Look { digest: soak.world.digest(), held: sum.map(|sum| sum as f64 / every as f64) });
            sum = [0; 3];
        }
    }
    (soak, looks)
}

/// What was held on average, bytes.
fn mean(looks: &[Look]) -> [f64; 3] {
    [0, 1, 2].map(|at| looks.iter().map(|look| look.held[at]).sum::<f64>() / looks.len() as f64)
}

/// What may be held beside what was held early: the same, but for what happens to be alive.
const MORE: [(&str, f64); 3] = [("allocated", 1.03), ("of the world", 1.03), ("of Lua", 1.05)];

/// Whether the later looks came to no more than the early ones.
fn grew(early: &[Look], late: &[Look]) {
    for ((early, late), (what, most)) in mean(early).into_iter().zip(mean(late)).zip(MORE) {
        println!("bytes {what}: {early:.0} early, {late:.0} late, {:+.2} %", (late / early - 1.0) * 100.0);
        assert!(late <= early * most, "{early} bytes {what} early, {late} late");
    }
}

fn soak(ticks: u64) {
    let seed = number("WARBAND_SOAK_SEED", 3);
    let (soak, looks) = run(seed, ticks);
    println!("{ticks} ticks: {} fell, {} answers, {} saves", soak.deaths, soak.answers, soak.saves);
    // In the first tenth buffers still find their size.
    let (warm, half) = (looks.len() / 10, looks.len() * 11 / 20);
    println!("the first half beside the second:");
    grew(&looks[warm..half], &looks[half..]);
    println!("up to a tenth of the ticks beside up to the last:");
    grew(&looks[warm - 1..warm], &looks[looks.len() - 1..]);
    let busy = soak.deaths >= ticks / 40 && soak.answers > ticks / 60 && soak.saves >= ticks / 1000;
    assert!(busy, "a soak that does something");
    drop(soak);
    if ticks <= AGAIN {
        let again = run(seed, ticks).1;
        let digests = |looks: &[Look]| looks.iter().map(|look| look.digest).collect::<Vec<_>>();
        assert_eq!(digests(&again), digests(&looks), "a second run is another one");
    }
}

/// Runs of up to so many ticks are run twice.
const AGAIN: u64 = 100_000;

#[test]
fn everything_at_once_grows_nothing_and_repeats() {
    soak(number("WARBAND_SOAK_TICKS", 20_000));
}

#[test]
#[ignore = "a million ticks take a quarter of an hour"]
fn a_day_grows_nothing() {
    soak(number("WARBAND_SOAK_TICKS", 1_000_000));
}
