//! The node kinds that there are.

use super::def::NodeDef;
use crate::error::{Error, ErrorKind, Result};

/// The node kinds that there are.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    defs: Vec<&'static NodeDef>,
}

impl Registry {
    /// A registry of these kinds.
    pub fn new(defs: impl IntoIterator<Item = &'static NodeDef>) -> Self {
        let mut registry = Self { defs: defs.into_iter().collect() };
        registry.defs.sort_by_key(|def| def.name);
        registry
    }
    /// Adds a kind.
    ///
    /// # Errors
    /// A name that is taken, or that is not legal in Lua.
    pub fn register(&mut self, def: &'static NodeDef) -> Result<()> {
        let legal = !def.name.is_empty()
            && def.name.chars().all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit())
            && !def.name.starts_with(|c: char| c.is_ascii_digit());
        if !legal {
            return Err(Error::new(
                ErrorKind::Syntax,
                format!("node name '{}' is not legal in Lua", def.name),
            )
            .hint("small letters, digits and _"));
        }
        match self.defs.binary_search_by_key(&def.name, |known| known.name) {
            Ok(_) => {
                Err(Error::new(ErrorKind::Conflict, format!("node '{}' is registered already", def.name)))
            }
            Err(at) => {
                self.defs.insert(at, def);
                Ok(())
            }
        }
    }
    /// The kind of that name.
    ///
    /// # Errors
    /// An unknown name, with a near one.
    pub fn find(&self, name: &str) -> Result<&'static NodeDef> {
        self.defs.binary_search_by_key(&name, |def| def.name).map(|at| self.defs[at]).map_err(|_| {
            Error::new(ErrorKind::UnknownName, format!("unknown node '{name}'"))
                .near(name, self.defs.iter().map(|def| def.name))
        })
    }
    /// All kinds, by name.
    pub fn defs(&self) -> &[&'static NodeDef] {
        &self.defs
    }
}
