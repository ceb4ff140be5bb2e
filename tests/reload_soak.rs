//! Thousands of random edits of scripts under a running fight of 200 agents: good ones, broken ones, half-written
//! ones, ones that err when they run, renames, touches, bursts. Events go into the debouncer as data, on a clock and
//! a disk of the test.
//!
//! `WARBAND_SOAK_EDITS=10000 cargo test --test reload_soak` runs longer; `WARBAND_SOAK_SEED` is another run.
#![cfg(feature = "lua")]

use std::collections::BTreeMap;
use std::time::Duration;
use warband::reload::{Change, Disk, EVERYTHING, Found, QuietRules, Settling};
use warband::rng::Dice;
use warband::{
    ActorDesc, AgentDesc, AgentId, BoardOf, Config, EventKind, SquadDesc, Value, Vec3, World, vec3,
};

const DT: f64 = 1.0 / 60.0;
const TICK: Duration = Duration::from_millis(16);
const SCRIPTS: [&str; 2] = ["hound.lua", "wolf.lua"];
const FILES: [&str; 4] = ["hound.lua", "moves.lua", "tuning.lua", "wolf.lua"];
/// How many ticks a version is on trial.
const TRIAL: u64 = 30;

/// What is right or wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    /// It is right, and says this number.
    Good(u64),
    /// It errs when an agent runs it.
    Errs(u64),
    /// It cannot be loaded.
    Broken,
}

/// The text of a file that says `mark`.
fn good(file: &str, mark: u64) -> String {
    let radius = 5.0 + (mark % 7) as f64;
    let leaf = |sum: &str| {
        format!(
            "bt.action {{ tick = function(self)\n    self.board.seen = {sum}\n    return \"running\"\n  end }}"
        )
    };
    let tree = |name: &str, leaf: &str, movement: &str| {
        format!(
            "blackboard {{ agent = {{ seen = {{ \"number\", default = 0 }}, kept = {{ \"integer\", default = 0 }} }} }}\n\
             local tuning = require \"tuning\"\nlocal mark = {mark}\n{}\
             return bt.tree(\"{name}\", bt.parallel {{ success = \"all\",\n  {movement},\n  {leaf},\n}})\n",
            if name == "wolf" { "local moves = require \"moves\"\n" } else { "" },
        )
    };
    match file {
        "tuning.lua" => format!("return {{ mark = {mark}, radius = {radius} }}\n"),
        "moves.lua" => {
            format!("local mark = {mark}\nreturn function(self)\n  return mark + 0 * self.key\nend\n")
        }
        "wolf.lua" => tree(
            "wolf",
            &leaf("mark * 1e10 + tuning.mark * 1e5 + moves(self)"),
            "bt.formation { radius = tuning.radius, hold = true }",
        ),
        _ => tree("hound", &leaf("mark * 1e10 + tuning.mark * 1e5"), "bt.wait { seconds = tuning.radius }"),
    }
}

/// A text that loads and errs when it runs; only where a file has code that runs.
fn erring(file: &str, mark: u64) -> Option<String> {
    let text = good(file, mark);
    match file {
        "tuning.lua" => None,
        "moves.lua" => Some(text.replace("return mark + 0 * self.key", "return mark + self.nothing")),
        _ => Some(text.replace("self.board.seen =", "self.board.sene =")),
    }
}

fn broken(file: &str, mark: u64, dice: &mut Dice) -> String {
    let text = good(file, mark);
    match dice.below(4) {
        0 => text.replace("return", "retrun"),
        1 => format!("{text})"),
        2 => format!("error(\"at load\")\n{text}"),
        _ => text[..dice.below(text.len() as u64 - 3) as usize].to_owned(),
    }
}

/// The disk, with what is right or wrong with each file.
#[derive(Default)]
struct Memory(BTreeMap<String, (String, Text)>);

impl Disk for Memory {
    fn read(&mut self, name: &str) -> Found {
        self.0.get(name).map_or(Found::Gone, |(text, _)| Found::Text(text.clone()))
    }
    fn names(&mut self, names: &mut Vec<String>) {
        names.extend(self.0.keys().cloned());
    }
}

/// What a script ought to be now.
#[derive(Clone, Copy, Debug, Default)]
struct Live {
    /// What its agents ought to say.
    seen: f64,
    /// What they go back to if it errs.
    good: f64,
    /// The tick up to which it is on trial; 0 for not at all.
    until: u64,
    /// Those of one change go back together.
    change: u64,
}

