//! What a snapshot is in the terms of this world: its numbers of names, its keys, its trees.

use super::super::World;
use super::super::slots::{Slots, has_slot};
use super::check::ensure;
use super::saved::Saved;
use crate::blackboard::{KeyInfo, Schema, Scope, ValueType};
use crate::entity::AgentId;
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::steer::BEHAVIOURS;
use crate::tree::{Carrier, Sleep, Symbol, Symbols, Tree};
use std::sync::Arc;

/// What else there is to be when a snapshot takes the place of a world.
pub struct Fitted {
    /// What was lost.
    pub warnings: Vec<Problem>,
    /// What is set in slots, and all trees with that.
    pub slots: Slots,
    pub trees: Vec<Arc<Tree>>,
}

/// Turns the snapshot into one that this world could have taken.
///
/// # Errors
/// A tree that this world has not, and what in the snapshot names nothing.
pub fn fit(saved: &mut Saved, world: &World) -> Result<Fitted> {
    let mut warnings = Vec::new();
    rename(saved, &world.scene.symbols);
    number_behaviours(saved)?;
    move_boards(saved, &world.scene.schema, &mut warnings);
    let slots = world.trees.slots.restored(&saved.slots, |slot| {
        let message = format!(
            "slot '{slot}' was set to functions of a script when the snapshot was taken, and is not now"
        );
        let fault = Error::new(ErrorKind::Warning, message);
        warn(&mut warnings, None, fault.hint("set it before restoring: a snapshot cannot hold functions"));
    });
    let trees = trees_with(&slots, &mut saved.symbols, world)?;
    carry_memories(saved, &trees, &mut warnings)?;
    Ok(Fitted { warnings, slots, trees })
}

/// All trees of the world, with what is set in their slots.
fn trees_with(slots: &Slots, symbols: &mut Symbols, world: &World) -> Result<Vec<Arc<Tree>>> {
    let same = *slots == world.trees.slots;
    let tree = |old: &Arc<Tree>| {
        if same || !has_slot(old.spec()) {
            return Ok(old.clone());
        }
        slots.build(old.name(), old.spec(), &world.registry, &world.scene.schema, symbols)
    };
    world.trees.list.iter().map(tree).collect()
}

fn warn(warnings: &mut Vec<Problem>, agent: Option<AgentId>, error: Error) {
    match warnings.iter_mut().find(|known| known.error == error) {
        Some(known) => known.times += 1,
        None => warnings.push(Problem { agent, error, times: 1, tick: 0 }),
    }
}

/// Gives all names the numbers that they have in this world.
fn rename(saved: &mut Saved, known: &Symbols) {
    let mut symbols = known.clone();
    let numbers = saved.symbols.names().iter().map(|name| symbols.number(name)).collect::<Vec<_>>();
    saved.symbols = symbols;
    let renamed = |symbol: Symbol| numbers[usize::from(symbol.number())];
    saved.minds.iter_mut().for_each(|mind| mind.intent.mode = renamed(mind.intent.mode));
    for (squad, desk) in saved.squads.iter_mut().zip(&mut saved.desks) {
        for message in squad.messages.kept_mut().iter_mut().chain(&mut desk.messages) {
            message.name = renamed(message.name);
        }
        desk.leases.rename(|name| numbers[usize::from(name)].number());
    }
    saved.offers.rename(|name| numbers[usize::from(name)].number());
}

/// Gives all steering rules the numbers of their behaviours in this build.
fn number_behaviours(saved: &mut Saved) -> Result<()> {
    let number = |name: &String| BEHAVIOURS.iter().position(|known| known.name == name);
    let numbers = saved.behaviours.iter().map(number).collect::<Vec<_>>();
    for rule in saved.minds.iter_mut().flat_map(|mind| mind.intent.rules_mut()) {
        let behaviour = usize::from(rule.behaviour);
        let known = numbers[behaviour];
        ensure(known.is_some(), || format!("no behaviour is called '{}'", saved.behaviours[behaviour]))?;
        rule.behaviour = known.unwrap_or_default() as u16;
    }
    Ok(())
}

