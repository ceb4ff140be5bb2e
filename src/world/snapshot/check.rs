//! Whether a snapshot can be one of a world: whatever a file says, a restored world ticks without a panic.

use super::super::cast::check_able;
use super::saved::Saved;
use crate::error::{Error, ErrorKind, Result};
use crate::math::MOST_COUNTED;
use crate::tree::{Keep, Mute};
use std::collections::BTreeSet;

/// An error, unless it is as it must be.
pub fn ensure(sound: bool, what: impl FnOnce() -> String) -> Result<()> {
    if sound { Ok(()) } else { Err(damaged(&what())) }
}

/// The snapshot is damaged in this respect.
pub fn damaged(what: &str) -> Error {
    Error::new(ErrorKind::Damaged, format!("the snapshot is damaged: {what}"))
        .hint("nothing of it was taken over; go back to an older one")
}

impl Saved {
    /// Looks at all that others rely on.
    ///
    /// # Errors
    /// The first thing that cannot be.
    pub fn check(&self) -> Result<()> {
        self.check_clock()?;
        self.check_names()?;
        self.check_bodies()?;
        self.check_squads()?;
        self.check_boards()?;
        (0..self.minds.len()).try_for_each(|index| self.check_mind(index))?;
        self.check_pending()
    }

    fn check_clock(&self) -> Result<()> {
        let times = [self.clock, self.tick, self.ticks];
        let sound = times.iter().all(|time| *time <= MOST_COUNTED);
        ensure(sound && self.dt >= 0.0 && self.carried.abs() <= 1.0, || "its clock is out of range".into())
    }

    fn check_names(&self) -> Result<()> {
        let names = self.symbols.names();
        let symbols = (1..=usize::from(u16::MAX)).contains(&names.len()) && names[0].is_empty();
        ensure(symbols && are_different(names.iter()), || "its names are not in order".into())?;
        let keys = self.keys.iter().flatten().map(|(name, _)| name);
        let few = self.keys.iter().all(|keys| keys.len() <= usize::from(u16::MAX));
        ensure(few && are_different(keys), || "it has a key twice".into())?;
        ensure(are_different(self.trees.iter().map(|(name, _)| name)), || "it has a tree twice".into())?;
        for (name, shape) in &self.trees {
            ensure(shape.can_be(), || format!("tree '{name}' is no tree"))?;
        }
        Ok(())
    }

    fn check_bodies(&self) -> Result<()> {
        let (bodies, agents) = (&self.bodies, self.agents.len());
        let counts = [
            self.minds.len(),
            self.perceives.len(),
            self.runs.len(),
            self.cast.senses.len(),
            self.cast.looked.len(),
        ];
        let counted = agents <= bodies.len() && counts.iter().all(|count| *count == agents);
        ensure(counted && bodies.are_sound(), || "its bodies are not whole".into())?;
        let ids = &self.cast.ids;
        let known = ids.is_sound() && ids.count() == bodies.len() && bodies.id.iter().all(|id| ids.has(*id));
        ensure(known && are_different(bodies.id.iter()), || "its ids are not those of its bodies".into())?;
        let factions = self.cast.factions.len();
        let sided = bodies.faction[..agents].iter().all(|faction| usize::from(*faction) < factions);
        ensure(sided, || "an agent has no faction".into())?;
        ensure(self.cast.attitudes.is_sound(factions), || "its factions are not whole".into())?;
        ensure(bodies.key[agents..].is_sorted(), || "its actors are not in order".into())?;
        for (agent, senses) in self.agents.iter().zip(&self.cast.senses) {
            check_able(&agent.limits, senses).map_err(|error| damaged(error.message()))?;
            ensure(agent.home.is_finite(), || "an agent has no home".into())?;
            ensure(agent.priority.is_finite(), || "an agent has no right of way".into())?;
        }
        Ok(())
    }

    fn check_squads(&self) -> Result<()> {
        let (squads, cast) = (&self.squads, &self.cast);
        let counts = [self.desks.len(), cast.facts.len(), cast.squads.len()];
        let counted = counts.iter().all(|count| *count == squads.len());
        let named = are_different(squads.iter().map(|squad| &squad.name));
        let keyed = cast.facts.is_sorted_by(|a, b| a.key < b.key);
        ensure(counted && named && keyed, || "its squads are not whole".into())?;
        let mut teams = cast.teams.values().copied().collect::<Vec<_>>();
        teams.sort_unstable();
        let all = teams.iter().copied().eq(0..self.teams.len() as u32);
        ensure(all, || "its teams are not whole".into())?;
        let mut next = 0;
        for (at, squad) in squads.iter().enumerate() {
            // One without members is anywhere.
            let empty = squad.members.is_empty();
            ensure(empty || squad.members.start == next, || format!("{} has no members", self.squad(at)))?;
            self.check_squad(at)?;
            next = if empty { next } else { squad.members.end };
        }
        ensure(next == self.agents.len(), || "an agent has no squad".into())
    }

    fn squad(&self, at: usize) -> String {
        format!("squad '{}'", self.squads[at].name)
    }

