//! What a picture needs of a run: walked ways, the ring at its best, what was lost where.
//!
//! It only looks at the run, so that nothing of the run depends on whether it is drawn.

use super::run::Run;
use crate::entity::Entity;
use crate::error::Result;
use crate::math::Vec3;
use std::collections::BTreeMap;

/// How often positions are taken, in seconds.
const EVERY: f64 = 0.1;

/// A body on its way.
#[derive(Clone, Debug, Default)]
pub(super) struct Track {
    pub name: String,
    pub radius: f32,
    pub samples: Vec<Sample>,
}

/// A body at a moment. `mode` counts in [`Recording::modes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub time: f64,
    pub at: Vec3,
    pub facing: Vec3,
    pub mode: usize,
    /// Whether it is there at all.
    pub present: bool,
}

/// A ring at a moment.
#[derive(Clone, Debug, Default)]
pub(super) struct RingShot {
    pub time: f64,
    pub centre: Vec3,
    pub radius: f32,
    pub places: Vec<Vec3>,
    /// Where the agents were, with their radii and modes.
    pub bodies: Vec<(Vec3, f32, usize)>,
}

/// What happened in a run, for a picture. Feed it after each step.
///
/// ```
/// use warband::{Spec, scenario::{Recording, Run, Scenario}};
/// let text = "seconds = 1.0\n[[squad]]\nname = \"sheep\"\ntree = \"idle\"\npositions = [[0, 0], [4, 3]]\n";
/// let scenario = Scenario::parse(text, "sheep.toml", "".as_ref())?;
/// let mut run = Run::with(&scenario, |world| world.add_tree("idle", &Spec::new("wander")))?;
/// let mut recording = Recording::default();
/// while run.step() {
///     recording.take(&run);
/// }
/// assert!(recording.svg(&run)?.starts_with("<svg"));
/// # Ok::<(), warband::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recording {
    pub(super) agents: Vec<Track>,
    pub(super) actors: Vec<Track>,
    pub(super) modes: Vec<String>,
    pub(super) ring: Option<RingShot>,
    /// What rules asked for at the end, of a flock.
    pub(super) asked: Vec<super::arrows::Asked>,
    /// Where targets were when they were lost, and when.
    pub(super) last_known: Vec<(f64, Vec3)>,
    index: BTreeMap<Entity, usize>,
    next: f64,
    told: usize,
}

impl Recording {
    /// Takes in the last tick of `run`.
    pub fn take(&mut self, run: &Run) {
        self.listen(run);
        self.take_ring(run);
        let last = run.ticks() == run.all_ticks();
        let due = run.now() + 1e-9 >= self.next || last;
        if due {
            self.next = run.now() + EVERY;
        }
        self.take_agents(run, due);
        self.take_actors(run, due);
        if last && self.ring.is_none() {
            self.asked = super::arrows::asked(run);
        }
    }

    /// What was taken in, drawn: see [`Run::report`] for the figures.
    ///
    /// # Errors
    /// Bodies so far away, or so far from the origin, that they cannot be drawn.
    pub fn svg(&self, run: &Run) -> Result<String> {
        super::picture::draw(self, run)
    }

    fn mode(&mut self, name: &str) -> usize {
        let known = self.modes.iter().position(|mode| mode == name);
        known.unwrap_or_else(|| {
            self.modes.push(name.to_owned());
            self.modes.len() - 1
        })
    }

    fn take_agents(&mut self, run: &Run, due: bool) {
        for out in run.world().outputs() {
            let mode = self.mode(out.mode);
            let body = out.agent.entity();
            let at = *self.index.entry(body).or_insert_with(|| {
                let radius = run.spec_of(out.squad).map_or(0.5, |spec| spec.limits.radius);
                self.agents.push(Track { name: run.name_of(body).to_owned(), radius, samples: Vec::new() });
                self.agents.len() - 1
            });
            let sample =
                Sample { time: run.now(), at: out.position, facing: out.facing, mode, present: true };
            let samples = &mut self.agents[at].samples;
            // A change of mode is taken at once, so that colours change where the mode did.
            if due || samples.last().is_none_or(|last| last.mode != mode) {
                samples.push(sample);
            }
        }
    }

    fn take_actors(&mut self, run: &Run, due: bool) {
        if self.actors.is_empty() {
            let track = |at: &super::ActorSpec| Track {
                name: at.name.clone(),
                radius: at.radius,
                samples: vec![sample_of(at, 0.0)],
            };
            self.actors = run.scenario().actors.iter().map(track).collect();
        }
        for (at, _) in run.actors() {
            let sample = sample_of(&run.scenario().actors[at], run.now());
            let samples = &mut self.actors[at].samples;
            let turned = samples.last().is_none_or(|last| {
                last.present != sample.present || last.facing.distance(sample.facing) > 0.01
            });
            if due || turned {
                samples.push(sample);
            }
        }
    }

    /// Keeps the ring of the moment in which it was closed best.
    fn take_ring(&mut self, run: &Run) {
        if !run.tally().is_best {
            return;
        }
        let rings = run.squads().iter().filter_map(|squad| run.world().ring(*squad));
        let Some(ring) = rings
            .filter(|ring| ring.places().len() > 1 && ring.is_set())
            .max_by_key(|ring| ring.places().len())
        else {
            return;
        };
        let (time, centre, radius) = (run.now(), ring.centre(), ring.radius());
        let places = ring.places().iter().map(|place| place.position).collect();
        let mut bodies = Vec::new();
        for out in run.world().outputs() {
            let mode = self.mode(out.mode);
            let radius = self.index.get(&out.agent.entity()).map_or(0.5, |at| self.agents[*at].radius);
            bodies.push((out.position, radius, mode));
        }
        self.ring = Some(RingShot { time, centre, radius, places, bodies });
    }

    fn listen(&mut self, run: &Run) {
        for entry in &run.story()[self.told..] {
            if entry.kind != "lost" {
                continue;
            }
            let squad = run.world().squads().find(|id| {
                run.world().squad_name(*id).is_some_and(|name| entry.squad.as_deref() == Some(&**name))
            });
            let track = squad.and_then(|id| run.world().knowledge(id)).and_then(|known| known.target());
            if let Some(track) = track {
                self.last_known.push((entry.since.unwrap_or(entry.t), track.position));
            }
        }
        self.told = run.story().len();
    }
}

fn sample_of(actor: &super::ActorSpec, time: f64) -> Sample {
    let stand = actor.path.at(time);
    Sample { time, at: stand.position, facing: stand.velocity, mode: usize::MAX, present: stand.present }
}
