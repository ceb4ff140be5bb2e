//! `warband run`.

use super::arguments::{RunOptions, ScenarioOptions};
use super::{Outcome, Result, defaults, outputs, png, print, story};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use warband::scenario::{Recording, Run, Scenario};

pub fn run(options: &RunOptions) -> Result<Outcome> {
    if options.defaults {
        return defaults::print_all(options);
    }
    outputs::endings(options)?;
    let file = options.file.as_deref().unwrap_or(Path::new(""));
    let scenario = scenario(file, &options.scenario)?;
    outputs::free(options, file, &scenario)?;
    let mut run = Run::new(&scenario).map_err(|error| error.to_string())?;
    let mut trace = options.trace.as_deref().map(|path| Trace::create(path, &run)).transpose()?;
    let mut recording = options.picture.as_ref().map(|_| Recording::default());
    let start = now();
    let bar = bar(&run);
    while run.step() {
        if let Some(recording) = &mut recording {
            recording.take(&run);
        }
        if let Some(trace) = &mut trace {
            trace.take(&run)?;
        }
        if run.ticks().is_multiple_of(16) {
            bar.set_position(run.ticks());
        }
    }
    bar.finish_and_clear();
    let report = run.report(start.elapsed().as_secs_f64() * 1e3);
    if let Some(trace) = trace {
        trace.finish()?;
    }
    if options.json {
        print(&format!("{}\n", json(&report)?))?;
    } else {
        print(&story::tell(&run, &report))?;
    }
    report.problems.iter().for_each(|problem| eprintln!("{}", story::problem(problem)));
    if let (Some(path), Some(recording)) = (&options.picture, &recording) {
        let svg = recording.svg(&run).map_err(|error| format!("{}: {error}", path.display()))?;
        png::write(path, &svg)?;
    }
    Ok(if report.problems.is_empty() { Outcome::Good } else { Outcome::Wrong })
}

/// The scenario of a file, with what the command line says otherwise.
pub fn scenario(file: &Path, options: &ScenarioOptions) -> Result<Scenario> {
    let name = file.display();
    if file.extension().is_some_and(|end| end == "lua" || end == "luau") {
        return Err(format!(
            "{name}: this is a script, and a scenario is wanted (warband check {name} checks it; a scenario has it in 'scripts')"
        ));
    }
    let mut scenario = Scenario::load(file).map_err(|error| error.to_string())?;
    scenario.seed = options.seed.unwrap_or(scenario.seed);
    scenario.seconds = options.seconds.unwrap_or(scenario.seconds);
    scenario.dt = options.dt.unwrap_or(scenario.dt);
    if let Some(root) = &options.scripts {
        scenario.script_root.clone_from(root);
    }
    Ok(scenario)
}

fn json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}

/// The time, for people: how long it took, and when to draw.
#[allow(clippy::disallowed_methods, reason = "it is shown, and never enters a world")]
pub fn now() -> Instant {
    Instant::now()
}

/// Shown only on a terminal, and only of runs that take longer than a moment.
fn bar(run: &Run) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(10);
    let bar = ProgressBar::with_draw_target(Some(run.all_ticks()), target);
    let style = ProgressStyle::with_template("{bar:40} {percent:>3} %  {msg}  {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.set_message(run.scenario().name.clone());
    bar
}

/// A file with one JSON object in each line.
struct Trace {
    path: String,
    file: BufWriter<File>,
}

impl Trace {
    fn create(path: &Path, run: &Run) -> Result<Trace> {
        let name = path.display().to_string();
        let file = File::create(path).map_err(|error| format!("{name}: cannot be written: {error}"))?;
        let mut trace = Trace { path: name, file: BufWriter::new(file) };
        trace.line(&run.trace_head())?;
        Ok(trace)
    }

    fn take(&mut self, run: &Run) -> Result<()> {
        self.line(&run.frame())
    }

    fn line(&mut self, value: &impl serde::Serialize) -> Result<()> {
        let line = json(value)?;
        writeln!(self.file, "{line}").map_err(|error| format!("{}: cannot be written: {error}", self.path))
    }

    fn finish(mut self) -> Result<()> {
        self.file.flush().map_err(|error| format!("{}: cannot be written: {error}", self.path))
    }
}

/// How long a tick is.
pub fn tick(scenario: &Scenario) -> Duration {
    Duration::from_secs_f64(scenario.dt)
}
