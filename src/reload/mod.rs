//! Which script files changed: events in, settled changes out.
//!
//! Knows no world and no Lua: it says that `guard.lua` reads otherwise than before, and what it reads now. What is
//! done about that is the business of whoever asks.
//!
//! The pure half works on a given time and a given [`Disk`] and is always there: [`Quiet`] waits until a burst of
//! events is over, [`Hashes`] remembers what was last read, [`Settling`] puts both together. The other half needs
//! the `reload` feature: `Watcher` watches a real folder.
//!
//! Events are hints, never truth: they say where to look. What counts as a change is decided by what the disk holds
//! once it is quiet, so that a touch, a save of the same text, a doubled event or the reading of a file change
//! nothing.

mod content;
mod quiet;
mod settle;

#[cfg(feature = "reload")]
mod backend;
#[cfg(feature = "reload")]
mod folder;
#[cfg(feature = "reload")]
mod watch;

pub use content::Hashes;
pub use quiet::{EVERYTHING, Quiet, QuietRules};
pub use settle::{Change, Disk, Found, Settling};

#[cfg(feature = "reload")]
pub use backend::{Backend, Event, Fault, Inbox, Reach};
#[cfg(feature = "reload")]
pub use watch::{WatchMode, Watcher};
