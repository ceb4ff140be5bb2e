//! What the tests of snapshots share: plays that can be begun, stepped, saved and gone on with.
#![allow(dead_code, reason = "not every test uses all of it")]

use warband::rng::Dice;
use warband::{
    ActorDesc, AgentDesc, AgentId, BoardOf, Config, Entity, Event, KeyDecl, Scope, Snapshot, Spec, SquadDesc,
    ValueType, Vec3, World, vec3,
};

pub const DT: f64 = 1.0 / 60.0;

/// A game: how its world is made, who is in it, and what it does before each tick. What it does is a function of the
/// tick alone, so that it can go on in another world.
pub struct Play {
    pub name: &'static str,
    pub make: fn() -> World,
    pub people: fn(&mut World) -> Entity,
    pub step: fn(&mut World, Entity, u32),
    pub ticks: u32,
}

/// What can be seen of a tick.
pub type Seen = (u64, Vec<Event>, Vec<String>);

pub fn see(world: &World) -> Seen {
    let commands = world.commands().iter().map(|command| format!("{command:?}"));
    let said = world.said().iter().map(|said| format!("{said:?}"));
    (world.digest(), world.events().to_vec(), commands.chain(said).collect())
}

pub fn through_bytes(snapshot: &Snapshot) -> Snapshot {
    Snapshot::from_bytes(&snapshot.to_bytes().expect("it can be encoded")).expect("the bytes are good")
}

pub fn through_json(snapshot: &Snapshot) -> Snapshot {
    let text = serde_json::to_string(snapshot).expect("it can be written");
    assert!(text.starts_with("{\"version\":1,"), "the version is first");
    serde_json::from_str(&text).expect("the text is good")
}

impl Play {
    pub fn begin(&self) -> (World, Entity) {
        let mut world = (self.make)();
        let who = (self.people)(&mut world);
        (world, who)
    }

    /// What is seen in each tick of the unsaved run, and snapshots after some of them.
    pub fn run(&self, saves: &[u32]) -> (Vec<Seen>, Vec<(u32, Snapshot)>, Entity) {
        let (mut world, who) = self.begin();
        let (mut seen, mut snapshots) = (Vec::new(), Vec::new());
        for tick in 0..self.ticks {
            if saves.contains(&tick) {
                snapshots.push((tick, world.snapshot()));
            }
            (self.step)(&mut world, who, tick);
            seen.push(see(&world));
        }
        assert!(world.all_problems().is_empty(), "{}: {:?}", self.name, world.all_problems());
        (seen, snapshots, who)
    }

    /// Goes on from a snapshot in a world of its own, and compares each tick with the unsaved run.
    pub fn go_on(&self, tick: u32, snapshot: &Snapshot, who: Entity, seen: &[Seen]) {
        let mut world = (self.make)();
        world.restore(snapshot).expect("the snapshot is good");
        let again = world.snapshot().to_bytes().expect("it can be encoded");
        assert_eq!(again, snapshot.to_bytes().expect("it can"), "{} at {tick}: idempotent", self.name);
        for now in tick..self.ticks {
            (self.step)(&mut world, who, now);
            assert_eq!(see(&world), seen[now as usize], "{}: saved at {tick}, now {now}", self.name);
        }
        assert!(world.all_problems().is_empty(), "{}: {:?}", self.name, world.all_problems());
    }

    /// Saves at so many random ticks, by bytes and by JSON in turn.
    pub fn save_at_random(&self, saves: usize) {
        let mut dice = Dice::new(59, &[self.name.len() as u64, u64::from(self.ticks)]);
        let ticks: Vec<u32> = (0..saves).map(|_| dice.below(u64::from(self.ticks)) as u32).collect();
        let (seen, snapshots, who) = self.run(&ticks);
        for (at, (tick, snapshot)) in snapshots.iter().enumerate() {
            let read = if at % 2 == 0 { through_bytes(snapshot) } else { through_json(snapshot) };
            self.go_on(*tick, &read, who, &seen);
        }
    }
}

/// What the world of the busy play is made from.
pub fn config() -> Config {
    Config {
        seed: 11,
        think_budget: Some(14),
        detail: vec![(20.0, 0.2), (f32::INFINITY, 5.0)],
        steer_detail: vec![(5.0, 0.2), (f32::INFINITY, 0.25)],
        ..Config::default()
    }
}

