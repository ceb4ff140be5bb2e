//! Commands that wait for the game's answer: known in the next tick, cancelled however the wait ends, and never a panic.

use warband::rng::Dice;
use warband::{
    AgentDesc, AgentId, BoardOf, Command, CommandId, Config, ErrorKind, EventKind, KeyDecl, Scope, Spec,
    SquadDesc, SquadId, Value, ValueType, World, vec3,
};

const DT: f64 = 0.1;

fn ask() -> Spec {
    Spec::new("command").set("name", "open_door").set("answer", true)
}

fn mode(name: &str) -> Spec {
    Spec::new("mode").set("name", name).with(Spec::new("wait").set("seconds", 1000.0))
}

/// Asks, and then says by its mode what came of it.
fn asks(command: Spec) -> Spec {
    Spec::new("selector")
        .with(Spec::new("sequence").with(command).with(mode("opened")))
        .with(mode("shut out"))
}

struct House {
    world: World,
    squad: SquadId,
    thieves: Vec<AgentId>,
}

fn house_of(tree: &Spec, thieves: u32, config: Config) -> House {
    let mut world = World::new(config);
    for (name, ty) in [("door", ValueType::Entity), ("code", ValueType::Integer), ("spot", ValueType::Vec3)] {
        world.declare(KeyDecl::new(name, Scope::Agent, ty)).expect("legal");
    }
    world.declare(KeyDecl::new("stop", Scope::Agent, ValueType::Bool)).expect("legal");
    world.add_tree("tree", tree).expect("the tree is right");
    let squad = world.add_squad(SquadDesc { name: "thieves".into(), ..SquadDesc::default() }).expect("new");
    let spawn = |key: u32| {
        let place = vec3(key as f32 * 3.0, 0.0, 0.0);
        world
            .spawn(squad, AgentDesc { tree: "tree".into(), key: Some(key), ..AgentDesc::at(place) })
            .expect("new")
    };
    let thieves = (0..thieves).map(spawn).collect();
    House { world, squad, thieves }
}

fn house(tree: &Spec, thieves: u32) -> House {
    house_of(tree, thieves, Config::default())
}

impl House {
    fn tick(&mut self) -> Vec<Command> {
        self.world.tick(DT);
        self.world.commands().to_vec()
    }
    fn mode(&self, thief: usize) -> &str {
        self.world.output(self.thieves[thief]).expect("there").mode
    }
    fn cancelled(&self) -> Vec<(CommandId, String)> {
        let events = self.world.events().iter();
        let of = |event: &warband::Event| match &event.kind {
            EventKind::Cancelled { command, name } => {
                assert_eq!((event.agent, event.squad), (Some(command.agent()), Some(self.squad)));
                Some((*command, name.to_string()))
            }
            _ => None,
        };
        events.filter_map(of).collect()
    }
    fn faults(&self) -> Vec<String> {
        self.world.all_problems().iter().map(ToString::to_string).collect()
    }
}

#[test]
fn the_answer_ends_it_in_the_next_tick() {
    for (success, mode) in [(true, "opened"), (false, "shut out")] {
        let mut house = house(&asks(ask()), 1);
        let commands = house.tick();
        assert_eq!(commands.len(), 1);
        assert!(commands[0].waits && &*commands[0].name == "open_door");
        assert_eq!((commands[0].id.agent(), commands[0].id.number()), (house.thieves[0], 1));
        assert!(house.tick().is_empty(), "it asks once");
        assert_eq!(house.mode(0), "");
        house.world.answer(commands[0].id, success);
        assert_eq!(house.mode(0), "");
        house.tick();
        assert_eq!(house.mode(0), mode);
        assert!(house.cancelled().is_empty() && house.faults().is_empty(), "{:?}", house.faults());
    }
}

