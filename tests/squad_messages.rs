//! `send` and `receive` in a whole world: who hears, when, and for how long.

use warband::{AgentDesc, Config, Spec, SquadDesc, SquadId, World, vec3};

/// Says who heard a message; the first two members of a squad that have the key `calls` send one in each tick.
fn tree() -> Spec {
    let hears = Spec::new("receive").set("name", "help");
    let tells = Spec::new("sequence").with(hears).with(Spec::new("log").set("text", "heard"));
    let calls = Spec::new("has_value").set("key", "calls");
    let sends = Spec::new("sequence").with(calls).with(Spec::new("send").set("name", "help"));
    Spec::new("parallel")
        .with(Spec::new("force_success").with(tells))
        .with(Spec::new("force_success").with(sends))
}

fn world() -> (World, Vec<SquadId>) {
    let mut world = World::new(Config { seed: 1, ..Config::default() });
    let calls = warband::KeyDecl::new("calls", warband::Scope::Agent, warband::blackboard::ValueType::Bool);
    world.declare(calls).expect("the key is legal");
    world.add_tree("tree", &tree()).expect("good");
    let squads = ["wolves", "bears"].map(|name| {
        let desc = SquadDesc { name: name.into(), ..SquadDesc::default() };
        world.add_squad(desc).expect("a new name")
    });
    for (at, squad) in squads.iter().cycle().take(6).enumerate() {
        let place = vec3(at as f32 * 3.0, 0.0, 0.0);
        let desc = AgentDesc { tree: "tree".into(), key: Some(at as u32), ..AgentDesc::at(place) };
        world.spawn(*squad, desc).expect("there is room");
    }
    (world, squads.to_vec())
}

/// How many say in this tick that they heard, of each squad.
fn heard(world: &World, squads: &[SquadId]) -> Vec<usize> {
    let of = |squad: &SquadId| {
        let members = world.members(*squad).collect::<Vec<_>>();
        world.said().iter().filter(|(agent, _)| members.contains(agent)).count()
    };
    squads.iter().map(of).collect()
}

#[test]
fn a_squad_hears_its_own_messages_one_tick_later_for_one_tick() {
    let (mut world, squads) = world();
    let caller = world.members(squads[1]).last().expect("three members");
    let call = |world: &mut World, on: bool| {
        world.set_value(warband::BoardOf::Agent(caller), "calls", on).expect("a bool");
    };
    call(&mut world, true);
    world.tick(0.1);
    assert_eq!(heard(&world, &squads), [0, 0]);
    call(&mut world, false);
    // A step that is left out delivers nothing and loses nothing.
    world.tick(-1.0);
    assert_eq!(heard(&world, &squads), [0, 0]);
    // Nor does a pause.
    world.tick(0.0);
    assert_eq!(heard(&world, &squads), [0, 0]);
    world.tick(0.1);
    assert_eq!(heard(&world, &squads), [0, 3]);
    world.tick(0.1);
    assert_eq!(heard(&world, &squads), [0, 0]);
}

#[test]
fn what_a_squad_is_about_to_hear_counts_in_the_digest() {
    let [quiet, loud] = [false, true].map(|calls| {
        let (mut world, squads) = world();
        let caller = world.members(squads[0]).next().expect("three members");
        world.set_value(warband::BoardOf::Agent(caller), "calls", calls).expect("a bool");
        world.tick(0.1);
        world.set_value(warband::BoardOf::Agent(caller), "calls", false).expect("a bool");
        world.digest()
    });
    assert_ne!(quiet, loud);
}

#[test]
fn messages_of_a_sender_that_is_gone_are_still_heard_and_those_of_a_squad_that_is_gone_are_not() {
    let (mut world, squads) = world();
    for squad in &squads {
        let caller = world.members(*squad).next().expect("three members");
        world.set_value(warband::BoardOf::Agent(caller), "calls", true).expect("a bool");
    }
    world.tick(0.1);
    let caller = world.members(squads[0]).next().expect("three members");
    world.remove(caller);
    for member in world.members(squads[1]).collect::<Vec<_>>() {
        world.remove(member);
    }
    world.tick(0.1);
    assert_eq!(heard(&world, &squads), [2, 0]);
}

