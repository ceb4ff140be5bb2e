//! Watching a real folder of scripts.
#![allow(clippy::disallowed_methods, reason = "how long a file has been quiet is a matter of the wall clock")]

use std::path::Path;
use std::time::{Duration, Instant};

use super::backend::{self, Backend, Event, Fault, Inbox, Reach};
use super::folder::{Folder, is_script};
use super::quiet::{EVERYTHING, QuietRules};
use super::settle::{Change, Settling};
use crate::error::{Error, ErrorKind, Result};

/// How often polling looks when nothing else is asked for.
const POLL: Duration = Duration::from_millis(300);
/// The shortest interval of polling.
const SHORTEST_POLL: Duration = Duration::from_millis(10);
/// How often a root that is gone is looked for.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// How a folder is watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WatchMode {
    /// By the system's own notices; by polling every 300 ms where they fail, or where the environment variable
    /// `WARBAND_WATCH` is `poll` (network folders, WSL, containers: where notices never come). `native` there acts
    /// as [`WatchMode::Native`].
    #[default]
    Auto,
    /// By the system's own notices; [`Watcher::new`] fails where there are none.
    Native,
    /// By reading all scripts again and again, at this interval (at least 10 ms). Sees everything everywhere, a
    /// little later, and costs a read of all scripts each time.
    Poll(Duration),
}

impl WatchMode {
    /// The mode when `WARBAND_WATCH` has the value `wish`: only [`WatchMode::Auto`] follows it. Surrounding blanks
    /// and case do not count; no value or an empty one wishes nothing.
    ///
    /// # Errors
    /// When the value is none that is known.
    ///
    /// ```
    /// use warband::reload::WatchMode;
    /// assert_eq!(WatchMode::Auto.wished(None)?, WatchMode::Auto);
    /// assert!(matches!(WatchMode::Auto.wished(Some("poll"))?, WatchMode::Poll(_)));
    /// assert_eq!(WatchMode::Native.wished(Some("poll"))?, WatchMode::Native);
    /// # Ok::<(), warband::error::Error>(())
    /// ```
    pub fn wished(self, wish: Option<&str>) -> Result<Self> {
        let wish = wish.unwrap_or_default().trim().to_lowercase();
        match (self, wish.as_str()) {
            (Self::Native | Self::Poll(_), _) | (Self::Auto, "" | "auto") => Ok(self),
            (Self::Auto, "poll") => Ok(Self::Poll(POLL)),
            (Self::Auto, "native") => Ok(Self::Native),
            (Self::Auto, other) => {
                Err(Error::new(ErrorKind::Warning, format!("WARBAND_WATCH has the unknown value '{other}'"))
                    .hint("known are auto, native, poll"))
            }
        }
    }
}

type Open = Box<dyn FnMut(WatchMode, &Inbox) -> Result<Box<dyn Backend>, Fault> + Send>;

/// Watches the scripts (`*.lua`, `*.luau`) in a folder and below it, except hidden ones (a name that begins with a
/// dot).
///
/// Ask it between ticks: it never waits, and reads files only when something happened to them and they have been
/// quiet for 80 ms. What lies in the folder when the watch begins counts as known.
///
/// A file that failed to load needs nothing: it stays watched like all others.
///
/// ```no_run
/// use warband::reload::{WatchMode, Watcher};
/// let mut watcher = Watcher::new("scripts".as_ref(), WatchMode::Auto)?;
/// loop {
///     for change in watcher.changed() {
///         match change.text {
///             Some(text) => println!("{} now has {} bytes", change.path, text.len()),
///             None => println!("{} is gone", change.path),
///         }
///     }
///     for note in watcher.take_notes() {
///         eprintln!("{note}");
///     }
/// #   break;
/// }
/// # Ok::<(), warband::error::Error>(())
/// ```
pub struct Watcher {
    started: Instant,
    settling: Settling,
    folder: Folder,
    open: Open,
    mode: WatchMode,
    backend: Box<dyn Backend>,
    inbox: Inbox,
    /// Whether the root is watched; if not, when to try next.
    armed: bool,
    look_again: Duration,
    notes: Vec<Error>,
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watcher")
            .field("root", &self.folder.root)
            .field("mode", &self.mode)
            .finish_non_exhaustive()
    }
}

