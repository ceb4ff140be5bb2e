//! Where events come from: the system's own notices, or looking again and again.
//!
//! Only folders are watched, never files: a save by renaming would end the watch of a file.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::event::{EventKind, ModifyKind};
use notify::{Config, RecursiveMode, Watcher as _};

use super::watch::WatchMode;

/// Something that may have happened. A hint where to look, no more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    /// Something happened to what lies, or lay, at this path.
    Touched(PathBuf),
    /// The same, and it may have come, gone or been renamed.
    Moved(PathBuf),
    /// Events were lost.
    Rescan,
    /// The backend failed.
    Failed(Fault),
}

/// Why a folder is not watched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The system's limit on watches is reached (inotify).
    Limit,
    /// There is no such folder.
    Gone,
    /// Anything else, in the system's words.
    Other(String),
}

/// How much of a folder is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// What lies in it directly.
    Near,
    /// All that lies below it.
    Deep,
}

/// A source of events; it puts them into the [`Inbox`] it was opened with, from any thread.
pub trait Backend: Send {
    /// Watches `folder`, again if it is watched already (it may be another folder of that name by now).
    ///
    /// # Errors
    /// When it cannot be watched.
    fn watch(&mut self, folder: &Path, reach: Reach) -> Result<(), Fault>;
}

/// More distinct events than these are taken as [`Event::Rescan`].
const MOST_EVENTS: usize = 4096;

/// Events until they are taken, each once. It does not grow without bound when nobody takes them.
#[derive(Clone, Debug, Default)]
pub struct Inbox(Arc<Mutex<BTreeSet<Event>>>);

impl Inbox {
    /// Adds an event.
    pub fn put(&self, event: Event) {
        let mut events = self.lock();
        if events.len() >= MOST_EVENTS {
            events.retain(|event| matches!(event, Event::Failed(_)));
            events.insert(Event::Rescan);
        }
        events.insert(event);
    }

    /// All events there are; they are gone with that.
    pub fn take(&self) -> BTreeSet<Event> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<Event>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Opens what `mode` asks for; `Auto` is the system's own.
pub(super) fn open(mode: WatchMode, inbox: &Inbox) -> Result<Box<dyn Backend>, Fault> {
    let inbox = inbox.clone();
    let receive = move |event| receive(&inbox, event);
    Ok(match mode {
        WatchMode::Poll(interval) => {
            // Without the contents, a second edit within the same second is not seen.
            let config = Config::default().with_poll_interval(interval).with_compare_contents(true);
            Box::new(Polling(notify::PollWatcher::new(receive, config).map_err(fault)?))
        }
        WatchMode::Auto | WatchMode::Native => {
            Box::new(Native(notify::recommended_watcher(receive).map_err(fault)?))
        }
    })
}

struct Native(notify::RecommendedWatcher);

impl Backend for Native {
    fn watch(&mut self, folder: &Path, reach: Reach) -> Result<(), Fault> {
        // What a second watch of one name does is left open by notify; that there was no first is no fault.
        let _ = self.0.unwatch(folder);
        self.0.watch(folder, mode_of(reach)).map_err(fault)
    }
}

struct Polling(notify::PollWatcher);

impl Backend for Polling {
    fn watch(&mut self, folder: &Path, reach: Reach) -> Result<(), Fault> {
        // Polling sees a root that comes back and reads through links; it would hash all files of a folder that is
        // watched only for those.
        if reach == Reach::Near || folder.is_symlink() {
            return Ok(());
        }
        if !folder.is_dir() {
            return Err(Fault::Gone);
        }
        self.0.watch(folder, mode_of(reach)).map_err(fault)
    }
}

fn mode_of(reach: Reach) -> RecursiveMode {
    match reach {
        Reach::Near => RecursiveMode::NonRecursive,
        Reach::Deep => RecursiveMode::Recursive,
    }
}

fn receive(inbox: &Inbox, event: notify::Result<notify::Event>) {
    let event = match event {
        Ok(event) => event,
        Err(error) => return inbox.put(Event::Failed(fault(error))),
    };
    if event.need_rescan() {
        inbox.put(Event::Rescan);
    }
    // Reading a script is an access: to look at it would cause the next look, for ever.
    if event.kind.is_access() {
        return;
    }
    let moved = matches!(
        event.kind,
        EventKind::Any | EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
    );
    for path in event.paths {
        inbox.put(if moved { Event::Moved(path) } else { Event::Touched(path) });
    }
}

fn fault(error: notify::Error) -> Fault {
    match error.kind {
        notify::ErrorKind::MaxFilesWatch => Fault::Limit,
        notify::ErrorKind::PathNotFound => Fault::Gone,
        notify::ErrorKind::Io(reason) if reason.kind() == io::ErrorKind::NotFound => Fault::Gone,
        notify::ErrorKind::Io(reason) if reason.kind() == io::ErrorKind::StorageFull => Fault::Limit,
        notify::ErrorKind::Io(reason) => Fault::Other(reason.to_string()),
        other => Fault::Other(notify::Error::new(other).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{AccessKind, AccessMode, CreateKind, DataChange, Flag};

    fn events(event: notify::Result<notify::Event>) -> Vec<Event> {
        let inbox = Inbox::default();
        receive(&inbox, event);
        inbox.take().into_iter().collect()
    }

    fn at(kind: EventKind) -> notify::Result<notify::Event> {
        Ok(notify::Event::new(kind).add_path("/s/a.lua".into()))
    }

    /// Trap 4: only so can reading a script not cause the next read.
    #[test]
    fn accesses_are_no_events() {
        for kind in
            [AccessKind::Open(AccessMode::Any), AccessKind::Close(AccessMode::Write), AccessKind::Read]
        {
            assert_eq!(events(at(EventKind::Access(kind))), []);
        }
    }

    #[test]
    fn coming_and_going_is_told_from_writing() {
        let written = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        assert_eq!(events(at(written)), [Event::Touched("/s/a.lua".into())]);
        assert_eq!(events(at(EventKind::Create(CreateKind::Any))), [Event::Moved("/s/a.lua".into())]);
        assert_eq!(events(at(EventKind::Any)), [Event::Moved("/s/a.lua".into())]);
    }

    /// Trap 17.
    #[test]
    fn the_rescan_flag_is_a_rescan() {
        let overflow = notify::Event::new(EventKind::Other).set_flag(Flag::Rescan);
        assert_eq!(events(Ok(overflow)), [Event::Rescan]);
    }

    #[test]
    fn faults_are_told_apart() {
        let io = |code| notify::Error::io(io::Error::from_raw_os_error(code));
        assert_eq!(
            events(Err(notify::Error::new(notify::ErrorKind::MaxFilesWatch))),
            [Event::Failed(Fault::Limit)]
        );
        assert_eq!(events(Err(notify::Error::path_not_found())), [Event::Failed(Fault::Gone)]);
        assert_eq!(events(Err(io(2))), [Event::Failed(Fault::Gone)]);
        assert!(matches!(events(Err(io(38)))[..], [Event::Failed(Fault::Other(_))]));
    }
}