struct Soak {
    world: World,
    agents: Vec<(AgentId, &'static str)>,
    settling: Settling,
    disk: Memory,
    /// What was delivered to the world of each file.
    delivered: BTreeMap<String, (String, Text)>,
    live: BTreeMap<&'static str, Live>,
    now: Duration,
    dice: Dice,
    marks: u64,
    /// Writes that are still to come.
    later: Vec<(Duration, &'static str, String, Text)>,
    /// Whether both scripts wait for the same change.
    stuck: bool,
    changes: u64,
    swaps: u64,
    rollbacks: u64,
    refusals: u64,
}

fn files_of(script: &str) -> &'static [&'static str] {
    if script == "wolf.lua" { &["wolf.lua", "tuning.lua", "moves.lua"] } else { &["hound.lua", "tuning.lua"] }
}

impl Soak {
    fn new(seed: u64) -> Self {
        let mut world = World::new(Config { seed, ..Config::default() });
        let mut disk = Memory::default();
        for file in FILES {
            disk.0.insert(file.into(), (good(file, 1), Text::Good(1)));
        }
        let all =
            disk.0.iter().map(|(path, (text, _))| Change { path: path.clone(), text: Some(text.clone()) });
        world.reload_all(&all.collect::<Vec<_>>()).expect("no script yet");
        SCRIPTS.iter().for_each(|script| world.load(script).expect("right"));
        let agents = people(&mut world);
        let mut settling = Settling::new(QuietRules::default());
        settling.prime(&mut disk, Duration::ZERO);
        let delivered = disk.0.clone();
        let (live, dice) = (BTreeMap::new(), Dice::new(seed, &[1]));
        let mut soak = Self {
            world,
            agents,
            settling,
            disk,
            delivered,
            live,
            dice,
            now: Duration::ZERO,
            marks: 1,
            later: Vec::new(),
            stuck: false,
            changes: 100,
            swaps: 0,
            rollbacks: 0,
            refusals: 0,
        };
        for script in SCRIPTS {
            let seen = soak.says(script).expect("right");
            soak.live.insert(script, Live { seen, good: seen, until: 0, change: 0 });
        }
        soak
    }

    /// What the delivered files of a script make its agents say; `None` if they cannot be loaded.
    fn says(&self, script: &str) -> Option<f64> {
        let factors = [1e10, 1e5, 1.0];
        files_of(script).iter().zip(factors).try_fold(0.0, |sum, (file, factor)| {
            match self.delivered[*file].1 {
                Text::Good(mark) | Text::Errs(mark) => Some(sum + mark as f64 * factor),
                Text::Broken => None,
            }
        })
    }

    fn errs(&self, script: &str) -> bool {
        files_of(script).iter().any(|file| matches!(self.delivered[*file].1, Text::Errs(_)))
    }

    fn write(&mut self, file: &str, text: String, state: Text) {
        self.disk.0.insert(file.into(), (text, state));
        let events = 1 + self.dice.below(3);
        (0..events).for_each(|_| self.settling.on_event(file, self.now));
    }

    fn edit(&mut self) {
        let file = FILES[self.dice.below(4) as usize];
        self.marks += 1;
        let mark = self.marks % 100_000;
        match self.dice.below(12) {
            0..=3 => self.write(file, good(file, mark), Text::Good(mark)),
            4 => {
                let text = broken(file, mark, &mut self.dice);
                self.write(file, text, Text::Broken);
            }
            5 => {
                if let Some(text) = erring(file, mark) {
                    self.write(file, text, Text::Errs(mark));
                }
            }
            6 => self.write_in_two(file, mark),
            7 => {
                // Removed and made anew under the same name, as by a rename.
                self.disk.0.remove(file);
                self.settling.on_event(file, self.now);
                self.settling.on_event("tuning.lua.tmp", self.now);
                let later = self.now + Duration::from_millis(self.dice.below(60));
                self.later.push((later, file, good(file, mark), Text::Good(mark)));
            }
            8 => self.settling.on_event(file, self.now),
            9 => self.settling.on_event(EVERYTHING, self.now),
            10 => {
                let (text, state) =
                    self.disk.0.get(file).cloned().unwrap_or((good(file, mark), Text::Good(mark)));
                self.write(file, text, state);
            }
            _ => {
                for file in FILES {
                    self.write(file, good(file, mark), Text::Good(mark));
                }
            }
        }
    }

    fn write_in_two(&mut self, file: &'static str, mark: u64) {
        let text = good(file, mark);
        let half = text[..self.dice.below(text.len() as u64 - 3) as usize].to_owned();
        self.write(file, half, Text::Broken);
        let later = self.now + Duration::from_millis(20 + self.dice.below(300));
        self.later.push((later, file, text, Text::Good(mark)));
    }

