//! Names of messages and tokens that nobody else uses, where one that is nearly the same is in use.
//!
//! Trees, squads and bodies may come later, so a name alone proves nothing; beside one that is nearly the same it is
//! hardly meant.

use super::compile::{NameUse, Tree};
use crate::args::Named;
use crate::error::{Error, ErrorKind, near_name};
use std::collections::BTreeSet;

/// The messages that some of these trees hear and none sends, or send and none hears, while one of nearly that name is
/// used by the other side. All are of [`ErrorKind::Warning`]. Names that differ only in digits are two names.
pub fn message_warnings<'t>(trees: impl IntoIterator<Item = &'t Tree> + Clone) -> Vec<Error> {
    let all = |names: Named| uses(trees.clone(), names).map(|(_, used)| &*used.name).collect::<BTreeSet<_>>();
    let (sent, heard) = (all(Named::Sent), all(Named::Heard));
    let deaf = uses(trees.clone(), Named::Heard).filter_map(|(tree, used)| {
        let meant = meant(&used.name, &sent)?;
        Some(warning(tree, used, format!("message '{}' is never sent", used.name), meant))
    });
    // Of a pair of which both sides are alone, one is told.
    let both = sent.intersection(&heard).copied().collect::<BTreeSet<_>>();
    let unheard = uses(trees, Named::Sent).filter(|(_, used)| !heard.contains(&*used.name));
    let unheard = unheard.filter_map(|(tree, used)| {
        let meant = meant(&used.name, &both)?;
        Some(warning(tree, used, format!("message '{}' is never heard", used.name), meant))
    });
    deaf.chain(unheard).collect()
}

/// The tokens that these trees ask for and nobody offers, while one of nearly that name is `offered`. All are of
/// [`ErrorKind::Warning`]. Names that differ only in digits are two names.
pub fn token_warnings<'t>(
    trees: impl IntoIterator<Item = &'t Tree>,
    offered: &BTreeSet<String>,
) -> Vec<Error> {
    let offered = offered.iter().map(String::as_str).collect();
    let told = |(tree, used): (&Tree, &NameUse)| {
        let meant = meant(&used.name, &offered)?;
        Some(warning(tree, used, format!("nobody offers the token '{}'", used.name), meant))
    };
    uses(trees, Named::Token).filter_map(told).collect()
}

fn uses<'t>(
    trees: impl IntoIterator<Item = &'t Tree>,
    names: Named,
) -> impl Iterator<Item = (&'t Tree, &'t NameUse)> {
    let of = move |tree: &'t Tree| tree.names.iter().map(move |used| (tree, used));
    trees.into_iter().flat_map(of).filter(move |(_, used)| used.names == names)
}

/// The name that is meant by one that is not among them, if one is nearly the same.
fn meant<'n>(name: &str, known: &BTreeSet<&'n str>) -> Option<&'n str> {
    let letters = |name: &str| name.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>();
    if known.contains(name) {
        return None;
    }
    near_name(name, known.iter().copied().filter(|other| letters(other) != letters(name)))
}

fn warning(tree: &Tree, used: &NameUse, what: String, meant: &str) -> Error {
    let warning = Error::new(ErrorKind::Warning, what).hint(format!("did you mean '{meant}'?"));
    warning.at_option(tree.place(used.node)).on_path(tree.path(used.node))
}