#[test]
fn every_command_has_an_id_of_its_own_and_the_same_one_in_each_run() {
    let plain = Spec::new("command").set("name", "howl");
    let both = Spec::new("parallel").with(ask()).with(plain);
    let run = || {
        let mut house = house(&both, 4);
        let mut all = Vec::new();
        for tick in 0..40 {
            for command in house.tick() {
                all.push((command.id, command.name.clone(), command.waits));
                assert_eq!(command.waits, &*command.name == "open_door");
                if command.waits {
                    house.world.answer(command.id, tick % 2 == 0);
                }
            }
        }
        assert!(house.faults().is_empty(), "{:?}", house.faults());
        all
    };
    let (one, other) = (run(), run());
    assert_eq!(one, other);
    let mut ids: Vec<_> = one.iter().map(|(id, ..)| *id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert!(ids.len() == one.len() && ids.len() > 40, "{} of {}", ids.len(), one.len());
}

#[test]
fn its_time_may_be_up_and_an_answer_in_time_counts() {
    let mut house = house(&asks(ask().set("seconds", 0.3)), 2);
    let commands = house.tick();
    house.tick();
    house.tick();
    house.world.answer(commands[1].id, true);
    house.tick();
    // Entered at 0.1 s; at 0.4 s the time is up.
    assert_eq!((house.mode(0), house.mode(1)), ("shut out", "opened"));
    assert_eq!(house.cancelled(), [(commands[0].id, "open_door".to_owned())]);
    house.tick();
    assert!(house.cancelled().is_empty(), "it is told once");
    let mut house = self::house(&asks(ask().set("seconds", 0.0)), 1);
    let commands = house.tick();
    assert_eq!(house.mode(0), "shut out");
    assert_eq!(house.cancelled(), [(commands[0].id, "open_door".to_owned())]);
}

#[test]
fn the_game_is_told_of_every_wait_that_ends_without_an_answer() {
    for end in ["guard", "halt", "removed", "other tree", "changed tree", "other slot"] {
        let stop = Spec::new("invert").with(Spec::new("has_value").set("key", "stop"));
        let slot = |spec: Spec| Spec::new("slot").set("name", "way").with(spec);
        let tree = |spec: Spec| {
            Spec::new("reactive_selector")
                .with(Spec::new("guard").when(stop.clone()).with(slot(spec)))
                .with(mode("stopped"))
        };
        let mut house = house(&tree(ask()), 1);
        house.world.add_tree("other", &mode("other")).expect("right");
        let id = house.tick()[0].id;
        let thief = house.thieves[0];
        match end {
            "guard" => house.world.set_value(BoardOf::Agent(thief), "stop", true).expect("right"),
            "halt" => house.world.halt(thief),
            "removed" => house.world.remove(thief),
            "other tree" => house.world.set_tree(thief, "other").expect("a tree"),
            "changed tree" => house.world.add_tree("tree", &tree(ask().set("seconds", 5.0))).expect("right"),
            _ => house.world.set_slot("way", &mode("way")).expect("right"),
        }
        // Between two ticks nothing can be read yet; the answer that comes now is one too many.
        let again = house.tick();
        assert_eq!(house.cancelled(), [(id, "open_door".to_owned())], "{end}");
        assert!(again.iter().all(|command| command.id != id), "{end}: {again:?}");
        house.world.answer(id, true);
        house.tick();
        let faults = house.faults();
        assert_eq!(faults.len(), 1, "{end}: {faults:?}");
        assert!(faults[0].contains(&format!("command {id}")), "{end}: {faults:?}");
    }
}

#[test]
fn what_is_answered_is_not_cancelled() {
    let guarded = Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("has_value").set("key", "stop")).with(mode("stopped")))
        .with(asks(ask()));
    let mut house = house(&guarded, 1);
    let id = house.tick()[0].id;
    house.world.answer(id, true);
    house.world.set_value(BoardOf::Agent(house.thieves[0]), "stop", true).expect("right");
    house.tick();
    assert_eq!(house.mode(0), "stopped");
    assert!(house.cancelled().is_empty(), "the game has done it");
    house.tick();
    assert!(house.faults().is_empty(), "{:?}", house.faults());
}

#[test]
fn an_answer_that_nobody_waits_for_is_a_problem_that_names_it() {
    let plain = Spec::new("sequence").with(Spec::new("command").set("name", "howl")).with(asks(ask()));
    let mut house = house(&plain, 2);
    let commands = house.tick();
    let [howl, door] = [commands[0].id, commands[1].id];
    house.world.answer(howl, true);
    house.world.answer(door, false);
    house.world.answer(door, true);
    house.tick();
    assert_eq!(house.mode(0), "shut out", "the first answer stands");
    house.world.answer(door, true);
    let gone = commands[3].id;
    house.world.remove(house.thieves[1]);
    house.world.answer(gone, true);
    let never = {
        let mut other = self::house(&Spec::new("command").set("name", "howl"), 1);
        (0..9).map(|_| other.tick()[0].id).last().expect("nine")
    };
    assert_eq!((never.number(), never.agent()), (9, house.thieves[0]));
    house.world.answer(never, true);
    house.tick();
    let kinds: Vec<_> = house.world.all_problems().iter().map(|problem| problem.error.kind()).collect();
    let wanted =
        [ErrorKind::Gone, ErrorKind::Conflict, ErrorKind::Gone, ErrorKind::Gone, ErrorKind::UnknownName];
    assert_eq!(kinds, wanted, "{:?}", house.faults());
    let faults = house.faults();
    for (fault, part) in faults.iter().zip([
        format!("the answer to command {howl} is left out: nobody waits for it"),
        format!("the answer to command {door} is left out: it is answered already (the first answer stands)"),
        format!("the answer to command {door} is left out: nobody waits for it"),
        format!("the answer to command {gone} comes too late: the agent is gone"),
        format!("the answer to command {never} is left out: there is no such command"),
    ]) {
        assert!(fault.contains(&part), "{fault}\n{part}");
    }
}

