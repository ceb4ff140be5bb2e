//! The watcher over backends that fail, or say what they like, by a fake clock.
#![cfg(feature = "reload")]
#![allow(clippy::unwrap_used, reason = "a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use warband::reload::{Backend, Change, Event, Fault, Inbox, Reach, WatchMode, Watcher};

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A folder that is removed in the end, with `scripts` in it.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("warband-backend-{}-{count}", std::process::id());
        let place = Self(fs::canonicalize(std::env::temp_dir()).unwrap().join(name));
        fs::create_dir_all(place.scripts()).unwrap();
        place
    }

    fn scripts(&self) -> PathBuf {
        self.0.join("scripts")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scripts().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What a fake backend was asked.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<(WatchMode, PathBuf, Reach)>>>);

struct Fake {
    mode: WatchMode,
    log: Log,
    fault: Option<Fault>,
}

impl Backend for Fake {
    fn watch(&mut self, folder: &Path, reach: Reach) -> Result<(), Fault> {
        self.log.0.lock().unwrap().push((self.mode, folder.to_path_buf(), reach));
        self.fault.clone().map_or(Ok(()), Err)
    }
}

/// A watcher whose native backend opens with `opening` and watches with `watching`; events go into the inbox.
fn faked(
    place: &Place,
    mode: WatchMode,
    opening: Option<Fault>,
    watching: Option<Fault>,
) -> (warband::error::Result<Watcher>, Inbox, Log) {
    let (log, outbox) = (Log::default(), Arc::new(Mutex::new(Inbox::default())));
    let (log_there, outbox_there) = (log.clone(), Arc::clone(&outbox));
    let watcher = Watcher::with_backend(&place.scripts(), mode, move |mode, inbox| {
        *outbox_there.lock().unwrap() = inbox.clone();
        let native = mode == WatchMode::Native;
        match opening.clone().filter(|_| native) {
            Some(fault) => Err(fault),
            None => Ok(Box::new(Fake {
                mode,
                log: log_there.clone(),
                fault: watching.clone().filter(|_| native),
            })),
        }
    });
    let inbox = outbox.lock().unwrap().clone();
    (watcher, inbox, log)
}

fn notes(watcher: &mut Watcher) -> Vec<String> {
    watcher.take_notes().iter().map(ToString::to_string).collect()
}

const LIMIT: &str =
    "inotify watch limit reached; raise fs.inotify.max_user_watches or set WARBAND_WATCH=poll";

/// Traps 9 and 10.
#[test]
fn a_backend_that_fails_is_replaced_by_polling_with_one_note() {
    let no_call = Fault::Other("Function not implemented (os error 38)".into());
    let cases = [
        (None, Some(Fault::Limit), format!("{LIMIT} (looking every 300 ms instead)")),
        (
            Some(no_call),
            None,
            "cannot watch the script folder: Function not implemented (os error 38) (looking every 300 ms instead)"
                .to_string(),
        ),
    ];
    for (opening, watching, sentence) in cases {
        let place = Place::new();
        let (watcher, _, log) = faked(&place, WatchMode::Auto, opening.clone(), watching.clone());
        let mut watcher = watcher.unwrap();
        assert_eq!(watcher.mode(), WatchMode::Poll(ms(300)));
        assert_eq!(notes(&mut watcher), [sentence]);
        assert!(log.0.lock().unwrap().contains(&(WatchMode::Poll(ms(300)), place.scripts(), Reach::Deep)));
        assert_eq!(notes(&mut watcher), [""; 0]);

        let (watcher, ..) = faked(&place, WatchMode::Native, opening, watching);
        assert!(watcher.is_err(), "native was asked for");
    }
}

#[test]
fn a_backend_that_fails_later_is_replaced_and_nothing_is_lost() {
    let place = Place::new();
    place.write("a.lua", "return 0");
    let (watcher, inbox, log) = faked(&place, WatchMode::Auto, None, None);
    let mut watcher = watcher.unwrap();
    assert_eq!((watcher.mode(), notes(&mut watcher).len()), (WatchMode::Native, 0));
    place.write("a.lua", "return 1");
    inbox.put(Event::Failed(Fault::Limit));
    inbox.put(Event::Failed(Fault::Other("and more".into())));
    assert_eq!(watcher.changed_at(ms(1000)), []);
    assert_eq!(watcher.mode(), WatchMode::Poll(ms(300)));
    assert_eq!(notes(&mut watcher), [format!("{LIMIT} (looking every 300 ms instead)")]);
    assert_eq!(log.0.lock().unwrap().last(), Some(&(watcher.mode(), place.scripts(), Reach::Deep)));
    let seen = watcher.changed_at(ms(1080));
    assert_eq!(seen, [Change { path: "a.lua".into(), text: Some("return 1".into()) }]);
}

#[test]
fn events_are_hints_by_a_fake_clock() {
    let place = Place::new();
    place.write("a.lua", "return 0");
    let (watcher, inbox, log) = faked(&place, WatchMode::Native, None, None);
    let mut watcher = watcher.unwrap();
    let watches = |log: &Log| log.0.lock().unwrap().len();
    assert_eq!(watches(&log), 2, "the folder and its parent");

    place.write("a.lua", "return 1");
    assert_eq!(watcher.changed_at(ms(500)), [], "nobody said so");
    inbox.put(Event::Rescan);
    assert_eq!(watcher.changed_at(ms(600)), []);
    assert_eq!(watcher.changed_at(ms(680)).len(), 1);
    for path in [place.path("a.lua"), place.path("nosuch.lua"), place.0.join("beside.lua"), place.scripts()] {
        inbox.put(Event::Touched(path));
    }
    watcher.changed_at(ms(700));
    assert_eq!(watcher.changed_at(ms(2000)), []);
    assert_eq!(watches(&log), 2);
    inbox.put(Event::Moved(place.scripts()));
    watcher.changed_at(ms(2100));
    assert_eq!(watches(&log), 4, "it may be another folder now");
}

#[test]
fn an_inbox_nobody_reads_does_not_grow_for_ever() {
    let inbox = Inbox::default();
    for count in 0..100_000 {
        inbox.put(Event::Touched(format!("/tmp/{count}.lua").into()));
    }
    let events = inbox.take();
    assert!(events.len() <= 4097 && events.contains(&Event::Rescan), "{}", events.len());
    assert!(inbox.take().is_empty());
}

#[test]
fn the_environment_asks_for_polling_of_auto_only() {
    let poll = WatchMode::Poll(ms(300));
    assert_eq!(WatchMode::Auto.wished(Some(" Poll ")).unwrap(), poll);
    assert_eq!(WatchMode::Auto.wished(Some("")).unwrap(), WatchMode::Auto);
    assert_eq!(WatchMode::Poll(ms(20)).wished(Some("native")).unwrap(), WatchMode::Poll(ms(20)));
    let error = WatchMode::Auto.wished(Some("pol")).unwrap_err();
    assert_eq!(error.to_string(), "WARBAND_WATCH has the unknown value 'pol' (known are auto, native, poll)");
}

/// A game may keep it in a world that moves between threads.
#[test]
fn a_watcher_may_move_to_another_thread() {
    let place = Place::new();
    let (watcher, inbox, _) = faked(&place, WatchMode::Native, None, None);
    let mut watcher = watcher.unwrap();
    place.write("a.lua", "return 1");
    inbox.put(Event::Touched(place.path("a.lua")));
    let seen = std::thread::spawn(move || {
        watcher.changed_at(Duration::ZERO);
        watcher.changed_at(ms(80))
    });
    assert_eq!(seen.join().unwrap().len(), 1);
}