impl Watcher {
    /// Watches `root` and all folders below it.
    ///
    /// # Errors
    /// When `root` is no folder, or it cannot be watched: with [`WatchMode::Auto`] only if polling fails too.
    pub fn new(root: &Path, mode: WatchMode) -> Result<Self> {
        let wish = std::env::var("WARBAND_WATCH").ok();
        let (mode, note) = match mode.wished(wish.as_deref()) {
            Ok(mode) => (mode, None),
            Err(note) => (mode, Some(note)),
        };
        let mut watcher = Self::with_backend(root, mode, backend::open)?;
        watcher.notes.extend(note);
        Ok(watcher)
    }

    /// The same with events of your own making: `open` makes a backend, for [`WatchMode::Native`] or
    /// [`WatchMode::Poll`]. It is asked again, to poll, when the first one fails. The environment is not read.
    ///
    /// # Errors
    /// As [`Watcher::new`].
    pub fn with_backend(
        root: &Path,
        mode: WatchMode,
        mut open: impl FnMut(WatchMode, &Inbox) -> Result<Box<dyn Backend>, Fault> + Send + 'static,
    ) -> Result<Self> {
        let folder = Folder::open(root)?;
        let inbox = Inbox::default();
        let (backend, mode, note) = begin(&mut open, mode, &inbox, &folder)?;
        let mut watcher = Self {
            started: Instant::now(),
            settling: Settling::new(QuietRules::default()),
            folder,
            open: Box::new(open),
            mode,
            backend,
            inbox,
            armed: true,
            look_again: Duration::ZERO,
            notes: note.into_iter().collect(),
        };
        watcher.prime();
        Ok(watcher)
    }

    /// How the folder is watched now: [`WatchMode::Native`] or [`WatchMode::Poll`].
    pub fn mode(&self) -> WatchMode {
        self.mode
    }

    /// The watched folder by its real path.
    pub fn root(&self) -> &Path {
        &self.folder.root
    }

    /// `text` of the file `path` (relative to the root, with `/`) was loaded: the same text is then never reported.
    /// If the file has been changed between its loading and the start of the watch, that is reported.
    pub fn knows(&mut self, path: &str, text: &str) {
        self.settling.knows(path, text, self.started.elapsed());
    }

    /// What changed since the last call, sorted by path. Never waits.
    pub fn changed(&mut self) -> Vec<Change> {
        self.changed_at(self.started.elapsed())
    }

    /// The same by a clock of your own: `now` is the time since the watcher was made.
    pub fn changed_at(&mut self, now: Duration) -> Vec<Change> {
        for event in self.inbox.take() {
            self.receive(event, now);
        }
        if !self.armed && now >= self.look_again {
            self.arm(now);
        }
        let changes = self.settling.poll(&mut self.folder, now);
        self.watch_new_targets(now);
        changes
    }

    /// What went wrong since the last call, each once: files that are not text, watching that had to become polling.
    pub fn take_notes(&mut self) -> Vec<Error> {
        let mut notes = std::mem::take(&mut self.notes);
        notes.append(&mut self.settling.take_notes());
        notes
    }

    fn prime(&mut self) {
        self.settling.prime(&mut self.folder, Duration::ZERO);
        self.watch_new_targets(Duration::ZERO);
    }

    fn receive(&mut self, event: Event, now: Duration) {
        match event {
            Event::Rescan | Event::Failed(Fault::Gone) => self.settling.on_event(EVERYTHING, now),
            Event::Failed(fault) => self.poll_instead(&fault, now),
            Event::Touched(path) => self.touched(&path, now),
            Event::Moved(path) => {
                let root = path == self.folder.root || Some(path.as_path()) == self.folder.root.parent();
                // The end of a link may end the watch of the folder it led to.
                if self.folder.forget(&path) || root {
                    self.armed = false;
                    self.look_again = now;
                }
                self.touched(&path, now);
            }
        }
    }

    /// `path` as it was named, and, where there are links, the place it stands for.
    fn touched(&mut self, path: &Path, now: Duration) {
        self.touched_at(path, now);
        if self.folder.has_links()
            && let Ok(real) = std::fs::canonicalize(path)
            && real != path
        {
            self.touched_at(&real, now);
        }
    }

    fn touched_at(&mut self, path: &Path, now: Duration) {
        let mut linked = false;
        for name in self.folder.linked_to(path) {
            self.settling.on_event(name, now);
            linked = true;
        }
        match self.folder.name_of(path) {
            Some(name) if is_script(&name) => {
                self.settling.on_event(&name, now);
                // A new file in a folder that is linked from elsewhere in here has two names.
                if self.folder.has_links() && !self.settling.hashes().knows(&name) {
                    self.settling.on_event(EVERYTHING, now);
                }
            }
            Some(name) if path.is_dir() || self.settling.hashes().any_in(&name) => {
                self.settling.on_event(EVERYTHING, now);
            }
            Some(_) => {}
            // A script beside the target of a link: it may be known here through a linked folder.
            None if !linked && self.beside_target(path) => self.settling.on_event(EVERYTHING, now),
            None => {}
        }
    }

