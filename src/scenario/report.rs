//! What a run tells, as `warband run --json` prints it.
//!
//! | field | what |
//! | --- | --- |
//! | `scenario` | its name |
//! | `seed` | the seed of all dice |
//! | `ticks`, `seconds` | how many ticks it ran, and for how long on its own clock |
//! | `wall_ms` | how long it took on the machine |
//! | `agents` | how many agents there are at the end |
//! | `digest` | 16 hexadecimal digits over the whole state at the end (a string: JSON numbers hold 53 bits) |
//! | `problems` | each fault once: [`ProblemEntry`] |
//! | `events` | what came up, in the order of time: [`Entry`] |
//! | `unanswered` | commands that wait for their answers at the end: [`Unanswered`]; left out if there are none |
//! | `figures` | [`Figures`] |
//! | `squads` | how each squad's ring or formation stands at the end: [`Standing`] |
//!
//! `wall_ms` and `figures.stage_ms` are the machine's; everything else is the same for the same scenario and seed. Fields
//! may be added; none changes its meaning.

use super::answers::Open;
use super::figures::Figures;
use super::run::Run;
use crate::entity::{AgentId, SquadId};
use crate::error::{ErrorKind, Problem};
use crate::tree::Command;
use crate::world::{Event, EventKind};
use serde::Serialize;

/// All about a run; every field is documented where it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The scenario's name.
    pub scenario: String,
    /// The seed of all dice.
    pub seed: u64,
    /// How many ticks it ran.
    pub ticks: u64,
    /// How long it ran on its own clock.
    pub seconds: f64,
    /// How long it took on the machine, in milliseconds.
    pub wall_ms: f64,
    /// How many agents there are at the end.
    pub agents: usize,
    /// Sixteen hexadecimal digits over the whole state at the end.
    pub digest: String,
    /// What went wrong, each fault once.
    pub problems: Vec<ProblemEntry>,
    /// What came up, in the order of time.
    pub events: Vec<Entry>,
    /// The commands whose answers are waited for at the end, the first asked first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unanswered: Vec<Unanswered>,
    /// The figures.
    pub figures: Figures,
    /// How the rings and formations of squads stand at the end; squads without one are left out.
    pub squads: Vec<Standing>,
}

/// How the ring or the formation of a squad stands, under the names that scripts and Rust have for it too.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The squad.
    pub squad: String,
    /// The largest angle round the target without any hunter, in degrees; 360 without a ring.
    pub largest_gap: f64,
    /// The share of members in place, 0 to 1.
    pub set_fraction: f64,
    /// The mean distance of the members from their places, in metres.
    pub place_error: f64,
}

/// A command that waits for its answer; see the event `answer`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unanswered {
    /// What is asked of the game.
    pub name: String,
    /// Who waits.
    pub agent: String,
    /// Since when, in seconds.
    pub since: f64,
}

/// Something that came up. Fields that an event does not have are left out.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Entry {
    /// When, in seconds.
    pub t: f64,
    /// What: `mode`, `gained`, `lost`, `forgotten`, `noticed`, `called`, `joined`, `left`, `reload`, `said`, `command`,
    /// `answered` or `cancelled`.
    pub kind: &'static str,
    /// The agent it concerns, as in `wolves/3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The squad it concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub squad: Option<String>,
    /// Of a mode: the one before; empty at first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Of a mode: the one from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Whom a squad gained, lost or forgot, an agent noticed or called out about, or whom a command concerns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Who perceived the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// How: `sight`, `near`, `noise`, `told`, `hit` or `glimpse`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<&'static str>,
    /// Of a loss: the time of the first tick in which nobody perceived the target any more, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<f64>,
    /// Of a call: through how many mouths the news has gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hops: Option<u8>,
    /// Of a reload: which script.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// Of what was said: the line. Without an agent a script printed it while it was loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Of a command, also one that was cancelled or answered: what the agent asks of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Of an answer: whether it was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub success: Option<bool>,
}

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProblemEntry {
    /// When it came up first, in seconds.
    pub t: f64,
    /// What kind of fault it is.
    pub kind: ErrorKind,
    /// All of it in a line: place, what, hint, path.
    pub text: String,
    /// The file, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line in that file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The agent it befell first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// How often it came up.
    pub times: u64,
}