/// Everything that lasts, in short: dice, timers, retries, cooldowns, a token with a queue, messages, forks, sleep, agents
/// that think now and then, a budget.
pub fn busy() -> World {
    let mut world = World::new(config());
    for decl in [
        KeyDecl::new("alarm", Scope::Squad, ValueType::Bool).ttl(1.5),
        KeyDecl::new("count", Scope::Agent, ValueType::Integer).default(0_i64),
        KeyDecl::new("note", Scope::Agent, ValueType::String).ttl(0.7),
        KeyDecl::new("level", Scope::World, ValueType::Number).default(0.5),
        KeyDecl::new("contact", Scope::Team, ValueType::Entity).ttl(0.5),
        KeyDecl::new("contact_at", Scope::Team, ValueType::Vec3).ttl(0.5),
        KeyDecl::new("spots", Scope::Squad, ValueType::List)
            .default(vec![vec3(0.1, 0.0, 0.7), vec3(3.0, 0.0, 0.3)]),
        KeyDecl::new("spot", Scope::Agent, ValueType::Vec3),
    ] {
        world.declare(decl).expect("a legal key");
    }
    for (name, tree) in trees() {
        world.add_tree(name, &tree).expect("the tree is right");
    }
    world
}

fn wait(low: f64, high: f64) -> Spec {
    Spec::new("wait_random").set("low", low).set("high", high)
}

pub fn trees() -> Vec<(&'static str, Spec)> {
    let count = || Spec::new("increment").set("key", "count");
    let mode = |name: &str, child: Spec| Spec::new("mode").set("name", name).with(child);
    let slot = |child: Spec| Spec::new("slot").set("name", "rest").with(child);
    let fails = || Spec::new("chance").set("probability", 0.4).with(Spec::new("succeed"));
    let message =
        |name: &str| Spec::new("guard").when(Spec::new("receive").set("name", name).set("from", "others"));
    vec![
        (
            "dice",
            Spec::new("random_sequence")
                .with(mode("low", wait(0.1, 0.4)))
                .with(mode("high", Spec::new("weighted_selector").with(wait(0.2, 0.6)).with(count())))
                .with(Spec::new("random_selector").with(fails()).with(wait(0.3, 0.31)))
                .with(Spec::new("send").set("name", "help")),
        ),
        (
            "timers",
            Spec::new("selector")
                .with(Spec::new("cooldown").set("seconds", 1.3).with(mode(
                    "bite",
                    Spec::new("time_limit").set("seconds", 0.5).with(Spec::new("wait").set("seconds", 9.0)),
                )))
                .with(message("help").with(mode("help", wait(0.2, 0.9))))
                .with(
                    Spec::new("retry")
                        .set("times", 4.0)
                        .with(Spec::new("sequence").with(wait(0.05, 0.2)).with(fails())),
                )
                .with(Spec::new("delay").set("seconds", 0.25).with(mode("tired", wait(0.1, 0.2)))),
        ),
        (
            "token",
            Spec::new("lease").set("token", "melee").set("wait", true).set("hold", 0.6).with(
                Spec::new("parallel")
                    .set("success", 2.0)
                    .with(mode("attack", wait(0.4, 1.0)))
                    .with(
                        Spec::new("repeat_times")
                            .set("times", 5.0)
                            .with(Spec::new("wait").set("seconds", 0.11)),
                    )
                    .with(
                        Spec::new("sequence")
                            .with(wait(0.1, 0.5))
                            .with(Spec::new("command").set("name", "bite")),
                    ),
            ),
        ),
        (
            "sleeper",
            Spec::new("selector")
                .with(
                    Spec::new("guard")
                        .when(Spec::new("has_value").set("key", "alarm"))
                        .with(mode("alarmed", Spec::new("wait").set("seconds", 60.0))),
                )
                .with(mode("asleep", Spec::new("wait").set("seconds", 2.2))),
        ),
        (
            "walker",
            Spec::new("share_target").set("to", "contact").set("at", "contact_at").with(
                Spec::new("reactive_selector")
                    .with(
                        Spec::new("guard").when(Spec::new("sees_target")).with(
                            Spec::new("bands")
                                .set("by", "target_distance")
                                .set("margin", 1.0)
                                .set("dwell", 0.3)
                                .with(Spec::new("direct_chase").edge("below", 6.0))
                                .with(Spec::new("formation").set("radius", 9.0)),
                        ),
                    )
                    .with(Spec::new("for_each").set("list", "spots").set("item", "spot").with(wait(0.1, 0.2)))
                    .with(Spec::new("patrol")),
            ),
        ),
        (
            "useful",
            Spec::new("learn_target").set("from", "contact").set("at", "contact_at").with(
                Spec::new("utility_selector")
                    .set("interval", 0.4)
                    .with(
                        mode("one", Spec::new("wander"))
                            .edge("score", warband::args::Arg::Key("level".into())),
                    )
                    .with(mode("two", slot(wait(1.0, 2.0))).edge("score", 0.5)),
            ),
        ),
    ]
}