#[test]
fn a_value_of_the_answer_is_written_to_its_key() {
    let mut house = house(&asks(Spec::new("command").set("name", "open_door").set("into", "code")), 4);
    let commands = house.tick();
    let places = commands.iter().map(|command| command.id).collect::<Vec<_>>();
    house.world.answer_with(places[0], true, 7_i64);
    house.world.answer_with(places[1], false, 8_i64);
    house.world.answer_with(places[2], true, "seven");
    house.world.answer(places[3], true);
    house.tick();
    let modes: Vec<_> = (0..4).map(|thief| house.mode(thief)).collect();
    assert_eq!(modes, ["opened", "shut out", "shut out", "opened"]);
    let code = |thief: usize| house.world.value(BoardOf::Agent(house.thieves[thief]), "code").expect("a key");
    assert_eq!(
        [code(0), code(1), code(2), code(3)],
        [7_i64.into(), 8_i64.into(), Value::Nothing, Value::Nothing]
    );
    let faults = house.faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(
        faults[0].contains("key 'code' is integer, got") && faults[0].contains("1.command"),
        "{faults:?}"
    );

    let mut house = self::house(&asks(ask()), 1);
    let id = house.tick()[0].id;
    house.world.answer_with(id, true, vec3(1.0, 2.0, 3.0));
    house.tick();
    assert_eq!(house.mode(0), "opened");
    assert!(
        house.faults()[0].contains("nothing takes it (name a key: into = \"…\")"),
        "{:?}",
        house.faults()
    );
}

#[test]
fn it_waits_on_when_its_tree_is_loaded_again() {
    let tree = |seconds: f64| {
        Spec::new("parallel").with(asks(ask())).with(Spec::new("wait").set("seconds", seconds))
    };
    let mut house = house(&tree(50.0), 1);
    let id = house.tick()[0].id;
    house.world.add_tree("tree", &tree(50.0)).expect("right");
    assert!(house.tick().is_empty() && house.cancelled().is_empty());
    house.world.answer(id, true);
    house.world.add_tree("tree", &tree(50.0)).expect("right");
    house.tick();
    assert_eq!(house.mode(0), "opened", "also when it is answered already");
    assert!(house.faults().is_empty(), "{:?}", house.faults());
}

#[test]
fn several_wait_side_by_side_and_each_has_its_own_answer() {
    let other = Spec::new("command").set("name", "fetch").set("into", "spot");
    let mut house = house(&Spec::new("parallel").with(asks(ask())).with(asks(other)), 1);
    let commands = house.tick();
    assert_eq!((commands[0].id.number(), commands[1].id.number()), (1, 2));
    house.world.answer_with(commands[1].id, true, vec3(1.0, 0.0, 2.0));
    house.tick();
    let running = house.world.why(house.thieves[0]).expect("there").running;
    assert!(running[0].contains("command") && running[1].contains("wait"), "{running:?}");
    house.world.answer(commands[0].id, false);
    house.tick();
    let running = house.world.why(house.thieves[0]).expect("there").running;
    assert!(running[0].contains("selector/2") && running[1].contains("sequence"), "{running:?}");
    assert!(house.faults().is_empty());
}

#[test]
fn who_thinks_seldom_learns_of_it_in_his_next_thought() {
    let mut house = house(&asks(ask()), 0);
    let desc = AgentDesc { tree: "tree".into(), think_interval: 0.5, ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) };
    house.thieves.push(house.world.spawn(house.squad, desc).expect("new"));
    let mut id = None;
    while id.is_none() {
        id = house.tick().first().map(|command| command.id);
    }
    house.tick();
    house.world.answer(id.expect("asked"), true);
    let ticks = (1..9).find(|_| {
        house.tick();
        house.mode(0) == "opened"
    });
    // It thinks at 0.1 s, 0.5 s, 1 s …
    assert_eq!(ticks, Some(3));
}

