//! Runs of scenarios: clumps, events, the report and its JSON, and what must not depend on being watched.

use std::path::Path;
use warband::scenario::{Recording, Run, Scenario};
use warband::{Spec, Vec3, World, vec3};

/// Wolves that chase whom they see, and else walk their route.
fn hunt(world: &mut World) -> warband::Result<()> {
    let chase =
        Spec::new("guard").when(Spec::new("sees_target")).with(Spec::new("direct_chase").set("stop", 1.4));
    world.add_tree("hunt", &Spec::new("reactive_selector").with(chase).with(Spec::new("patrol")))
}

const HUNT: &str = r#"
name = "hunt"
seed = 4
seconds = 6
[[key]]
name = "alarm"
scope = "squad"
type = "integer"
default = 0
[[actor]]
name = "player"
at = [12, 0]
path = [{ walk = [12, 6], speed = 3 }]
[[squad]]
name = "wolves"
tree = "hunt"
count = 6
at = [0, 0]
spread = 3
route = { points = [[0, 0], [0, 5]] }
"#;

fn scenario(text: &str) -> Scenario {
    Scenario::parse(text, "hunt.toml", Path::new("")).expect("a good file")
}

fn start(text: &str) -> Run {
    Run::with(&scenario(text), hunt).expect("a good scenario")
}

fn finished(text: &str) -> Run {
    let mut run = start(text);
    while run.step() {}
    run
}

fn places(run: &Run) -> Vec<Vec3> {
    run.world().outputs().map(|out| out.position).collect()
}

#[test]
fn a_clump_has_room_for_everybody_and_is_another_one_for_each_seed() {
    let crowd = HUNT.replace("count = 6", "count = 80");
    let walled = format!("{crowd}\n[[wall]]\nsegment = [[1, -9], [1, 9]]\n");
    for text in [crowd.clone(), walled, crowd.replace("[[squad]]", "[[squad]]\nflies = true")] {
        let places = places(&start(&text));
        assert_eq!(places.len(), 80);
        for (at, place) in places.iter().enumerate() {
            assert!(places[at + 1..].iter().all(|other| other.distance(*place) >= 1.0), "{place} overlaps");
            assert!(!text.contains("wall") || (place.x - 1.0).abs() >= 0.5, "{place} stands in the wall");
        }
    }
    let other = crowd.replace("seed = 4", "seed = 5");
    assert_ne!(places(&start(&crowd)), places(&start(&other)));
    assert_eq!(places(&start(&crowd)), places(&start(&crowd)));
}

#[test]
fn copies_of_a_squad_stand_in_a_lattice_and_have_names_of_their_own() {
    let text = HUNT.replace("count = 6", "copies = 4\napart = 100\ncount = 2");
    let run = start(&text);
    let names: Vec<_> =
        run.world().squads().map(|id| run.world().squad_name(id).unwrap().to_string()).collect();
    assert_eq!(names, ["wolves-1", "wolves-2", "wolves-3", "wolves-4"]);
    let quarters =
        [vec3(-50.0, 0.0, -50.0), vec3(50.0, 0.0, -50.0), vec3(-50.0, 0.0, 50.0), vec3(50.0, 0.0, 50.0)];
    for (pair, quarter) in places(&run).chunks(2).zip(quarters) {
        assert!(pair.iter().all(|place| place.distance(quarter) <= 3.0), "{pair:?} near {quarter}");
    }
}

#[test]
fn the_report_has_the_documented_shape() {
    let report = serde_json::to_value(finished(HUNT).report(12.5)).unwrap();
    let fields = [
        "scenario", "seed", "ticks", "seconds", "wall_ms", "agents", "digest", "problems", "events",
        "figures", "squads",
    ];
    for field in fields {
        assert!(report.get(field).is_some(), "no '{field}'");
    }
    assert_eq!(report.as_object().unwrap().len(), fields.len());
    assert_eq!(report["ticks"], 360);
    assert_eq!((&report["seconds"], &report["agents"]), (&6.0.into(), &6.into()));
    assert_eq!(report["digest"].as_str().unwrap().len(), 16);
    let figures = &report["figures"];
    for field in ["min_gap_m", "overlap_m"] {
        assert!(
            figures[field]["end"].is_number() && figures[field]["worst"].is_number(),
            "{field}: {figures}"
        );
    }
    for field in ["walked_m", "distance_to_target_m"] {
        let spread = ["min", "mean", "max"].map(|part| figures[field][part].as_f64().unwrap());
        assert!(spread[0] <= spread[1] && spread[1] <= spread[2], "{field}: {spread:?}");
    }
    assert!(figures["largest_empty_angle_deg"]["end"].is_number());
    assert!(figures["mean_speed"].as_f64().unwrap() > 0.5);
    for stage in ["sense", "think", "steer", "act"] {
        assert!(figures["stage_ms"][stage].is_number(), "{stage}");
    }
}

