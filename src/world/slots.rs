//! Slots: parts of trees that are swapped by name while agents run.

use super::World;
use crate::args::Arg;
use crate::blackboard::Schema;
use crate::error::{Error, ErrorKind, Result};
use crate::tree::{Registry, Spec, Symbols, Tree, build, build_from};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What was set in place of slots' children, by the slots' name.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Slots(BTreeMap<String, Spec>);

impl Slots {
    /// What was set, for a snapshot; `None` for what has a function of a script in it, which no file can hold.
    pub fn saved(&self) -> BTreeMap<String, Option<Spec>> {
        let plain = |spec: &Spec| (!has_function(spec)).then(|| spec.clone());
        self.0.iter().map(|(name, spec)| (name.clone(), plain(spec))).collect()
    }
    /// What was set when a snapshot was taken: what it cannot hold as it is set now, or not at all; `missed` is told.
    pub fn restored(&self, saved: &BTreeMap<String, Option<Spec>>, mut missed: impl FnMut(&str)) -> Self {
        let mut slots = Self::default();
        for (name, spec) in saved {
            match spec.as_ref().or_else(|| self.0.get(name)) {
                Some(spec) => drop(slots.0.insert(name.clone(), spec.clone())),
                None => missed(name),
            }
        }
        slots
    }
    /// As [`build`], with what was set in the slots.
    pub fn build(
        &self,
        name: &str,
        spec: &Spec,
        registry: &Registry,
        schema: &Schema,
        symbols: &mut Symbols,
    ) -> Result<Arc<Tree>> {
        if self.0.is_empty() || !has_slot(spec) {
            return build(name, spec, registry, schema, symbols);
        }
        build_from(name, spec, &self.filled(spec, &mut Vec::new())?, registry, schema, symbols)
    }

    /// The tree with what was set. `open` are the slots in which it stands.
    fn filled<'a>(&'a self, spec: &'a Spec, open: &mut Vec<&'a str>) -> Result<Spec> {
        let name = slot_name(spec)?;
        let Some((name, bound)) = name.and_then(|name| self.0.get_key_value(name)) else {
            let children =
                spec.children.iter().map(|child| self.filled(child, open)).collect::<Result<_>>()?;
            return Ok(Spec { children, ..spec.clone() });
        };
        if open.contains(&name.as_str()) {
            let message = format!("slot '{name}' was set to what has the slot '{name}' in it");
            return Err(Error::new(ErrorKind::Cycle, message).at_option(spec.place.as_ref()));
        }
        open.push(name);
        let inner = self.filled(bound, open)?;
        open.pop();
        // A scope without parameters: nothing crosses unless passed.
        let child = Spec { role: None, edge: Vec::new(), ..inner };
        Ok(Spec { children: vec![child], scope: Some(Vec::new()), ..spec.clone() })
    }
}

/// The name of a slot; `None` for any other node, and for a slot whose name is missing, of which the build tells.
fn slot_name(spec: &Spec) -> Result<Option<&str>> {
    let given = spec.args.iter().find(|(name, _)| spec.node == "slot" && name == "name");
    match given.map(|(_, arg)| arg) {
        Some(Arg::Text(name)) => Ok(Some(name)),
        Some(Arg::Param(_)) => {
            Err(Error::new(ErrorKind::WrongType, "the name of a slot cannot be a parameter")
                .hint("write it as a text: the game sets slots by name")
                .at_option(spec.place.as_ref()))
        }
        _ => Ok(None),
    }
}

fn has_function(spec: &Spec) -> bool {
    fn is_function(arg: &Arg) -> bool {
        matches!(arg, Arg::Function(_)) || matches!(arg, Arg::List(list) if list.iter().any(is_function))
    }
    let mut given = spec.args.iter().chain(&spec.edge).chain(spec.scope.iter().flatten());
    given.any(|(_, arg)| is_function(arg)) || spec.children.iter().any(has_function)
}

pub(super) fn has_slot(spec: &Spec) -> bool {
    spec.node == "slot" || spec.children.iter().any(has_slot)
}

impl World {
    /// Puts `spec` in place of the child of every `slot` of that name, in the trees there are and in those that come
    /// later, until it is set again or [cleared](World::clear_slot). Running trees take it over as they take over
    /// another version: what is unchanged goes on, the rest is exited and entered anew in the next tick. A name that
    /// no tree uses yet is fine.
    ///
    /// A function of a script in `spec`, as of a tree that was loaded, is gone when that script is loaded again; its
    /// leaf fails from then on, with a problem. Set the slot again after a reload.
    ///
    /// ```
    /// use warband::{Config, Spec, World};
    /// let mut world = World::new(Config::default());
    /// let slot = Spec::new("slot").set("name", "attack").with(Spec::new("direct_chase"));
    /// world.add_tree("wolf", &Spec::new("selector").with(slot).with(Spec::new("patrol")))?;
    /// world.set_slot("attack", &Spec::new("formation").set("radius", 6.0))?;
    /// assert!(world.tree("wolf")?.kinds().any(|def| def.name == "formation"));
    /// world.clear_slot("attack")?;
    /// assert!(world.tree("wolf")?.kinds().any(|def| def.name == "direct_chase"));
    /// # Ok::<(), warband::Error>(())
    /// ```
    ///
    /// # Errors
    /// Every fault in it, alone or where it would stand; nothing is changed then.
    pub fn set_slot(&mut self, name: &str, spec: &Spec) -> Result<()> {
        let mut slots = self.trees.slots.clone();
        slots.0.insert(name.to_owned(), spec.clone());
        // By itself too: no tree may have the slot yet.
        let alone = Spec::new("slot").set("name", name).with(spec.clone());
        self.build_in_slots(&slots, name, &alone)?;
        self.take_slots(slots)
    }

    /// Gives the slots of that name their own children back. To clear what was not set does nothing.
    ///
    /// # Errors
    /// A child that cannot be built, as with a key that was never declared; nothing is changed then.
    pub fn clear_slot(&mut self, name: &str) -> Result<()> {
        let mut slots = self.trees.slots.clone();
        if slots.0.remove(name).is_none() {
            return Ok(());
        }
        self.take_slots(slots)
    }

    pub(super) fn build_in_slots(&mut self, slots: &Slots, name: &str, spec: &Spec) -> Result<Arc<Tree>> {
        let Self { registry, scene, .. } = self;
        let scene = Self::part(scene);
        slots.build(name, spec, registry, &scene.schema, &mut scene.symbols)
    }

    /// Builds every tree with slots beside what runs, and lets all of them take over, or none.
    fn take_slots(&mut self, slots: Slots) -> Result<()> {
        let (mut built, mut errors) = (Vec::new(), Vec::new());
        let slotted =
            self.trees.list.iter().filter(|tree| has_slot(tree.spec())).cloned().collect::<Vec<_>>();
        for old in slotted {
            match self.build_in_slots(&slots, old.name(), old.spec()) {
                Ok(tree) => built.push(tree),
                Err(error) => errors.extend(error.each().cloned().map(Error::without_more)),
            }
        }
        if let Some(error) = Error::all(errors) {
            return Err(error);
        }
        self.trees.slots = slots;
        built.into_iter().for_each(|tree| self.put_tree(tree));
        Ok(())
    }
}
