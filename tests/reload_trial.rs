//! A script that errs in its first ticks goes back to the version before; a change that was refused waits until it is
//! mended, and holds up nobody else.
#![cfg(all(feature = "lua", feature = "reload"))]

use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use warband::reload::WatchMode;
use warband::{AgentDesc, AgentId, BoardOf, Config, SquadDesc, Value, World, vec3};

const DT: f64 = 1.0 / 60.0;
const TRIAL: usize = 30;

/// Counts in `steps`, and in a wait that must not lose its place.
fn counting(step: &str) -> String {
    format!(
        "blackboard {{ agent = {{ steps = {{ \"number\", default = 0 }} }} }}\n\
         return bt.tree(\"count\", bt.parallel {{ success = \"all\",\n  bt.wait {{ seconds = 100 }},\n  \
         bt.action {{ tick = function(self)\n    {step}\n    return \"running\"\n  end }},\n}})\n"
    )
}

const BY_ONE: &str = "self.board.steps = self.board.steps + 1";
const BY_TEN: &str = "self.board.steps = self.board.steps + 10";

fn add(world: &mut World, squad: &str, tree: &str) -> AgentId {
    let squad = world.add_squad(SquadDesc { name: squad.into(), ..SquadDesc::default() }).expect("new");
    let place = AgentDesc::at(vec3(-20.0, 0.0, 0.0));
    world.spawn(squad, AgentDesc { tree: tree.into(), ..place }).expect("a tree that is there")
}

fn pushed(text: &str) -> (World, AgentId) {
    let mut world = World::new(Config::default());
    world.reload("count.lua", text).expect("right");
    let agent = add(&mut world, "one", "count");
    (world, agent)
}

fn steps(world: &World, agent: AgentId) -> f64 {
    match world.value(BoardOf::Agent(agent), "steps") {
        Ok(Value::Number(steps)) => steps,
        other => panic!("{other:?}"),
    }
}

fn tick(world: &mut World, times: usize) -> Vec<String> {
    let mut told = Vec::new();
    for _ in 0..times {
        world.tick(DT);
        told.extend(world.events().iter().map(|event| event.kind.name().to_owned()));
        told.extend(world.problems().iter().map(|problem| problem.error.to_string()));
    }
    told.retain(|line| line != "joined");
    told
}

#[test]
fn a_version_that_errs_in_its_first_tick_is_back_in_the_next() {
    let (mut world, agent) = pushed(&counting(BY_ONE));
    assert!(tick(&mut world, 40).is_empty());
    world.reload("count.lua", &counting("self.board.steps = self.baord.steps + 10")).expect("it loads");
    let told = tick(&mut world, 1);
    assert_eq!(told[0], "reload");
    assert!(told[1].starts_with("count.lua:5: an agent has no 'baord'"), "{told:?}");
    assert_eq!(steps(&world, agent), 40.0);
    let told = tick(&mut world, 1);
    assert_eq!(told[0], "rollback");
    assert!(
        told[1]
            .starts_with("count.lua: went back to the last good version, for this one errs: count.lua:5: "),
        "{told:?}"
    );
    assert_eq!(steps(&world, agent), 41.0, "the version before acts in the same tick");
    assert_eq!(world.refused_files().collect::<Vec<_>>(), ["count.lua"]);

    world.reload("count.lua", &counting(BY_TEN)).expect("right");
    assert_eq!(world.refused_files().count(), 0);
    tick(&mut world, 50);
    assert_eq!(steps(&world, agent), 541.0, "mended, it stays");
}

/// The leaf that errs has failed, and is tried again when the version before is back; what runs beside it goes on all
/// the time, as the parallel does not end with one failure.
#[test]
fn nothing_is_lost_on_the_way_there_and_back() {
    let steps_of = "bt.sequence { bt.wait { seconds = 2 }, bt.set { key = \"steps\", to = -1000 }, \
                    bt.wait { seconds = 9 } }";
    let with_wait = |step: &str| {
        let patient = counting(step).replace("success = \"all\"", "success = 1, failure = \"all\"");
        patient.replace("bt.wait { seconds = 100 }", steps_of)
    };
    let (mut world, agent) = pushed(&with_wait(BY_ONE));
    tick(&mut world, 100);
    world
        .reload(
            "count.lua",
            &with_wait(&format!("if self.board.steps > 101 then error(\"no\") end {BY_ONE}")),
        )
        .expect("it loads");
    tick(&mut world, 3);
    // One tick of the leaf was lost to the error. The wait beside it goes on: 2 s are over in tick 121.
    assert_eq!(steps(&world, agent), 102.0);
    tick(&mut world, 17);
    assert_eq!(steps(&world, agent), 119.0);
    tick(&mut world, 1);
    assert_eq!(steps(&world, agent), -999.0);
}

