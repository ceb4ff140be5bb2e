//! The trees of a world, and which agent runs which.

use super::World;
use crate::entity::AgentId;
use crate::error::{Error, ErrorKind, Result};
use crate::tree::{Carrier, Host, Runner, Sleep, Spec, Symbol, Tree, Why, warnings};
use std::sync::Arc;

/// The trees by number, and the number of each agent's.
#[derive(Default)]
pub(super) struct Trees {
    pub list: Vec<Arc<Tree>>,
    pub slots: super::slots::Slots,
    /// By body index of agents.
    pub runs: Vec<Option<u32>>,
}

impl Trees {
    pub fn number(&self, name: &str) -> Result<u32> {
        let found = self.list.iter().position(|tree| &**tree.name() == name);
        found.map(|at| at as u32).ok_or_else(|| {
            Error::new(ErrorKind::UnknownName, format!("unknown tree '{name}'"))
                .near(name, self.list.iter().map(|tree| &**tree.name()))
        })
    }
    /// Whether any agent runs the tree of that name.
    #[cfg(feature = "lua")]
    pub fn is_run(&self, name: &str) -> bool {
        self.number(name).is_ok_and(|number| self.runs.contains(&Some(number)))
    }
    pub fn of_agent(&self, index: usize) -> Option<&Arc<Tree>> {
        self.runs[index].map(|number| &self.list[number as usize])
    }
    pub fn insert_agent(&mut self, index: usize, tree: Option<u32>) {
        self.runs.insert(index, tree);
    }
    pub fn remove_agent(&mut self, index: usize) {
        self.runs.remove(index);
    }
}

impl World {
    /// Adds a tree, or puts it in the place of the one of that name: agents that run it go on with what is
    /// unchanged, and the rest is exited now and what stands in its place is entered in the next tick. What is legal in it but hardly meant is a problem, told
    /// once; see [`crate::tree::warnings`].
    ///
    /// # Errors
    /// Every fault in it; nothing is changed then.
    pub fn add_tree(&mut self, name: &str, spec: &Spec) -> Result<()> {
        let tree = self.build_tree(name, spec)?;
        self.put_tree(tree);
        Ok(())
    }

    pub(super) fn build_tree(&mut self, name: &str, spec: &Spec) -> Result<Arc<Tree>> {
        let Self { registry, scene, trees, .. } = self;
        let scene = Self::part(scene);
        trees.slots.build(name, spec, registry, &scene.schema, &mut scene.symbols)
    }

    pub(super) fn put_tree(&mut self, tree: Arc<Tree>) {
        self.note_names();
        let Ok(number) = self.trees.number(tree.name()) else {
            self.report_new(warnings(&tree), &[]);
            self.trees.list.push(tree);
            return;
        };
        let old = std::mem::replace(&mut self.trees.list[number as usize], tree.clone());
        self.report_new(warnings(&tree), &warnings(&old));
        let carrier = Carrier::new(old.shape(), tree.shape());
        for index in 0..self.minds.len() {
            if self.trees.runs[index] == Some(number) {
                self.swap_tree(index, &old, &carrier);
            }
        }
        for squad in 0..self.scene.squads.len() {
            self.remember_as_trees_ask(squad);
        }
    }

    /// Tells of warnings that were not there before.
    pub(super) fn report_new(&mut self, now: Vec<Error>, before: &[Error]) {
        now.into_iter().filter(|one| !before.contains(one)).for_each(|one| self.report_again(one));
    }

    /// The warnings about keys and messages of all trees together. A node of the game's own may use any key and send any
    /// message, so with one in any tree there are none.
    #[cfg(feature = "lua")]
    pub(super) fn shared_warnings(&self) -> Vec<Error> {
        let library = crate::node::registry();
        let known = |tree: &Arc<Tree>| tree.kinds().all(|def| library.find(def.name).is_ok());
        if !self.trees.list.iter().all(known) {
            return Vec::new();
        }
        let trees = self.trees.list.iter().map(|tree| &**tree);
        let mut warnings = crate::tree::key_warnings(trees.clone(), &self.scene.schema);
        warnings.extend(crate::tree::message_warnings(trees));
        warnings
    }