    fn beside_target(&self, path: &Path) -> bool {
        path.to_str().is_some_and(is_script)
            && path.parent().is_some_and(|parent| self.folder.targets().contains_key(parent))
    }

    /// Watches the root anew: it may be another folder of that name by now.
    fn arm(&mut self, now: Duration) {
        self.look_again = now + LOOK_AGAIN;
        match watch_all(self.backend.as_mut(), &self.folder) {
            Ok(()) => {
                self.armed = true;
                self.settling.on_event(EVERYTHING, now);
            }
            Err(Fault::Gone) => {}
            Err(fault) => self.poll_instead(&fault, now),
        }
    }

    fn watch_new_targets(&mut self, now: Duration) {
        for (target, reach) in self.folder.take_new_targets() {
            // It may have changed since it was read.
            self.settling.on_event(EVERYTHING, now);
            match self.backend.watch(&target, reach) {
                Ok(()) | Err(Fault::Gone) => {}
                Err(fault) => return self.poll_instead(&fault, now),
            }
        }
    }

    /// Gives up the system's notices. Faults while polling are left to the next poll.
    fn poll_instead(&mut self, fault: &Fault, now: Duration) {
        self.settling.on_event(EVERYTHING, now);
        if matches!(self.mode, WatchMode::Poll(_)) {
            return;
        }
        let note = note(fault);
        match (self.open)(WatchMode::Poll(POLL), &self.inbox) {
            Ok(backend) => {
                self.notes.push(note.hint(polling_hint()));
                self.backend = backend;
                self.mode = WatchMode::Poll(POLL);
                self.armed = false;
                self.look_again = now;
            }
            Err(_) => self.notes.push(note),
        }
    }
}

/// Starts the backend that `mode` asks for, or polling with a note on why where `Auto` has to.
fn begin(
    open: &mut impl FnMut(WatchMode, &Inbox) -> Result<Box<dyn Backend>, Fault>,
    mode: WatchMode,
    inbox: &Inbox,
    folder: &Folder,
) -> Result<(Box<dyn Backend>, WatchMode, Option<Error>)> {
    let first = match mode {
        WatchMode::Auto | WatchMode::Native => WatchMode::Native,
        WatchMode::Poll(interval) => WatchMode::Poll(interval.max(SHORTEST_POLL)),
    };
    match start(open, first, inbox, folder) {
        Ok(backend) => Ok((backend, first, None)),
        Err(fault) if mode == WatchMode::Auto && fault != Fault::Gone => {
            let poll = WatchMode::Poll(POLL);
            let backend = start(open, poll, inbox, folder).map_err(|fault| note(&fault))?;
            Ok((backend, poll, Some(note(&fault).hint(polling_hint()))))
        }
        Err(fault) => Err(note(&fault)),
    }
}

fn start(
    open: &mut impl FnMut(WatchMode, &Inbox) -> Result<Box<dyn Backend>, Fault>,
    mode: WatchMode,
    inbox: &Inbox,
    folder: &Folder,
) -> Result<Box<dyn Backend>, Fault> {
    let mut backend = open(mode, inbox)?;
    watch_all(backend.as_mut(), folder)?;
    Ok(backend)
}

fn watch_all(backend: &mut dyn Backend, folder: &Folder) -> Result<(), Fault> {
    // The parent tells when a root that was removed is back. Without it we look for ourselves, so it may fail.
    if let Some(parent) = folder.root.parent() {
        let _ = backend.watch(parent, Reach::Near);
    }
    backend.watch(&folder.root, Reach::Deep)?;
    for (target, reach) in folder.targets() {
        let _ = backend.watch(target, *reach);
    }
    Ok(())
}

fn note(fault: &Fault) -> Error {
    Error::new(
        ErrorKind::File,
        match fault {
            Fault::Limit => {
                "inotify watch limit reached; raise fs.inotify.max_user_watches or set WARBAND_WATCH=poll"
                    .into()
            }
            Fault::Gone => "cannot watch the script folder: it is gone".to_string(),
            Fault::Other(reason) => format!("cannot watch the script folder: {reason}"),
        },
    )
}

fn polling_hint() -> String {
    format!("looking every {} ms instead", POLL.as_millis())
}