/// Nanoseconds as seconds, to the microsecond.
fn seconds(at: u64) -> f64 {
    libm::round(at as f64 * 1e-3) / 1e6
}

/// `number` as the nearest one with six digits behind the point.
fn micro(number: f64) -> f64 {
    libm::round(number * 1e6) / 1e6
}

impl Report {
    pub(super) fn of(run: &Run, wall_ms: f64) -> Report {
        Report {
            scenario: run.scenario().name.clone(),
            seed: run.scenario().seed,
            ticks: run.ticks(),
            seconds: micro(run.now()),
            wall_ms: super::figures::round(wall_ms),
            agents: run.world().outputs().count(),
            digest: format!("{:016x}", run.world().digest()),
            problems: run.problems().iter().map(|(t, problem)| ProblemEntry::of(run, *t, problem)).collect(),
            events: run.story().to_vec(),
            unanswered: run.unanswered().iter().map(|open| Unanswered::of(run, open)).collect(),
            figures: run.tally().figures(run),
            squads: run.squads().iter().filter_map(|squad| Standing::of(run, *squad)).collect(),
        }
    }
}

impl Standing {
    fn of(run: &Run, squad: SquadId) -> Option<Standing> {
        let world = run.world();
        let places = world.ring(squad)?.places().len() + world.formation(squad)?.places().len();
        let round = |number: f32| super::figures::round(number.into());
        (places > 0).then(|| Standing {
            squad: world.squad_name(squad).map_or(String::new(), |name| name.to_string()),
            largest_gap: round(world.largest_gap(squad)),
            set_fraction: round(world.set_fraction(squad)),
            place_error: round(world.place_error(squad)),
        })
    }
}

impl Unanswered {
    fn of(run: &Run, open: &Open) -> Unanswered {
        let agent = run.name_of(open.id.agent()).to_owned();
        Unanswered { name: open.name.to_string(), agent, since: micro(open.since) }
    }
}

impl ProblemEntry {
    fn of(run: &Run, t: f64, problem: &Problem) -> ProblemEntry {
        // The world counts on after a problem was told.
        let counted = run.world().all_problems().iter().find(|known| known.error == problem.error);
        let place = problem.error.place();
        ProblemEntry {
            t: micro(t),
            kind: problem.error.kind(),
            text: problem.error.to_string(),
            file: place.map(|place| place.file.to_string()),
            line: place.map(|place| place.line).filter(|line| *line > 0),
            agent: problem.agent.map(|agent| run.name_of(agent).to_owned()),
            times: counted.unwrap_or(problem).times,
        }
    }
}

impl Entry {
    pub(super) fn of(run: &Run, event: &Event) -> Entry {
        let name = |body| Some(run.name_of(body).to_owned());
        let mut entry = Entry {
            t: seconds(event.at),
            kind: event.kind.name(),
            agent: event.agent.and_then(|agent| name(agent.entity())),
            squad: event.squad.and_then(|squad| run.world().squad_name(squad)).map(|name| name.to_string()),
            ..Entry::default()
        };
        match &event.kind {
            EventKind::Mode { from, to } => {
                (entry.from, entry.to) = (Some(from.to_string()), Some(to.to_string()));
            }
            EventKind::Gained { target, by, how } => {
                (entry.target, entry.by, entry.how) = (name(*target), name(*by), Some(how.name()));
            }
            EventKind::Lost { target, since } => {
                (entry.target, entry.since) = (name(*target), Some(seconds(*since)));
            }
            EventKind::Forgotten { target } | EventKind::Noticed { target } => entry.target = name(*target),
            EventKind::Called { target, hops } => {
                (entry.target, entry.hops) = (name(*target), Some(*hops));
            }
            EventKind::Joined | EventKind::Left | EventKind::Blocked => {}
            EventKind::Cancelled { name, .. } => entry.name = Some(name.to_string()),
            EventKind::Reload { script } | EventKind::Rollback { script } => {
                entry.script = Some(script.to_string())
            }
        }
        entry.by = entry.by.filter(|by| !by.is_empty());
        entry
    }

