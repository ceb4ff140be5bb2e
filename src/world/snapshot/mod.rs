//! Saving a world and going on from there.
//!
//! A [`Snapshot`] is all that ticks change: plain data, taken between two ticks. What the game's code makes is not in it
//! but its names: trees, scripts, registered nodes, walls, ground, line of sight, [`super::Config`]. A world that was
//! made with the same code goes on from a snapshot bit by bit; one whose scripts have changed since is treated as at a
//! reload.

mod check;
mod fit;
mod format;
mod saved;

use super::World;
use crate::error::Result;
use crate::tree::Why;
use saved::Saved;

/// A world as it was between two ticks: bodies, boards, what squads know, running trees with their slots, timers, dice,
/// leases, queues. It goes through any format of serde, or through [`Snapshot::to_bytes`].
///
/// It is not for programs to look into, and one of an older version of this crate may be refused. With `serde_json` turn
/// on that crate's feature `float_roundtrip`, without which it changes the last digit of some numbers.
///
/// ```
/// use warband::{AgentDesc, Config, Snapshot, Spec, SquadDesc, World, vec3};
/// /// What the game does at its start, before a new match as before a saved one.
/// fn world() -> Result<World, warband::Error> {
///     let mut world = World::new(Config { seed: 7, ..Config::default() });
///     world.add_tree("guard", &Spec::new("wait_random").set("low", 1.0).set("high", 9.0))?;
///     Ok(world)
/// }
/// let mut played = world()?;
/// let squad = played.add_squad(SquadDesc { name: "watch".into(), ..SquadDesc::default() })?;
/// played.spawn(squad, AgentDesc { tree: "guard".into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) })?;
/// played.tick(0.1);
/// let bytes = played.snapshot().to_bytes()?;
///
/// let mut restored = world()?;
/// restored.restore(&Snapshot::from_bytes(&bytes)?)?;
/// played.tick(0.1);
/// restored.tick(0.1);
/// assert_eq!(restored.digest(), played.digest());
/// # Ok::<(), warband::Error>(())
/// ```
#[derive(Clone)]
pub struct Snapshot(Box<Saved>);

impl Snapshot {
    /// The version of what [`World::snapshot`] writes, and the latest that can be read. It is raised whenever something
    /// is saved in another way.
    pub const VERSION: u32 = 1;

    /// When it was taken, in seconds of the world's clock.
    pub fn seconds(&self) -> f64 {
        self.0.clock as f64 * 1e-9
    }
    /// How many agents there are in it.
    pub fn agents(&self) -> usize {
        self.0.agents.len()
    }
    /// The trees that its agents run: a world needs them before it is restored.
    pub fn trees(&self) -> impl Iterator<Item = &str> {
        self.0.trees.iter().map(|(name, _)| &**name)
    }
    /// The slots that were set to something with functions of scripts in it (see [`World::set_slot`]), which a snapshot
    /// cannot hold: set them before a world is restored.
    pub fn slots_to_set(&self) -> impl Iterator<Item = &str> {
        self.0.slots.iter().filter(|(_, spec)| spec.is_none()).map(|(name, _)| name.as_str())
    }
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Snapshot({} agents at {:.2} s)", self.agents(), self.seconds())
    }
}

impl World {
    /// All that ticks change, to go on from it later. It changes nothing.
    ///
    /// Not in it: what the game's code makes ([`super::Config`] but for its seed, trees, scripts, registered nodes, walls,
    /// ground, line of sight), what a script keeps in variables of its own rather than on boards, observers, noted history,
    /// problems, and what was told of the last tick.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(Box::new(Saved::of(self)))
    }

    /// Goes on from a snapshot in place of what there is: bodies, squads and keys' values are those of the snapshot, and
    /// all ids are good that were so when it was taken. What runs is exited first, as if every agent were removed.
    ///
    /// The world is to be made as the one of the snapshot was: keys, trees and scripts come before. Where they are others
    /// than they were, it is as at a reload, with a warning among the problems of the next tick: nodes that are unchanged
    /// run on, and what stands in the place of others begins. An agent that holds a token, or waits for one or for an
    /// answer, begins anew as a whole if anything that it ran has changed, and gives all that back: the code that would
    /// have exited it is gone. Keys that are new or of another type have their defaults, keys that are gone are left out.
    ///
    /// What was set in slots is set again, whatever is set in them now. An observer goes on with the value that its key has now. History that was noted is gone.
    ///
    /// # Errors
    /// A snapshot that is damaged, or whose agents run a tree that this world has not. Nothing is changed then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<()> {
        let mut saved = snapshot.0.clone();
        saved.check()?;
        let fitted = fit::fit(&mut saved, self)?;
        for index in 0..self.minds.len() {
            self.halt_agent(index, Why::Removed);
        }
        for problem in self.desks.iter_mut().flat_map(|desk| desk.problems.drain(..)) {
            self.problems.add(problem);
        }
        (self.trees.slots, self.trees.list) = (fitted.slots, fitted.trees);
        self.take_place(*saved);
        fitted.warnings.into_iter().for_each(|warning| self.problems.renew(warning));
        Ok(())
    }

    /// Takes the place of what there is.
    fn take_place(&mut self, saved: Saved) {
        self.config.seed = saved.seed;
        let scene = Self::part(&mut self.scene);
        (scene.clock, scene.tick, scene.dt) = (saved.clock, saved.tick, saved.dt);
        (scene.symbols, scene.bodies, scene.agents) = (saved.symbols, saved.bodies, saved.agents);
        (scene.perceives, scene.squads) = (saved.perceives, saved.squads);
        (scene.teams, scene.board, scene.offers) = (saved.teams, saved.board, saved.offers);
        // Saves of old have them elsewhere.
        let empty = scene.squads.iter_mut().filter(|squad| squad.members.is_empty());
        empty.for_each(|squad| squad.members = 0..0);
        scene.bodies.number_all();
        (self.ticks, self.carried) = (saved.ticks, saved.carried);
        (self.minds, self.desks, self.cast) = (saved.minds, saved.desks, saved.cast);
        self.roster_changed();
        self.helm.led = true;
        self.agenda.stirred = true;
        self.trees.runs = saved.runs;
        self.eyes.seen = saved.seen;
        (self.agenda.focus, self.agenda.detail) = (saved.focus, saved.detail);
        self.agenda.steer_detail = saved.steer_detail;
        self.helm.coasts.restore(&saved.coasts, self.minds.len());
        (self.noises, self.hits, self.between) = (saved.noises, saved.hits, saved.between);
        self.events.clear();
        self.commands.clear();
        self.said.clear();
        self.thought = super::think::Thought::default();
        #[cfg(feature = "lua")]
        self.forget_waits();
        #[cfg(feature = "lua")]
        self.end_trials();
        (0..self.scene.squads.len()).for_each(|squad| self.remember_as_trees_ask(squad));
        self.index_bodies();
        self.look_anew();
    }
}