    fn check_squad(&self, at: usize) -> Result<()> {
        let (squad, desk, cast) = (&self.squads[at], &self.desks[at], &self.cast);
        let members = squad.members.clone();
        let found = cast.squads.get(squad.id) == Some(&(at as u32));
        let sided = usize::from(cast.facts[at].faction) < cast.factions.len();
        let team = squad.team.is_none_or(|team| (team as usize) < self.teams.len());
        ensure(found && sided && team, || format!("{} belongs to nobody", self.squad(at)))?;
        let inside = members.start <= members.end && members.end <= self.agents.len();
        let own = inside
            && self.agents[members.clone()].iter().all(|agent| agent.squad as usize == at)
            && self.bodies.key[members].is_sorted_by(|a, b| a < b);
        ensure(own, || format!("{} has members that are not its own", self.squad(at)))?;
        let names = self.symbols.names().len();
        let heard = squad.messages.is_sound(names)
            && desk.messages.iter().all(|message| usize::from(message.name.number()) < names);
        ensure(heard, || format!("{} has messages without a name", self.squad(at)))?;
        ensure(squad.knowledge.is_sound(), || format!("{} knows what cannot be known", self.squad(at)))?;
        ensure(squad.belief.is_sound(), || format!("{} believes what cannot be", self.squad(at)))?;
        ensure(desk.leases.are_sound(names) && desk.claims.is_empty(), || {
            format!("{} has tokens that cannot be", self.squad(at))
        })?;
        ensure(squad.ring.is_sound(), || format!("the ring of {} is no ring", self.squad(at)))?;
        let formed = squad.formation.is_sound(self.clock);
        ensure(formed, || format!("the formation of {} is no formation", self.squad(at)))?;
        ensure(squad.route.is_sound(), || format!("the route of {} leads nowhere", self.squad(at)))
    }

    fn check_boards(&self) -> Result<()> {
        let types = self.keys.each_ref().map(|keys| keys.iter().map(|(_, ty)| *ty).collect::<Vec<_>>());
        let sound = self.minds.iter().all(|mind| mind.board.is_sound(&types[0]))
            && self.squads.iter().all(|squad| squad.board.is_sound(&types[1]))
            && self.teams.iter().all(|board| board.is_sound(&types[2]))
            && self.board.is_sound(&types[3]);
        ensure(sound, || "a board has values that are not those of its keys".into())
    }

    fn check_mind(&self, index: usize) -> Result<()> {
        let mind = &self.minds[index];
        let named = usize::from(mind.intent.mode.number()) < self.symbols.names().len();
        let ruled =
            mind.intent.rules().iter().all(|rule| usize::from(rule.behaviour) < self.behaviours.len());
        let messages = &self.squads[self.agents[index].squad as usize].messages;
        let timed = mind.thought_at <= self.clock && mind.heard <= messages.count();
        ensure(named && ruled && timed, || format!("agent {index} wants what cannot be"))?;
        let kept = mind.keeps.is_sorted_by(|a, b| a.node < b.node) && mind.keeps.iter().all(Keep::is_sound);
        ensure(mind.way.is_sound(self.clock), || format!("agent {index} is on no way"))?;
        ensure(mind.stance.is_sound(), || format!("agent {index} stands nowhere"))?;
        ensure(kept && mind.requests.are_sound(), || format!("agent {index} keeps what cannot be"))?;
        let muted = mind.mutes.is_sorted_by(|a, b| (a.node, a.part) < (b.node, b.part))
            && mind.mutes.iter().all(Mute::is_sound);
        ensure(muted, || format!("agent {index} has functions that cannot be muted"))?;
        let Some(tree) = self.runs[index] else { return Ok(()) };
        let Some((name, shape)) = self.trees.get(tree as usize) else {
            return Err(damaged(&format!("agent {index} runs a tree that is not in it")));
        };
        let known = mind.keeps.iter().all(|keep| usize::from(keep.node) < shape.nodes())
            && mind.mutes.iter().all(|mute| usize::from(mute.node) < shape.nodes());
        ensure(known && shape.is_sound(&mind.memory), || {
            format!("agent {index} cannot have run tree '{name}'")
        })
    }

    /// What is to happen or to be told in the next tick.
    fn check_pending(&self) -> Result<()> {
        let offered = self.offers.are_sound(self.symbols.names().len());
        ensure(offered, || "bodies offer tokens that cannot be".into())?;
        let agents = self.agents.len();
        let seen = self.seen.is_sorted_by_key(|pair| (pair.agent, pair.target))
            && self.seen.iter().all(|pair| pair.is_sound(agents))
            && self.cast.looked.iter().all(|at| *at <= self.clock)
            && self.hits.iter().all(|hit| hit.from.is_finite());
        let noises = self.noises.iter().all(|(at, reach, _)| at.is_finite() && *reach > 0.0);
        let focus = self.focus.iter().all(|point| point.is_finite());
        let coasts = self.coasts.is_sorted_by(|a, b| a.0 < b.0)
            && self.coasts.iter().all(|(index, coast)| (*index as usize) < agents && coast.is_sound());
        ensure(seen && noises && focus && coasts, || "what was to come next cannot be".into())
    }
}

fn are_different<T: Ord>(names: impl Iterator<Item = T>) -> bool {
    let mut known = BTreeSet::new();
    let mut names = names;
    names.all(|name| known.insert(name))
}
