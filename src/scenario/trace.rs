//! A run as records: one for its head, one for each tick.

use super::report::Entry;
use super::run::Run;
use crate::math::Vec3;
use serde::Serialize;

/// The first record of a trace.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceHead {
    /// The scenario's name.
    pub scenario: String,
    /// The seed of all dice.
    pub seed: u64,
    /// The length of a tick in seconds.
    pub dt: f64,
}

/// What was after a tick.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frame {
    /// The end of the tick, in seconds.
    pub t: f64,
    /// The agents, by squad and key.
    pub agents: Vec<FrameAgent>,
    /// The actors that are not gone.
    pub actors: Vec<FrameActor>,
    /// What came up in the tick.
    pub events: Vec<Entry>,
}

/// An agent after a tick; vectors are `[x, y, z]`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameAgent {
    /// Its name, as in `wolves/3`.
    pub agent: String,
    /// Where it is, in metres.
    pub position: [f32; 3],
    /// How it moves, in m/s.
    pub velocity: [f32; 3],
    /// Where it wants to get to, if anywhere.
    pub goal: Option<[f32; 3]>,
    /// What it calls what it does.
    pub mode: String,
    /// The path of the node that it is running.
    pub node: Option<String>,
}

/// An actor after a tick.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FrameActor {
    /// Its name.
    pub actor: String,
    /// Where it is, in metres.
    pub position: [f32; 3],
    /// Whether it can be seen and met.
    pub present: bool,
}

impl Run {
    /// The first record of a trace.
    pub fn trace_head(&self) -> TraceHead {
        let scenario = self.scenario();
        TraceHead { scenario: scenario.name.clone(), seed: scenario.seed, dt: scenario.dt }
    }

    /// The record of the last tick.
    pub fn frame(&self) -> Frame {
        let agents = self.world().outputs().map(|out| FrameAgent {
            agent: self.name_of(out.agent).to_owned(),
            position: out.position.to_array(),
            velocity: out.velocity.to_array(),
            goal: out.goal.map(|goal: Vec3| goal.to_array()),
            mode: out.mode.to_owned(),
            node: self.world().running(out.agent).map(str::to_owned),
        });
        let actors = self.actors().map(|(at, id)| FrameActor {
            actor: self.name_of(id).to_owned(),
            position: self.world().position(id).unwrap_or_default().to_array(),
            present: self.scenario().actors[at].path.at(self.now()).present,
        });
        Frame {
            t: super::figures::round(self.now()),
            agents: agents.collect(),
            actors: actors.collect(),
            events: self.story()[self.story_before()..].to_vec(),
        }
    }
}