#[test]
fn an_error_after_the_trial_is_a_problem_and_no_more() {
    for (at, back) in [(0, true), (TRIAL - 1, true), (TRIAL, false)] {
        let (mut world, agent) = pushed(&counting(BY_ONE));
        tick(&mut world, 40);
        let when = 40 + at;
        let late = format!("if self.board.steps >= {when} then error(\"late\") end {BY_ONE}");
        world.reload("count.lua", &counting(&late)).expect("it loads");
        let told = tick(&mut world, at + 5);
        assert_eq!(told.contains(&"rollback".to_owned()), back, "after {at} ticks: {told:?}");
        assert_eq!(steps(&world, agent) as usize > when, back);
    }
}

#[test]
fn a_version_that_follows_a_bad_one_has_nothing_to_go_back_to() {
    let (mut world, agent) = pushed(&counting("error(\"from the start\")"));
    tick(&mut world, 5);
    world.reload("count.lua", &counting("error(\"still\")")).expect("it loads");
    let told = tick(&mut world, 5);
    assert!(!told.contains(&"rollback".to_owned()), "{told:?}");
    world.reload("count.lua", &counting(BY_ONE)).expect("right");
    tick(&mut world, 5);
    assert_eq!(steps(&world, agent), 5.0);
}

#[test]
fn two_versions_within_the_trial_go_back_to_the_one_that_was_good() {
    let (mut world, agent) = pushed(&counting(BY_ONE));
    tick(&mut world, 40);
    world.reload("count.lua", &counting(BY_TEN)).expect("right");
    tick(&mut world, 2);
    world.reload("count.lua", &counting("error(\"no\")")).expect("it loads");
    tick(&mut world, 3);
    assert_eq!(steps(&world, agent), 40.0 + 20.0 + 2.0);
}

#[test]
fn what_the_old_version_does_wrong_on_its_way_out_is_not_the_new_ones_fault() {
    let leaving = |tick: &str| {
        format!(
            "blackboard {{ agent = {{ steps = {{ \"number\", default = 0 }} }} }}\n\
             return bt.tree(\"count\", bt.action {{ tick = function(self) {tick} return \"running\" end,\n  \
             exit = function() error(\"on the way out\") end }})\n"
        )
    };
    let (mut world, agent) = pushed(&leaving(BY_ONE));
    tick(&mut world, 40);
    world.reload("count.lua", &leaving(BY_TEN)).expect("right");
    let told = tick(&mut world, 40);
    assert!(told.iter().any(|line| line.contains("on the way out")), "{told:?}");
    assert!(!told.contains(&"rollback".to_owned()), "{told:?}");
    assert_eq!(steps(&world, agent), 440.0);
}

#[test]
fn scripts_that_took_over_together_go_back_together() {
    let user = |name: &str| {
        format!(
            "blackboard {{ agent = {{ steps = {{ \"number\", default = 0 }} }} }}\nlocal step = require \"step\"\n\
             return bt.tree(\"{name}\", bt.action {{ tick = function(self) self.board.steps = self.board.steps + \
             step(self) return \"running\" end }})\n"
        )
    };
    let mut world = World::new(Config::default());
    world.reload("step.lua", "return function() return 1 end").expect_err("a module is no script");
    world.reload("a.lua", &user("a")).expect("right");
    world.reload("b.lua", &user("b")).expect("right");
    let (a, b) = (add(&mut world, "a", "a"), add(&mut world, "b", "b"));
    tick(&mut world, 40);
    let bad = "return function(self)\n  if self.squad == \"a\" then error(\"not me\") end\n  return 10\nend";
    world.reload("step.lua", bad).expect("it loads");
    let told = tick(&mut world, 2);
    assert_eq!(told.iter().filter(|line| *line == "rollback").count(), 2, "{told:?}");
    assert_eq!(steps(&world, a), 41.0);
    assert_eq!(steps(&world, b), 51.0, "one tick of the new version, then the old one");
    assert_eq!(world.refused_files().collect::<Vec<_>>(), ["step.lua"], "the module is named, not its users");
}