    fn tick(&mut self) {
        self.now += TICK;
        let now = self.now;
        for (_, file, text, state) in self.later.extract_if(.., |(due, ..)| *due <= now).collect::<Vec<_>>() {
            self.write(file, text, state);
        }
        let changes = self.settling.poll(&mut self.disk, now);
        let expected = if changes.is_empty() { Vec::new() } else { self.deliver(&changes) };
        self.world.tick(DT);
        self.check(&expected);
    }

    /// Hands changes over; answers with the scripts that ought to have taken over.
    fn deliver(&mut self, changes: &[Change]) -> Vec<&'static str> {
        for change in changes {
            let state = self.disk.0[&change.path].1;
            assert!(change.text.is_some(), "a file is never gone for long here");
            self.delivered.insert(change.path.clone(), (change.text.clone().unwrap_or_default(), state));
        }
        let answer = self.world.reload_all(changes);
        let concerned = |script: &&str| {
            files_of(script).iter().any(|file| changes.iter().any(|change| change.path == *file))
        };
        let can = |script: &&str| self.says(script).is_some();
        let all_good = SCRIPTS.iter().all(can);
        // Through the module that both use they stand and fall together, until that change is through.
        let together = self.stuck || changes.iter().any(|change| change.path == "tuning.lua");
        let tried = SCRIPTS.into_iter().filter(|script| together || concerned(script)).collect::<Vec<_>>();
        assert_eq!(answer.is_err(), !tried.iter().all(can), "{answer:?}");
        let taken = tried.into_iter().filter(|script| can(script) && (all_good || !together));
        let taken = taken.collect::<Vec<_>>();
        self.stuck = together && !all_good;
        self.refusals += u64::from(answer.is_err());
        self.changes += 1;
        for script in &taken {
            self.take(
                script,
                if together { self.changes * 10 } else { self.changes * 10 + files_of(script).len() as u64 },
            );
        }
        taken
    }

    fn take(&mut self, script: &str, change: u64) {
        let (now, seen) = (self.world.ticks(), self.says(script).unwrap_or_default());
        let old = self.live[script];
        if old.until >= now {
            let mates = self.live.values_mut().filter(|live| live.until >= now && live.change == old.change);
            mates.for_each(|live| (live.change, live.until) = (change, now + TRIAL));
        }
        let live = self.live.get_mut(script).expect("known");
        if old.until < now {
            live.good = live.seen;
        }
        (live.seen, live.until, live.change) = (seen, now + TRIAL, change);
    }