#[test]
fn events_name_who_did_what() {
    let report = serde_json::to_value(finished(HUNT).report(0.0)).unwrap();
    let events = report["events"].as_array().unwrap();
    let of_kind =
        |kind: &str| events.iter().find(|event| event["kind"] == kind).unwrap_or_else(|| panic!("{kind}"));
    let joined = of_kind("joined");
    assert_eq!(
        (&joined["agent"], &joined["squad"], &joined["t"]),
        (&"wolves/0".into(), &"wolves".into(), &0.0.into())
    );
    let gained = of_kind("gained");
    assert_eq!((&gained["squad"], &gained["target"]), (&"wolves".into(), &"player".into()));
    assert!(gained["by"].as_str().unwrap().starts_with("wolves/"));
    let mode = events.iter().find(|event| event["to"] == "direct").unwrap();
    assert_eq!(mode["kind"], "mode");
    assert!(mode["from"].is_string());
}

#[test]
fn figures_are_what_a_second_look_says() {
    let run = finished(HUNT);
    let figures = run.report(0.0).figures;
    let (places, target) = (places(&run), vec3(12.0, 0.0, 6.0));
    let nearest = places.iter().map(|place| place.distance(target)).fold(f32::MAX, f32::min);
    assert!((figures.distance_to_target_m.unwrap().min - f64::from(nearest)).abs() < 1e-3);
    let pairs = places
        .iter()
        .enumerate()
        .flat_map(|(at, a)| places[at + 1..].iter().map(move |b| a.distance(*b) - 1.0));
    let gap = pairs.fold(f32::MAX, f32::min);
    assert!((figures.min_gap_m.unwrap().end - f64::from(gap)).abs() < 1e-3);
    assert!(figures.min_gap_m.unwrap().worst <= figures.min_gap_m.unwrap().end);
    let angle = warband::squad::largest_gap(target, &places);
    assert!((figures.largest_empty_angle_deg.end.unwrap() - f64::from(angle)).abs() < 0.1);
}

#[test]
fn the_same_seed_gives_the_same_digest_and_another_one_another() {
    let digest = |text: &str| finished(text).report(0.0).digest;
    assert_eq!(digest(HUNT), digest(HUNT));
    assert_ne!(digest(HUNT), digest(&HUNT.replace("seed = 4", "seed = 5")));
}

#[test]
fn a_run_does_not_know_whether_it_is_drawn_or_traced() {
    let (mut run, mut recording) = (start(HUNT), Recording::default());
    while run.step() {
        recording.take(&run);
        serde_json::to_string(&run.frame()).unwrap();
    }
    assert!(recording.svg(&run).unwrap().contains("hunt"));
    assert_eq!(run.report(0.0).digest, finished(HUNT).report(0.0).digest);
}