pub fn busy_people(world: &mut World) -> Entity {
    // While the game goes on, as a weapon that is picked up.
    let rest = Spec::new("sequence").with(wait(0.5, 1.0)).with(wait(0.25, 0.5));
    world.set_slot("rest", &rest).expect("it is right");
    let mut squad = |name: &str, z: f32| {
        let desc = SquadDesc {
            name: name.into(),
            team: Some("all".into()),
            route: vec![vec3(-20.0, 0.0, z), vec3(-10.0, 0.0, z + 4.0)],
            tokens: vec![("melee".into(), 2)],
            ..SquadDesc::default()
        };
        world.add_squad(desc).expect("a new squad")
    };
    let squads = [squad("north", -8.0), squad("south", 8.0)];
    for (number, squad) in squads.into_iter().enumerate() {
        for (at, tree) in [
            "dice", "timers", "timers", "token", "token", "token", "token", "sleeper", "walker", "walker",
            "useful",
        ]
        .into_iter()
        .enumerate()
        {
            let place = vec3(-20.0 + at as f32 * 1.3, 0.0, number as f32 * 16.0 - 8.0);
            let think_interval = [0.0, 0.1, 0.033][at % 3];
            let mut desc = AgentDesc { tree: tree.into(), think_interval, ..AgentDesc::at(place) };
            // Legal, and no number that JSON has a word for.
            desc.limits.max_acceleration = f32::INFINITY;
            desc.senses.lose_range = f32::INFINITY;
            world.spawn(squad, desc).expect("a new agent");
        }
    }
    world.add_actor(ActorDesc::at(vec3(300.0, 0.0, 0.0))).entity()
}

/// One tick, with what the dice of that tick say: the player walks in and out of view, noises, writes, halts; agents come
/// and go, so that slots of ids are used again.
pub fn busy_step(world: &mut World, player: Entity, tick: u32) {
    let mut dice = Dice::new(5, &[u64::from(tick)]);
    let time = f64::from(tick) * DT;
    let near = (tick / 150) % 2 == 1;
    let place = if near { vec3((time.fract() * 4.0) as f32 - 6.0, 0.0, 1.0) } else { vec3(300.0, 0.0, 0.0) };
    let actor = actor(world, player);
    world.set_actor(actor, place, Vec3::ZERO);
    let squads: Vec<_> = world.squads().collect();
    let agents: Vec<AgentId> =
        squads.iter().flat_map(|squad| world.members(*squad).collect::<Vec<_>>()).collect();
    let agent = agents[dice.below(agents.len() as u64) as usize];
    let squad = squads[dice.below(2) as usize];
    match dice.below(40) {
        0 => world.set_value(BoardOf::Squad(squad), "alarm", true).expect("right"),
        1 => world.set_value(BoardOf::World, "level", dice.unit()).expect("right"),
        2 => world.set_value(BoardOf::Agent(agent), "note", format!("é{tick}").as_str()).expect("right"),
        3 => world.halt(agent),
        4 => world.noise(vec3(-15.0, 0.0, 0.0), 30.0, player),
        5 => world.set_focus(&[place, vec3(-20.0, 0.0, 8.0)]),
        6 if agents.len() > 14 => world.remove(agent),
        7 => world.set_tree(agent, ["dice", "timers", "token"][dice.below(3) as usize]).expect("a tree"),
        8 | 9 if agents.len() < 26 => {
            let place = vec3(dice.range(-30.0, 0.0) as f32, 0.0, dice.range(-9.0, 9.0) as f32);
            let desc = AgentDesc { tree: "token".into(), ..AgentDesc::at(place) };
            world.spawn(squad, desc).expect("a new agent");
        }
        _ => {}
    }
    world.tick(if tick.is_multiple_of(53) { 0.0 } else { DT });
}

/// The handle of an actor that a game kept beside the snapshot.
pub fn actor(world: &World, player: Entity) -> warband::ActorId {
    assert!(world.exists(player));
    serde_json::from_value(serde_json::to_value(player).expect("plain")).expect("the same form")
}

pub const BUSY: Play = Play { name: "busy", make: busy, people: busy_people, step: busy_step, ticks: 1200 };