#[test]
fn who_thinks_less_often_hears_each_message_once_and_misses_none() {
    let mut world = World::new(Config { seed: 1, ..Config::default() });
    let hears = Spec::new("receive").set("name", "help");
    let tells = Spec::new("sequence").with(hears).with(Spec::new("log").set("text", "heard"));
    world.add_tree("hears", &tells).expect("good");
    let rest = Spec::new("wait").set("seconds", 0.95);
    let call = Spec::new("sequence").with(Spec::new("send").set("name", "help")).with(rest);
    world.add_tree("calls", &call).expect("good");
    let squad =
        world.add_squad(SquadDesc { name: "wolves".into(), ..SquadDesc::default() }).expect("a new name");
    let intervals = [0.0, 0.1, 0.3, 0.77];
    let hearers = intervals.map(|think_interval| {
        let desc = AgentDesc { tree: "hears".into(), think_interval, ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) };
        world.spawn(squad, desc).expect("there is room")
    });
    let far = vec3(50.0, 0.0, 0.0);
    // One without a tree, and the caller.
    world.spawn(squad, AgentDesc::at(far + vec3(5.0, 0.0, 0.0))).expect("there is room");
    world.spawn(squad, AgentDesc { tree: "calls".into(), ..AgentDesc::at(far) }).expect("there is room");
    let mut counts = [0; 4];
    // Ten calls, and time enough for the last to be heard.
    for tick in 0..640 {
        world.tick(1.0 / 60.0);
        for (agent, _) in world.said() {
            let at = hearers.iter().position(|hearer| hearer == agent).expect("only hearers speak");
            counts[at] += 1;
        }
        // A pause brings no message twice.
        if tick % 50 == 0 {
            world.tick(0.0);
            for (agent, _) in world.said() {
                let at = hearers.iter().position(|hearer| hearer == agent).expect("only hearers speak");
                counts[at] += 1;
            }
        }
    }
    assert!(counts[0] >= 10, "{counts:?}");
    assert!(counts.iter().all(|count| counts[0] - count <= 1), "{counts:?}");
}

/// A squad of two: the first waits for a message as given, then says so; the second sends one after so many seconds,
/// again and again.
fn waits(wait: Spec, every: f64) -> Vec<u32> {
    let mut world = World::new(Config { seed: 1, ..Config::default() });
    let told = Spec::new("sequence").with(wait).with(Spec::new("log").set("text", "heard"));
    world.add_tree("waits", &Spec::new("repeat_times").with(told)).expect("good");
    let sends = Spec::new("sequence").with(Spec::new("wait").set("seconds", every));
    let sends = sends.with(Spec::new("send").set("name", "help"));
    world.add_tree("sends", &Spec::new("repeat_times").with(sends)).expect("good");
    let squad = world.add_squad(SquadDesc { name: "all".into(), ..SquadDesc::default() }).expect("new");
    for tree in ["waits", "sends"] {
        world
            .spawn(squad, AgentDesc { tree: tree.into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) })
            .expect("new");
    }
    let ticks = 1..=30;
    ticks
        .filter(|_| {
            world.tick(0.1);
            !world.said().is_empty()
        })
        .collect()
}

#[test]
fn wait_for_a_message_ends_in_the_tick_in_which_it_is_heard() {
    let wait = || Spec::new("wait_for").set("message", "help");
    // Sent in ticks 11 and 22, each a second after the one before was sent and a tick more to begin again.
    assert_eq!(waits(wait(), 1.0), [12, 23]);
    assert_eq!(waits(wait().set("from", "others"), 1.0), [12, 23]);
    assert_eq!(waits(wait().set("seconds", 0.5), 1.0), [12, 23]);
    assert_eq!(waits(Spec::new("wait_for").set("message", "other"), 1.0), []);
}

#[test]
fn wait_for_hears_nothing_that_came_before_it_was_entered_and_nothing_of_its_own() {
    let wait = Spec::new("wait_for").set("message", "hoo");
    let shouts = |from: &str| {
        let tell = Spec::new("sequence")
            .with(Spec::new("send").set("name", "hoo"))
            .with(Spec::new("wait").set("seconds", 0.0));
        tell.with(wait.clone().set("from", from).set("seconds", 0.15))
            .with(Spec::new("log").set("text", "heard"))
    };
    for (from, heard) in [("anybody", true), ("others", false)] {
        let mut world = World::new(Config::default());
        world.add_tree("shouts", &shouts(from)).expect("good");
        let squad = world.add_squad(SquadDesc { name: "all".into(), ..SquadDesc::default() }).expect("new");
        world
            .spawn(squad, AgentDesc { tree: "shouts".into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) })
            .expect("new");
        let told = (0..3)
            .filter(|_| {
                world.tick(0.1);
                !world.said().is_empty()
            })
            .count();
        assert_eq!(told > 0, heard, "{from}");
    }
    let mut world = World::new(Config::default());
    let fault = world.add_tree("both", &wait.clone().set("key", "x")).expect_err("not both");
    assert!(fault.to_string().contains("not both"), "{fault}");
    let fault = world.add_tree("none", &Spec::new("wait_for")).expect_err("one of them");
    assert!(fault.to_string().contains("needs a 'key' or a 'message'"), "{fault}");
}