#[test]
fn a_picture_shows_modes_walls_and_the_player_and_no_number_that_is_none() {
    let text = format!("{HUNT}\n[[wall]]\nsegment = [[20, -5], [20, 5]]\n")
        .replace("\"hunt\"\nseed", "\"a < b\"\nseed");
    let (mut run, mut recording) = (start(&text), Recording::default());
    while run.step() {
        recording.take(&run);
    }
    let svg = recording.svg(&run).unwrap();
    for part in ["a &lt; b", ">direct<", ">player<", ">wall<", ">1 s<", "#d1353a", "6 agents", "6 s, seed 4"]
    {
        assert!(svg.contains(part), "no {part} in the picture");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
    assert!(svg.len() < 60_000, "{} bytes", svg.len());
}

#[test]
fn a_picture_of_a_flock_shows_what_each_rule_asks_for_in_its_own_colour() {
    let text = "seconds = 4\nseed = 2\n[[squad]]\nname = \"minions\"\ntree = \"flock\"\ncount = 30\nat = [-18, 4]\nspread = 5\n";
    let scenario = Scenario::parse(text, "flock.toml", Path::new("")).unwrap();
    let flock = ["separation", "alignment", "cohesion"].map(|rule| Spec::new(rule).set("weight", 0.5));
    let chase = Spec::new("blend").with(Spec::new("arrive").set("to", vec3(20.0, 0.0, 0.0))).with_all(flock);
    let mut run = Run::with(&scenario, |world| world.add_tree("flock", &chase)).unwrap();
    let mut recording = Recording::default();
    while run.step() {
        recording.take(&run);
    }
    let svg = recording.svg(&run).unwrap();
    for (rule, colour) in
        [("separation", "#d1353a"), ("alignment", "#2f7ed8"), ("cohesion", "#1c9a88"), ("arrive", "#8a6d1f")]
    {
        assert!(svg.contains(&format!(">{rule}<")), "{rule} is not in the legend");
        // One in the legend; of alignment few, since the flock goes the same way by then.
        let arrows = svg.matches(&format!("fill=\"{colour}\"")).count();
        assert!(arrows >= 4, "{arrows} arrows of {rule}");
    }
    assert!(svg.contains("what each rule asks for at 4 s"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"));
}

#[test]
fn what_the_file_schedules_happens_in_the_first_tick_that_ends_then() {
    let text = format!(
        "{HUNT}
[[event]]\nat = 1\nkill = \"wolves/2\"
[[event]]\nat = 2\nset = {{ key = \"alarm\", value = 7, on = \"wolves\" }}
[[event]]\nat = 3\nspawn = {{ squad = \"wolves\", at = [-20, 0] }}
[[event]]\nat = 4\nteleport = {{ who = \"wolves/0\", to = [-30, 0] }}
[[event]]\nat = 5\nkill = \"player\"
"
    );
    for dt in ["1/30", "1/60", "1/144"] {
        let run = finished(&format!("dt = \"{dt}\"\n{text}"));
        let at = |kind: &str, agent: &str| {
            let is = |entry: &&warband::scenario::Entry| {
                entry.kind == kind && entry.agent.as_deref() == Some(agent)
            };
            run.story().iter().rev().find(is).unwrap_or_else(|| panic!("{kind} {agent}")).t
        };
        let tick = run.scenario().dt;
        // Who is removed between two ticks leaves at the end of the one before.
        assert!((1.0 - tick - 1e-5..1.0).contains(&at("left", "wolves/2")), "{dt}");
        assert!((3.0 - tick - 1e-5..3.0).contains(&at("joined", "wolves/6")), "{dt}");
        let forgotten = run.story().iter().find(|entry| entry.kind == "forgotten").unwrap();
        assert!((forgotten.t - 5.0).abs() < 1e-5, "{dt}: forgotten at {}", forgotten.t);
        let squad = run.squads()[0];
        let alarm = run.world().value(warband::BoardOf::Squad(squad), "alarm").unwrap();
        assert_eq!(alarm, warband::Value::Integer(7));
        assert!(run.problems().is_empty(), "{:?}", run.problems());
        assert!(run.report(0.0).figures.walked_m.unwrap().max < 40.0, "a teleport is no walk");
    }
}

#[test]
fn an_event_that_cannot_happen_is_a_problem_with_its_line_and_the_run_goes_on() {
    let text =
        format!("{HUNT}[[event]]\nat = 1\nkill = \"wolves/2\"\n[[event]]\nat = 2\nkill = \"wolves/2\"\n");
    let run = finished(&text);
    let line = text.lines().count() - 2;
    let problems = run.report(0.0).problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].text, format!("hunt.toml:{line}: 'wolves/2' is gone, or never was"));
    assert_eq!((problems[0].line, problems[0].times), (Some(line as u32), 1));
    assert_eq!(run.ticks(), 360);
}

#[test]
fn a_squad_without_its_tree_is_an_error_with_a_near_name() {
    let text = HUNT.replace("tree = \"hunt\"", "tree = \"hunk\"");
    let error = Run::with(&scenario(&text), hunt).err().unwrap();
    assert_eq!(error.to_string(), "hunt.toml:14: unknown tree 'hunk' (did you mean 'hunt'?)");
}

#[test]
fn who_vanishes_is_forgotten_and_who_returns_is_found_again() {
    let path = "path = [{ vanish = true, at_time = 2.0 }, { wait = 1 }, { return = true }]";
    let text = HUNT.replace("path = [{ walk = [12, 6], speed = 3 }]", path);
    let run = finished(&text);
    let times = |kind: &str| {
        run.story().iter().filter(|entry| entry.kind == kind).map(|entry| entry.t).collect::<Vec<_>>()
    };
    assert_eq!(times("forgotten"), [2.0]);
    assert_eq!(times("gained").len(), 2);
    assert!((times("gained")[1] - 3.0).abs() < 0.05, "{:?}", times("gained"));
}

#[test]
fn a_noise_is_heard_by_those_who_do_not_see_its_maker() {
    let text = HUNT.replace("[[squad]]", "[[squad]]\nsenses = { range = 1, lose_range = 1, near = 0 }");
    assert!(finished(&text).story().iter().all(|entry| entry.kind != "gained"));
    let loud = format!("{text}[[event]]\nat = 1\nnoise = {{ at = [12, 3], reach = 40, by = \"player\" }}\n");
    let run = finished(&loud);
    let gained = run.story().iter().find(|entry| entry.kind == "gained").expect("heard");
    assert_eq!((gained.how, gained.target.as_deref()), (Some("noise"), Some("player")));
    assert!((gained.t - 1.0).abs() < 0.02, "at {}", gained.t);
    assert!(run.problems().is_empty());
}

/// Agents who ask for `open`, then for `shut` with a time limit.
fn thieves(world: &mut World) -> warband::Result<()> {
    let ask = |name: &str| Spec::new("command").set("name", name);
    let mode = |name: &str| Spec::new("mode").set("name", name).with(Spec::new("wait").set("seconds", 60.0));
    let asks = Spec::new("sequence").with(ask("open").set("into", "code")).with(mode("inside"));
    world.add_tree("hunt", &Spec::new("selector").with(asks).with(mode("outside")))
}

/// `bt.command { answer = true }` showed "asks for open", and then nothing to the end.
#[test]
fn a_scenario_answers_commands_and_tells_what_it_never_answered() {
    let key = "[[key]]\nname = \"code\"\nscope = \"agent\"\ntype = \"integer\"\n";
    let run = |events: &str| {
        let mut run =
            Run::with(&scenario(&format!("{HUNT}{key}{events}")), thieves).expect("a good scenario");
        while run.step() {}
        assert!(run.problems().is_empty(), "{:?}", run.problems());
        run
    };
    let modes = |run: &Run| run.world().outputs().map(|out| out.mode.to_owned()).collect::<Vec<_>>();
    let times = |run: &Run, kind: &str| {
        run.story().iter().filter(|entry| entry.kind == kind).map(|entry| entry.t).collect::<Vec<_>>()
    };
    let mute = run("");
    let open = &mute.report(0.0).unanswered;
    assert_eq!((open.len(), open[0].name.as_str(), open[5].agent.as_str()), (6, "open", "wolves/5"));
    assert!((open[0].since - 1.0 / 60.0).abs() < 1e-5);

    // Asked in the first tick, answered half a second after that; one is gone by then.
    let good = "[[event]]\nat = 0\nanswer = { command = \"open\", value = 7, after = 0.5 }\n\
                [[event]]\nat = 0.2\nkill = \"wolves/2\"\n";
    let good = run(good);
    assert_eq!(modes(&good), ["inside"; 5]);
    assert!(good.report(0.0).unanswered.is_empty());
    let answered = times(&good, "answered");
    assert_eq!(answered.len(), 5);
    assert!((answered[0] - 0.5).abs() < 0.02, "{answered:?}");
    let agent = good.world().outputs().next().expect("one").agent;
    let code = good.world().value(warband::BoardOf::Agent(agent), "code").expect("declared");
    assert_eq!(code, warband::Value::Integer(7));

    // Who waits already is answered from then on, and that it was not done.
    let late = run("[[event]]\nat = 2\nanswer = { command = \"open\", success = false }\n");
    assert_eq!(modes(&late), ["outside"; 6]);
    assert!(times(&late, "answered").iter().all(|at| (at - 2.0).abs() < 0.02));
    let story: Vec<_> = late.story().iter().map(ToString::to_string).collect();
    assert!(story.contains(&"wolves/0 is answered that open was not done".to_owned()), "{story:?}");

    let other = run("[[event]]\nat = 0\nanswer = { command = \"opne\" }\n");
    assert_eq!(other.report(0.0).unanswered.len(), 6);
}