#[test]
fn a_command_whose_answer_has_no_meaning_is_refused() {
    for param in ["seconds", "into"] {
        let mut house = house(&asks(ask()), 0);
        let command = Spec::new("command").set("name", "a").set("answer", false);
        let spec = if param == "into" { command.set(param, "code") } else { command.set(param, 1.0) };
        let error = house.world.add_tree("other", &spec).expect_err("no answer").to_string();
        assert!(
            error.contains(&format!("'{param}' has no meaning without an answer (answer = true")),
            "{error}"
        );
    }
}

#[test]
fn who_waits_sleeps_and_nobody_can_tell() {
    let tree = Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("has_value").set("key", "stop")).with(mode("stopped")))
        .with(
            Spec::new("sequence")
                .with(ask().set("seconds", 1.3))
                .with(Spec::new("command").set("name", "code").set("into", "code"))
                .with(Spec::new("wait").set("seconds", 0.35)),
        );
    let house = |sleep: bool| house_of(&tree, 6, Config { sleep, ..Config::default() });
    let (mut one, mut other) = (house(true), house(false));
    let (mut slept, mut answered) = (0, 0);
    for tick in 0..3000 {
        let mut dice = Dice::new(5, &[tick]);
        let open: Vec<Command> = one.world.commands().to_vec();
        for house in [&mut one, &mut other] {
            let mut dice = dice.clone();
            for command in open.iter().filter(|command| command.waits) {
                match dice.below(6) {
                    0 | 1 => house.world.answer_with(command.id, dice.below(4) > 0, 5_i64),
                    2 => house.world.answer(command.id, true),
                    _ => {}
                }
            }
            let thief = house.thieves[dice.below(6) as usize];
            match dice.below(30) {
                0 => house.world.set_value(BoardOf::Agent(thief), "stop", true).expect("right"),
                1 | 2 => house.world.set_value(BoardOf::Agent(thief), "stop", false).expect("right"),
                3 => house.world.halt(thief),
                _ => {}
            }
        }
        answered += usize::from(dice.below(2) == 0);
        assert_eq!(one.tick(), other.tick(), "tick {tick}");
        assert_eq!(one.world.digest(), other.world.digest(), "tick {tick}");
        assert_eq!(one.world.events(), other.world.events(), "tick {tick}");
        slept += one.world.asleep();
    }
    assert!(slept > 3000 && answered > 0, "{slept}");
    let mut house = self::house(&asks(ask()), 3);
    (0..4).for_each(|_| drop(house.tick()));
    assert_eq!((house.world.asleep(), house.world.visits()), (3, 0));
}

#[test]
fn an_answer_under_way_is_part_of_what_the_world_is() {
    let digests = [None, Some(false), Some(true)].map(|answer| {
        let mut house = house(&asks(ask()), 1);
        let id = house.tick()[0].id;
        answer.into_iter().for_each(|success| house.world.answer(id, success));
        house.world.digest()
    });
    assert!(digests[0] != digests[1] && digests[1] != digests[2], "{digests:?}");
}

/// From Lua: the node waits, and what a function of a script asks for does not.
#[cfg(feature = "lua")]
#[test]
fn from_lua_it_is_the_same() {
    let text = r#"
local howl = bt.action { tick = function(self) self:command("howl") return "success" end }
return bt.tree("tree", bt.sequence {
  howl,
  bt.command { name = "open_door", seconds = 0.5, into = "code" },
  bt.mode { name = "opened", bt.wait { seconds = 1000 } },
})
"#;
    let mut house = house(&mode("nothing"), 2);
    house.world.reload("tree.lua", text).expect("the script is right");
    let commands = house.tick();
    let names: Vec<_> = commands.iter().map(|command| (&*command.name, command.waits)).collect();
    assert_eq!(names, [("howl", false), ("open_door", true), ("howl", false), ("open_door", true)]);
    house.world.answer_with(commands[1].id, true, 4_i64);
    house.tick();
    assert_eq!(house.mode(0), "opened");
    assert_eq!(house.world.value(BoardOf::Agent(house.thieves[0]), "code").expect("a key"), 4_i64.into());
    // A reload of the same text changes nothing for the one who waits still.
    house.world.reload("tree.lua", text).expect("the script is right");
    assert!(house.tick().is_empty() && house.cancelled().is_empty());
    (0..3).for_each(|_| drop(house.tick()));
    assert_eq!(house.cancelled(), [(commands[3].id, "open_door".to_owned())]);
    assert!(house.faults().is_empty(), "{:?}", house.faults());
}