    /// What was said in the last tick, by an agent or by a script that was loaded.
    pub(super) fn said(run: &Run, agent: Option<AgentId>, line: &str) -> Entry {
        let text = Some(line.to_owned());
        Entry { text, ..Self::of_agent(run, "said", agent) }
    }

    /// What an agent asked of the game in the last tick.
    pub(super) fn command(run: &Run, command: &Command) -> Entry {
        let target = Some(run.name_of(command.target).to_owned()).filter(|name| !name.is_empty());
        let name = Some(command.name.to_string());
        Entry { name, target, ..Self::of_agent(run, "command", Some(command.agent)) }
    }

    /// What the scenario answers to an agent.
    pub(super) fn answered(run: &Run, open: &Open, success: bool) -> Entry {
        let name = Some(open.name.to_string());
        Entry { name, success: Some(success), ..Self::of_agent(run, "answered", Some(open.id.agent())) }
    }

    fn of_agent(run: &Run, kind: &'static str, agent: Option<AgentId>) -> Entry {
        let agent = agent.map(|agent| run.name_of(agent).to_owned());
        let squad = agent.as_ref().and_then(|name| Some(name.rsplit_once('/')?.0.to_owned()));
        Entry { t: micro(run.now()), kind, agent, squad, ..Entry::default() }
    }
}

impl std::fmt::Display for Entry {
    /// As a line of a story, without the time.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Scripts write these: a terminal must not take them for commands.
        let text = |text: &Option<String>| plain(text.as_deref().unwrap_or_default());
        let of_squad = matches!(self.kind, "gained" | "lost" | "forgotten");
        let agent = self.agent.clone().filter(|_| !of_squad);
        let who = plain(&agent.or(self.squad.clone()).unwrap_or_default());
        let target = text(&self.target);
        match self.kind {
            "mode" if text(&self.from).is_empty() => write!(f, "{who} starts with {}", text(&self.to)),
            "mode" if text(&self.to).is_empty() => write!(f, "{who} ends {}", text(&self.from)),
            "mode" => write!(f, "{who} goes from {} to {}", text(&self.from), text(&self.to)),
            "gained" => match &self.by {
                Some(by) => write!(f, "{who} gained {target} ({}, by {by})", self.how.unwrap_or_default()),
                None => write!(f, "{who} gained {target} ({})", self.how.unwrap_or_default()),
            },
            "lost" => {
                write!(f, "{who} lost {target}, out of view since {:.2} s", self.since.unwrap_or(self.t))
            }
            "forgotten" => write!(f, "{who} forgot {target}"),
            "noticed" => write!(f, "{who} noticed {target}"),
            "called" => write!(f, "{who} called out about {target}"),
            "joined" => write!(f, "{who} joined {}", text(&self.squad)),
            "left" => write!(f, "{who} left {}", text(&self.squad)),
            "said" if who.is_empty() => write!(f, "a script says: {}", text(&self.text)),
            "said" => write!(f, "{who} says: {}", text(&self.text)),
            "command" if target.is_empty() => write!(f, "{who} asks for {}", text(&self.name)),
            "command" => write!(f, "{who} asks for {} ({target})", text(&self.name)),
            "answered" => {
                let done = if self.success == Some(true) { "done" } else { "not done" };
                write!(f, "{who} is answered that {} was {done}", text(&self.name))
            }
            "cancelled" => write!(f, "{who} no longer waits for {}", text(&self.name)),
            "reload" => write!(f, "{} was loaded anew", text(&self.script)),
            "rollback" => write!(f, "{} went back to the last good version", text(&self.script)),
            other => write!(f, "{other} {who}"),
        }
    }
}

/// A text without what a terminal takes for commands.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        if crate::error::commands(c) { plain.extend(c.escape_default()) } else { plain.push(c) }
    }
    plain
}
