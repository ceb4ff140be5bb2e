//! What is saved.

use super::super::World;
use super::super::cast::Cast;
use super::super::report::Event;
use super::super::sense::{Hit, Noise, Pair};
use super::super::steer::Coast;
use crate::blackboard::{Board, Scope, ValueType};
use crate::math::Vec3;
use crate::space::Bodies;
use crate::squad::Offers;
use crate::steer::BEHAVIOURS;
use crate::tree::{AgentFacts, Desk, Mind, Minds, Shape, Spec, SquadScene, Symbols};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Trees by name.
pub type Shapes = Vec<(Arc<str>, Shape)>;

/// All that ticks change, and what its numbers mean: symbols, keys, trees and behaviours by name.
#[derive(Clone, Serialize, Deserialize)]
pub struct Saved {
    pub seed: u64,
    pub clock: u64,
    pub tick: u64,
    pub ticks: u64,
    pub dt: f32,
    pub carried: f64,
    pub symbols: Symbols,
    pub behaviours: Vec<String>,
    /// By scope and slot.
    pub keys: [Vec<(Arc<str>, ValueType)>; 4],
    /// The trees that are run.
    pub trees: Shapes,
    /// What was set in slots, by their names; `None` for what has functions of scripts in it.
    pub slots: BTreeMap<String, Option<Spec>>,
    /// The number of each agent's tree in `trees`.
    pub runs: Vec<Option<u32>>,
    pub cast: Cast,
    pub bodies: Bodies,
    pub agents: Vec<AgentFacts>,
    pub perceives: Vec<bool>,
    pub minds: Minds,
    pub squads: Vec<SquadScene>,
    pub desks: Vec<Desk>,
    pub offers: Offers,
    pub teams: Vec<Board>,
    pub board: Board,
    pub seen: Vec<Pair>,
    pub focus: Vec<Vec3>,
    #[serde(with = "crate::math::any_number")]
    pub detail: Vec<(f32, f32)>,
    #[serde(default, with = "crate::math::any_number")]
    pub steer_detail: Vec<(f32, f32)>,
    /// Who coasts, by body index.
    #[serde(default)]
    pub coasts: Vec<(u32, Coast)>,
    pub noises: Vec<Noise>,
    pub hits: Vec<Hit>,
    pub between: Vec<Event>,
}

impl Saved {
    pub fn of(world: &World) -> Self {
        let scene = &world.scene;
        let keys = |scope| scene.schema.keys(scope).iter().map(|key| (key.name.clone(), key.ty)).collect();
        let (trees, runs) = trees_run(world);
        Self {
            seed: world.config.seed,
            clock: scene.clock,
            tick: scene.tick,
            ticks: world.ticks,
            dt: scene.dt,
            carried: world.carried,
            symbols: scene.symbols.clone(),
            behaviours: BEHAVIOURS.iter().map(|behaviour| behaviour.name.to_owned()).collect(),
            keys: Scope::ALL.map(keys),
            trees,
            slots: world.trees.slots.saved(),
            runs,
            cast: world.cast.clone(),
            bodies: scene.bodies.clone(),
            agents: scene.agents.clone(),
            perceives: scene.perceives.clone(),
            minds: world.minds.iter().map(|mind| Box::new(kept(mind))).collect(),
            squads: scene.squads.clone(),
            desks: world.desks.clone(),
            offers: scene.offers.clone(),
            teams: scene.teams.clone(),
            board: scene.board.clone(),
            seen: world.eyes.seen.clone(),
            focus: world.agenda.focus.clone(),
            detail: world.agenda.detail.clone(),
            steer_detail: world.agenda.steer_detail.clone(),
            coasts: world.helm.coasts.saved(),
            noises: world.noises.clone(),
            hits: world.hits.clone(),
            between: world.between.clone(),
        }
    }
}

/// A mind without its history, and with rules of a ring that every format has words for.
fn kept(mind: &Mind) -> Mind {
    let mut kept = mind.clone();
    kept.history = None;
    kept.forget_threads();
    if let Some(wish) = &mut kept.intent.ring {
        // What the ring makes of them itself, before it looks at any.
        wish.rules = wish.rules.map(|rules| rules.within_range());
        wish.formation = wish.formation.map(|rules| rules.within_range());
    }
    kept
}

/// The trees that are run, and the number of each agent's among them.
fn trees_run(world: &World) -> (Shapes, Vec<Option<u32>>) {
    let trees = &world.trees;
    let mut numbers = vec![None; trees.list.len()];
    trees.runs.iter().flatten().for_each(|tree| numbers[*tree as usize] = Some(0));
    let mut run = Vec::new();
    for (tree, number) in trees.list.iter().zip(&mut numbers).filter(|(_, number)| number.is_some()) {
        *number = Some(run.len() as u32);
        run.push((tree.name().clone(), tree.shape()));
    }
    (run, trees.runs.iter().map(|tree| tree.and_then(|tree| numbers[tree as usize])).collect())
}