#[test]
fn a_key_that_goes_back_to_its_type_has_its_value_again() {
    let script = |ty: &str, step: &str| {
        format!(
            "blackboard {{ agent = {{ mood = \"{ty}\" }} }}\n\
             return bt.tree(\"count\", bt.action {{ tick = function(self) {step} return \"running\" end }})\n"
        )
    };
    let mut world = World::new(Config::default());
    world.reload("count.lua", &script("number", "")).expect("right");
    let agent = add(&mut world, "one", "count");
    world.set_value(BoardOf::Agent(agent), "mood", 7.5).expect("a key");
    tick(&mut world, 40);
    world.reload("count.lua", &script("string", "error(\"no\")")).expect("it loads");
    assert_eq!(world.value(BoardOf::Agent(agent), "mood"), Ok(Value::Nothing));
    tick(&mut world, 2);
    assert_eq!(world.value(BoardOf::Agent(agent), "mood"), Ok(Value::Number(7.5)));
}

/// A folder of its own that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("warband-trial-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder for the test");
        Self(path)
    }
    fn write(&self, file: &str, text: &str) {
        fs::write(self.0.join(file), text).expect("a file of the test");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn until(world: &mut World, mut done: impl FnMut(&World) -> bool) -> Vec<String> {
    let mut told = Vec::new();
    for _ in 0..500 {
        told.extend(tick(world, 1));
        if done(world) {
            return told;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it did not come to that: {:?}", world.all_problems());
}

#[test]
fn a_broken_file_holds_up_no_other_and_is_tried_again_when_its_own_files_change() {
    let folder = Folder::new("groups");
    let user = |name: &str, module: &str| {
        format!(
            "local seconds = require \"{module}\"\nreturn bt.tree(\"{name}\", bt.wait {{ seconds = seconds }})\n"
        )
    };
    folder.write("a.lua", &user("a", "one"));
    folder.write("b.lua", &user("b", "two"));
    folder.write("one.lua", "return 1");
    folder.write("two.lua", "return 2");
    let mut world = World::new(Config::default());
    world.load(folder.0.join("a.lua")).expect("right");
    world.load("b.lua").expect("right");
    world.watch(WatchMode::Auto).expect("a folder to watch");
    until(&mut world, |_| true);

    folder.write("one.lua", "return nil +");
    until(&mut world, |world| world.refused_files().eq(["one.lua"]));
    folder.write("two.lua", "return 20");
    let told = until(&mut world, |world| world.events().iter().any(|event| event.kind.name() == "reload"));
    assert_eq!(told, ["reload"], "b took over, and a was not tried again");
    assert!(world.refused_files().eq(["one.lua"]));

    folder.write("one.lua", "return 10");
    let told = until(&mut world, |world| world.refused_files().count() == 0);
    assert_eq!(told, ["reload"]);
}

#[test]
fn a_script_whose_first_load_failed_is_loaded_when_it_is_mended() {
    let folder = Folder::new("first");
    folder.write("wolf.lua", "return bt.tree(\"wolf\", bt.wiat { seconds = 1 })");
    let mut world = World::new(Config::default());
    world.load(folder.0.join("wolf.lua")).expect_err("a misspelled node");
    world.watch(WatchMode::Auto).expect("a folder to watch");
    until(&mut world, |world| world.refused_files().eq(["wolf.lua"]));
    folder.write("wolf.lua", "return bt.tree(\"wolf\", bt.wait { seconds = 1 })");
    until(&mut world, |world| world.tree("wolf").is_ok());
    assert_eq!(world.refused_files().count(), 0);
}

#[test]
fn a_refused_file_is_told_again_for_each_bad_version_and_only_then() {
    let (mut world, _) = pushed(&counting(BY_ONE));
    tick(&mut world, 40);
    for _ in 0..2 {
        let fault = world.reload("count.lua", "return bt.tree(").expect_err("half a file");
        assert!(fault.to_string().starts_with("count.lua:1: "), "{fault}");
        assert_eq!(world.refused_files().collect::<Vec<_>>(), ["count.lua"]);
    }
    assert!(tick(&mut world, 50).is_empty());
}

#[test]
fn a_file_cut_short_where_it_is_still_valid_is_refused() {
    for cut in ["", "local x = 1\n", "return bt", "return {}"] {
        let (mut world, agent) = pushed(&counting(BY_ONE));
        tick(&mut world, 40);
        world.reload("count.lua", cut).expect_err("no tree in it");
        tick(&mut world, 1);
        assert_eq!(steps(&world, agent), 41.0, "{cut:?}");
    }
}