    fn check(&mut self, expected: &[&'static str]) {
        let named = |wanted: fn(&EventKind) -> Option<&str>, world: &World| {
            let mut names = world
                .events()
                .iter()
                .filter_map(|event| wanted(&event.kind).map(str::to_owned))
                .collect::<Vec<_>>();
            names.sort();
            names
        };
        let reloads = named(
            |kind| if let EventKind::Reload { script } = kind { Some(script) } else { None },
            &self.world,
        );
        let back = named(
            |kind| if let EventKind::Rollback { script } = kind { Some(script) } else { None },
            &self.world,
        );
        assert_eq!(reloads, expected, "each script takes over once and none is missed, at {:?}", self.now);
        self.swaps += reloads.len() as u64;
        self.rollbacks += back.len() as u64;
        for script in SCRIPTS.into_iter().filter(|script| back.iter().any(|name| name == script)) {
            let live = self.live.get_mut(script).expect("known");
            (live.seen, live.until) = (live.good, 0);
        }
        let change = |script| self.live[script].change;
        if back.len() == 2 && change(SCRIPTS[0]) == change(SCRIPTS[1]) {
            self.stuck = true;
        }
        for (agent, script) in &self.agents {
            let Ok(Value::Number(seen)) = self.world.value(BoardOf::Agent(*agent), "seen") else {
                panic!("its key")
            };
            let live = self.live[script];
            // A version that errs says nothing new in the tick or two until it goes back.
            let stands = self.errs(script) && live.until > 0;
            assert!(
                seen == live.seen || stands || self.world.ticks() < 2,
                "{script} says {seen}, ought to be {live:?}"
            );
        }
    }
}

fn people(world: &mut World) -> Vec<(AgentId, &'static str)> {
    world.add_actor(ActorDesc { faction: "hero".into(), ..ActorDesc::at(Vec3::ZERO) });
    let mut agents = Vec::new();
    for number in 0..25_u32 {
        let script = SCRIPTS[number as usize % 2];
        let name = format!("squad {number}");
        let desc = SquadDesc { name, faction: "wolves".into(), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("new");
        for key in 0..8_u32 {
            let turn = (number * 8 + key) as f32 * 0.1;
            let place = vec3(20.0 * turn.cos(), 0.0, 20.0 * turn.sin()) * (1.0 + number as f32 * 0.05);
            let tree = script.trim_end_matches(".lua").to_owned();
            let agent = world.spawn(squad, AgentDesc { tree, ..AgentDesc::at(place) }).expect("new");
            world.set_value(BoardOf::Agent(agent), "kept", i64::from(number * 8 + key)).expect("a key");
            agents.push((agent, script));
        }
    }
    agents
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_edits_under_a_running_fight_lose_nothing_and_swap_once() {
    let mut soak = Soak::new(number("WARBAND_SOAK_SEED", 7));
    let edits = number("WARBAND_SOAK_EDITS", 1500);
    let mut memory = 0;
    for edit in 0..edits {
        soak.edit();
        (0..1 + soak.dice.below(10)).for_each(|_| soak.tick());
        if edit == edits / 10 {
            memory = settled_memory(&mut soak);
        }
    }
    let end = settled_memory(&mut soak);
    println!(
        "{edits} edits in {} ticks: {} swaps, {} refusals, {} rollbacks, {memory} bytes of Lua, {end} at the end",
        soak.world.ticks(),
        soak.swaps,
        soak.refusals,
        soak.rollbacks,
    );
    assert!(end as f64 <= memory as f64 * 1.01, "{memory} bytes early, {end} at the end");
    assert!(
        soak.swaps > edits / 10 && soak.rollbacks > edits / 100 && soak.refusals > edits / 20,
        "a soak that does something"
    );
    for (number, (agent, _)) in soak.agents.iter().enumerate() {
        let kept = soak.world.value(BoardOf::Agent(*agent), "kept");
        assert_eq!(kept, Ok(Value::Integer(number as i64)), "boards keep their values");
    }
}

/// The bytes of the VM when all files are right, read the same as always, and the trial is over.
fn settled_memory(soak: &mut Soak) -> usize {
    soak.later.clear();
    for file in FILES {
        soak.write(file, good(file, 10_000), Text::Good(10_000));
    }
    (0..TRIAL + 20).for_each(|_| soak.tick());
    soak.world.script_memory()
}

/// The same on a real folder, saved in the ways that editors save: every save is one swap within a second, and a save of
/// the same text is none.
#[cfg(feature = "reload")]
#[test]
fn saves_of_a_real_folder_swap_once_each() {
    let folder = std::env::temp_dir().join(format!("warband-soak-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    FILES
        .iter()
        .for_each(|file| std::fs::write(folder.join(file), good(file, 1)).expect("a file of the test"));
    let mut world = World::new(Config::default());
    world.set_script_root(&folder);
    SCRIPTS.iter().for_each(|script| world.load(script).expect("right"));
    let agents = people(&mut world);
    world.watch(warband::WatchMode::Auto).expect("a folder to watch");
    for save in 0..number("WARBAND_SOAK_SAVES", 60) {
        let (file, mark) = (FILES[save as usize % 4], 2 + save);
        let (path, text) = (folder.join(file), good(file, mark));
        match save / 4 % 4 {
            0 => std::fs::write(&path, &text).expect("written"),
            1 => {
                std::fs::write(folder.join("new.tmp"), &text).expect("written");
                std::fs::rename(folder.join("new.tmp"), &path).expect("renamed");
            }
            2 => {
                std::fs::remove_file(&path).expect("removed");
                std::fs::write(&path, &text).expect("written anew");
            }
            _ => {
                std::fs::write(&path, &text[..text.len() / 2]).expect("half written");
                std::thread::sleep(Duration::from_millis(20));
                std::fs::write(&path, &text).expect("written");
                std::fs::write(&path, &text).expect("written once more");
            }
        }
        let expected = SCRIPTS.iter().filter(|script| files_of(script).contains(&file)).count();
        assert_eq!(swaps_within_a_second(&mut world, expected), expected, "save {save} of {file}");
    }
    assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    assert_eq!(agents.len(), 200);
    let _ = std::fs::remove_dir_all(&folder);
}

/// Ticks until so many scripts were swapped, for a second at most, and a little longer to see that there are no more.
#[cfg(feature = "reload")]
fn swaps_within_a_second(world: &mut World, expected: usize) -> usize {
    let (mut swaps, mut later) = (0, 0);
    for _ in 0..100 {
        world.tick(DT);
        swaps += world.events().iter().filter(|event| matches!(event.kind, EventKind::Reload { .. })).count();
        later += usize::from(swaps >= expected);
        if later == 15 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    swaps
}
