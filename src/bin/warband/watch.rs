//! `warband watch`: real time, in the terminal, with scripts taken over as they are saved.

use super::arguments::WatchOptions;
use super::{Outcome, Result, print, run, story};
use std::time::Duration;
use warband::reload::WatchMode;
use warband::scenario::Run;

pub fn watch(options: &WatchOptions) -> Result<Outcome> {
    let scenario = run::scenario(&options.file, &options.scenario)?;
    let mut run = Run::new(&scenario).map_err(|error| error.to_string())?;
    let mode = options.poll.map_or(WatchMode::Auto, |ms| WatchMode::Poll(Duration::from_millis(ms)));
    run.world_mut().watch(mode).map_err(|error| error.to_string())?;
    let root = scenario.script_root.display().to_string();
    eprintln!(
        "{}: {:.0} s in real time; scripts in {} are taken over as they are saved (Ctrl-C ends)",
        scenario.name,
        scenario.seconds,
        if root.is_empty() { "." } else { &root }
    );
    let (start, tick) = (run::now(), run::tick(&scenario));
    let mut told = Told::default();
    while run.step() {
        told.tell(&run)?;
        let due = start + tick.mul_f64(run.ticks() as f64);
        std::thread::sleep(due.saturating_duration_since(run::now()));
    }
    Ok(if run.problems().is_empty() { Outcome::Good } else { Outcome::Wrong })
}

/// How much was told already.
#[derive(Default)]
struct Told {
    events: usize,
    repeats: story::Repeats,
    problems: usize,
}

impl Told {
    fn tell(&mut self, run: &Run) -> Result<()> {
        let lines = story::lines(&run.story()[self.events..], &mut self.repeats);
        print(&lines.iter().map(|line| format!("{line}\n")).collect::<String>())?;
        self.events = run.story().len();
        for (time, problem) in &run.problems()[self.problems..] {
            eprintln!("{time:8.2} s  problem: {problem}");
        }
        self.problems = run.problems().len();
        Ok(())
    }
}