/// Brings the values of keys to the slots that they have in this world.
fn move_boards(saved: &mut Saved, schema: &Schema, warnings: &mut Vec<Problem>) {
    for scope in Scope::ALL {
        let keys = schema.keys(scope);
        let old = &saved.keys[scope as usize];
        let same = |(key, (name, ty)): (&KeyInfo, &(Arc<str>, _))| key.name == *name && key.ty == *ty;
        if keys.len() == old.len() && keys.iter().zip(old).all(same) {
            continue;
        }
        let moves = old.iter().map(|(name, ty)| {
            let key = keys.iter().find(|key| key.name == *name);
            let found = key.filter(|key| key.ty == *ty);
            if found.is_none() {
                warn(warnings, None, lost_key(name, *ty, scope, key));
            }
            found.map(|key| key.id.slot() as u16)
        });
        let moves = moves.collect::<Vec<_>>();
        let boards: Vec<_> = match scope {
            Scope::Agent => saved.minds.iter_mut().map(|mind| &mut mind.board).collect(),
            Scope::Squad => saved.squads.iter_mut().map(|squad| &mut squad.board).collect(),
            Scope::Team => saved.teams.iter_mut().collect(),
            Scope::World => vec![&mut saved.board],
        };
        boards.into_iter().for_each(|board| *board = board.moved(keys, &moves));
        if moves.contains(&None) {
            saved.minds.iter_mut().for_each(|mind| mind.sleep = Sleep::NONE);
        }
    }
}

/// The values of a key are lost: `now` it is of another type, or not at all.
fn lost_key(name: &str, was: ValueType, scope: Scope, now: Option<&KeyInfo>) -> Error {
    let message = match now {
        Some(now) => format!("key '{name}' is {} now, and was {was}: its saved values are lost", now.ty),
        None => format!("there is no key '{name}' of the {scope} any more: its saved values are lost"),
    };
    Error::new(ErrorKind::Warning, message).at_option(now.and_then(|now| now.place.as_ref()))
}

/// Carries what runs into the trees of this world.
fn carry_memories(saved: &mut Saved, list: &[Arc<Tree>], warnings: &mut Vec<Problem>) -> Result<()> {
    let mut trees = Vec::new();
    for (name, shape) in std::mem::take(&mut saved.trees) {
        let number = list.iter().position(|tree| *tree.name() == name);
        let number = number.ok_or_else(|| no_tree(&name, list))?;
        trees.push((number as u32, &list[number], Carrier::new(shape, list[number].shape())));
    }
    for index in 0..saved.runs.len() {
        let Some(run) = saved.runs[index] else { continue };
        let (number, tree, carrier) = &trees[run as usize];
        saved.runs[index] = Some(*number);
        if carrier.is_idle() {
            continue;
        }
        let agent = AgentId::new(saved.bodies.id[index]);
        for path in carry(saved, index, carrier, tree) {
            let message =
                format!("tree '{}' has changed since the snapshot: what ran begins anew", tree.name());
            warn(warnings, Some(agent), Error::new(ErrorKind::Warning, message).on_path(path));
        }
    }
    Ok(())
}

fn no_tree(name: &str, list: &[Arc<Tree>]) -> Error {
    let message =
        format!("the snapshot has agents that run tree '{name}', and this world has none of that name");
    Error::new(ErrorKind::UnknownName, message)
        .hint("load its script or add it before restoring")
        .near(name, list.iter().map(|tree| &**tree.name()))
}

/// Carries what one agent runs, and answers with the paths of what cannot run on. As the code that would give back what
/// that has is not there any more, an agent that has tokens, or waits for them or for answers, begins anew as a whole.
fn carry<'a>(saved: &mut Saved, index: usize, carrier: &'a Carrier, tree: &Tree) -> Vec<&'a str> {
    let (agent, key) = (AgentId::new(saved.bodies.id[index]), saved.bodies.key[index]);
    let leases = &mut saved.desks[saved.agents[index].squad as usize].leases;
    let mind = &mut saved.minds[index];
    mind.sleep = Sleep::NONE;
    mind.mutes.clear();
    let waits = mind.requests.open().next().is_some();
    let bound = waits || leases.concern(key) || saved.offers.concern(agent);
    let all = bound && !carrier.keeps_all(&mind.memory);
    if all {
        leases.forget(key);
        saved.offers.forget(agent);
        mind.requests.forget();
    }
    carrier.restore(mind, tree, all)
}