    fn swap_tree(&mut self, index: usize, old: &Tree, carrier: &Carrier) {
        if !carrier.keeps_all(&self.minds[index].memory) {
            self.stop_in(index, old, |runner| runner.give_way(carrier));
        }
        self.keep_names(index, old);
        // What was stored on the way out, as a cooldown, is carried too.
        self.minds[index].memory = carrier.carry(&self.minds[index].memory);
        for lost in carrier.carry_keeps(&mut self.minds[index].keeps) {
            if let Some(host) = &mut self.host {
                host.forget(lost.stay);
            }
        }
        self.minds[index].sleep = Sleep::NONE;
        self.minds[index].mutes.clear();
        self.agenda.renew_nap(index, self.scene.agents[index].squad as usize, &self.minds[index]);
    }

    /// What was noted of an agent keeps the paths of the tree that it is about.
    fn keep_names(&mut self, index: usize, tree: &Tree) {
        if let Some(history) = &mut self.minds[index].history {
            history.keep_names(tree);
        }
    }

    /// Gives an agent another tree, from the next tick on; what it was doing is exited.
    ///
    /// # Errors
    /// An unknown tree, or an agent that is gone.
    pub fn set_tree(&mut self, agent: AgentId, name: &str) -> Result<()> {
        let number = self.trees.number(name)?;
        let index = self
            .agent_index(agent)
            .ok_or_else(|| Error::new(ErrorKind::Gone, format!("{agent:?} is gone")))?;
        self.halt_agent(index, Why::Swapped);
        if let Some(old) = self.trees.of_agent(index).cloned() {
            self.keep_names(index, &old);
        }
        // What the old tree called it is no word of the new one.
        let before = std::mem::replace(&mut self.minds[index].intent.mode, Symbol::NONE);
        self.note_mode(index, before);
        self.trees.runs[index] = Some(number);
        self.minds[index].memory = self.trees.list[number as usize].memory();
        self.minds[index].mutes.clear();
        let squad = self.scene.agents[index].squad as usize;
        self.remember_as_trees_ask(squad);
        Ok(())
    }

    /// The names of all trees, in the order in which they were added.
    pub fn tree_names(&self) -> impl Iterator<Item = &str> {
        self.trees.list.iter().map(|tree| &**tree.name())
    }

    /// The tree of that name.
    ///
    /// # Errors
    /// An unknown tree, with a near one.
    pub fn tree(&self, name: &str) -> Result<&Arc<Tree>> {
        Ok(&self.trees.list[self.trees.number(name)? as usize])
    }

    /// The path of the node that an agent is running, if any.
    pub fn running(&self, agent: AgentId) -> Option<&str> {
        let index = self.agent_index(agent)?;
        self.trees.of_agent(index)?.running(&self.minds[index].memory)
    }

    /// Exits what an agent is doing; its tree starts afresh in the next tick.
    pub fn halt(&mut self, agent: AgentId) {
        if let Some(index) = self.agent_index(agent) {
            self.halt_agent(index, Why::Halted);
        }
    }

    pub(super) fn halt_agent(&mut self, index: usize, why: Why) {
        if let Some(tree) = self.trees.of_agent(index).cloned() {
            self.stop_in(index, &tree, |runner| runner.halt(why));
        }
    }

    fn stop_in(&mut self, index: usize, tree: &Tree, stop: impl FnOnce(&mut Runner<'_>)) {
        let squad = self.scene.agents[index].squad as usize;
        self.helm.coasts.release(index);
        let mut host = self.host.take();
        if let Some(host) = &mut host {
            host.begin(&self.scene);
        }
        let lent = host.as_mut().map(|host| host as &mut (dyn Host + 'static));
        stop(&mut Runner::new(
            tree,
            &self.scene,
            index,
            &mut self.minds[index],
            &mut self.desks[squad],
            lent,
        ));
        if let Some(host) = &mut host {
            host.end();
        }
        self.host = host;
        // As with the game's own writes, everybody sees what an exit wrote in the next tick.
        self.agenda.open([squad as u32]);
        self.agenda.stirred = true;
        self.agenda.renew_nap(index, squad, &self.minds[index]);
        self.commit_writes();
        self.settle_claims();
    }
}

/// Whoever drops a world ends it: every agent's tree is exited first, as if all agents were removed.
impl Drop for World {
    fn drop(&mut self) {
        // After a panic anything may be half done, and a second panic would abort the game without a word.
        if std::thread::panicking() {
            return;
        }
        for index in 0..self.minds.len() {
            self.halt_agent(index, Why::Removed);
        }
    }
}
