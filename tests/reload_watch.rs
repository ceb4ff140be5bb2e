//! The watcher on real folders, by the system's notices and by polling.
#![cfg(feature = "reload")]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test: real saves take real time")]

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use warband::reload::{Change, WatchMode, Watcher};

const MODES: [WatchMode; 2] = [WatchMode::Native, WatchMode::Poll(Duration::from_millis(100))];

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A folder that is removed in the end, with `scripts` in it.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("warband-watch-{}-{count}", std::process::id());
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

/// A game that loaded `a.lua` and watches.
struct Game {
    watcher: Watcher,
    place: Place,
}

impl Game {
    fn new(mode: WatchMode) -> Self {
        let place = Place::new();
        place.write("a.lua", "return 0");
        let mut watcher = Watcher::new(&place.scripts(), mode).unwrap();
        watcher.knows("a.lua", "return 0");
        Self { watcher, place }
    }

    /// The changes until one came and none came for a while after; up to 3 s for the first.
    fn changes(&mut self) -> Vec<Change> {
        self.changes_within(ms(3000))
    }

    fn changes_within(&mut self, longest: Duration) -> Vec<Change> {
        let mut end = Instant::now() + longest;
        let mut seen = Vec::new();
        while Instant::now() < end {
            let changes = self.watcher.changed();
            if seen.is_empty() && !changes.is_empty() {
                end = Instant::now() + ms(700);
            }
            seen.extend(changes);
            sleep(ms(5));
        }
        assert_eq!(self.watcher.take_notes(), []);
        seen
    }

    /// What came must be just this one change.
    fn expect(&mut self, path: &str, text: Option<&str>) {
        let wanted = Change { path: path.into(), text: text.map(str::to_string) };
        assert_eq!(self.changes(), [wanted], "{:?}", self.watcher.mode());
    }

    fn expect_nothing(&mut self) {
        assert_eq!(self.changes_within(ms(1000)), [], "{:?}", self.watcher.mode());
    }
}

/// Runs `test` in each mode, side by side.
fn in_each_mode(test: impl Fn(&mut Game) + Sync) {
    std::thread::scope(|scope| {
        let test = &test;
        for mode in MODES {
            scope.spawn(move || test(&mut Game::new(mode)));
        }
    });
}

#[test]
fn an_in_place_save_is_one_change() {
    in_each_mode(|game| {
        for text in ["return 1", "return 2"] {
            game.place.write("a.lua", text);
            game.expect("a.lua", Some(text));
        }
    });
}

#[test]
fn a_save_is_found_within_a_second() {
    in_each_mode(|game| {
        // The best of five: another program may have the machine to itself for a while.
        let best = (1..=5).map(|count| {
            game.place.write("a.lua", &format!("return {count}"));
            let start = Instant::now();
            while game.watcher.changed().is_empty() {
                assert!(start.elapsed() < ms(10_000), "never found");
                sleep(ms(5));
            }
            start.elapsed()
        });
        let best = best.min().unwrap();
        assert!(best >= ms(75) && best < ms(1000), "{best:?}");
    });
}

#[test]
fn saves_by_renaming_are_one_change_each() {
    in_each_mode(|game| {
        for text in ["return 1", "return 2", "return 3"] {
            game.place.write("a.lua.tmp", text);
            fs::rename(game.place.path("a.lua.tmp"), game.place.path("a.lua")).unwrap();
            game.expect("a.lua", Some(text));
        }
    });
}

#[test]
fn saves_as_vim_does_are_one_change_each() {
    in_each_mode(|game| {
        for text in ["return 1", "return 2", "return 3"] {
            game.place.write("4913", "");
            fs::remove_file(game.place.path("4913")).unwrap();
            fs::rename(game.place.path("a.lua"), game.place.path("a.lua~")).unwrap();
            sleep(ms(5));
            game.place.write("a.lua", text);
            fs::remove_file(game.place.path("a.lua~")).unwrap();
            game.expect("a.lua", Some(text));
        }
    });
}

#[test]
fn a_file_recreated_after_30_ms_is_one_change() {
    in_each_mode(|game| {
        fs::remove_file(game.place.path("a.lua")).unwrap();
        sleep(ms(30));
        game.place.write("a.lua", "return 1");
        game.expect("a.lua", Some("return 1"));
    });
}

#[test]
fn a_removed_file_and_a_removed_folder_are_reported() {
    in_each_mode(|game| {
        fs::create_dir(game.place.path("ai")).unwrap();
        game.place.write("ai/b.lua", "return 1");
        game.expect("ai/b.lua", Some("return 1"));
        fs::remove_file(game.place.path("a.lua")).unwrap();
        game.expect("a.lua", None);
        fs::remove_dir_all(game.place.path("ai")).unwrap();
        game.expect("ai/b.lua", None);
    });
}

#[test]
fn a_burst_over_five_files_is_five_changes_at_once() {
    let mut game = Game::new(WatchMode::Native);
    let names = ["a.lua", "b.lua", "c.lua", "d.lua", "e.luau"];
    for name in names {
        game.place.write(name, "return 1");
    }
    game.place.write("notes.txt", "not a script");
    game.place.write(".hidden.lua", "not ours");
    let seen: Vec<_> = game.changes().into_iter().map(|change| change.path).collect();
    assert_eq!(seen, names);
}

#[test]
fn a_file_in_a_new_folder_is_found() {
    in_each_mode(|game| {
        fs::create_dir_all(game.place.path("s1/s2")).unwrap();
        game.place.write("s1/s2/b.lua", "return 1");
        game.expect("s1/s2/b.lua", Some("return 1"));
        game.place.write("s1/s2/b.lua", "return 2");
        game.expect("s1/s2/b.lua", Some("return 2"));
    });
}

#[test]
fn a_renamed_folder_moves_its_files() {
    in_each_mode(|game| {
        fs::create_dir(game.place.path("old")).unwrap();
        game.place.write("old/b.lua", "return 1");
        game.expect("old/b.lua", Some("return 1"));
        fs::rename(game.place.path("old"), game.place.path("new")).unwrap();
        let seen: Vec<_> =
            game.changes().into_iter().map(|change| (change.path, change.text.is_some())).collect();
        assert_eq!(seen, [("new/b.lua".to_string(), true), ("old/b.lua".to_string(), false)]);
    });
}

#[test]
fn a_touch_a_same_save_and_a_read_are_no_change() {
    in_each_mode(|game| {
        let file = fs::File::options().append(true).open(game.place.path("a.lua")).unwrap();
        file.set_modified(std::time::SystemTime::now() + ms(5000)).unwrap();
        drop(file);
        game.expect_nothing();
        game.place.write("a.lua", "return 0");
        fs::read(game.place.path("a.lua")).unwrap();
        game.expect_nothing();
    });
}

/// Trap 16: same size, same second.
#[test]
fn two_edits_50_ms_apart_end_at_the_second() {
    in_each_mode(|game| {
        game.place.write("a.lua", "return 1");
        sleep(ms(50));
        game.place.write("a.lua", "return 2");
        let seen = game.changes();
        assert_eq!(seen.last().and_then(|change| change.text.as_deref()), Some("return 2"));
        assert!(seen.len() <= 2);
    });
}

#[test]
fn what_changed_before_the_watch_began_is_reported() {
    let mut game = Game::new(WatchMode::Native);
    game.watcher.knows("a.lua", "return -1");
    game.expect("a.lua", Some("return 0"));
}

#[test]
fn a_file_that_is_not_text_is_noted_with_its_line() {
    let mut game = Game::new(WatchMode::Native);
    fs::write(game.place.path("a.lua"), b"return 1\n-- caf\xe9\n").unwrap();
    let start = Instant::now();
    let mut notes = Vec::new();
    while notes.is_empty() && start.elapsed() < ms(3000) {
        assert_eq!(game.watcher.changed(), []);
        notes.extend(game.watcher.take_notes());
        sleep(ms(5));
    }
    let notes: Vec<_> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["a.lua:2: not UTF-8 text (save it as UTF-8)"]);
    game.place.write("a.lua", "return 0");
    game.expect("a.lua", Some("return 0"));
}

/// Trap 12, as git stash does: away, and another folder of that name back.
#[test]
fn a_root_that_goes_away_and_comes_back_is_watched_again() {
    in_each_mode(|game| {
        for (text, pause) in [("return 1", 0), ("return 2", 100), ("return 3", 1500)] {
            let away = game.place.0.join("away");
            fs::rename(game.place.scripts(), &away).unwrap();
            if pause > 0 {
                game.changes_within(ms(pause));
            }
            fs::rename(&away, game.place.scripts()).unwrap();
            game.changes_within(ms(1000));
            game.place.write("a.lua", text);
            game.expect("a.lua", Some(text));
        }
    });
}

#[test]
fn a_root_that_is_removed_and_made_anew_is_watched_again() {
    in_each_mode(|game| {
        fs::remove_dir_all(game.place.scripts()).unwrap();
        sleep(ms(30));
        fs::create_dir(game.place.scripts()).unwrap();
        game.place.write("a.lua", "return 1");
        game.expect("a.lua", Some("return 1"));
        fs::create_dir(game.place.path("ai")).unwrap();
        game.place.write("ai/b.lua", "return 2");
        game.expect("ai/b.lua", Some("return 2"));
    });
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;

    /// Trap 11, saved in place and by renaming.
    #[test]
    fn the_target_of_a_linked_file_is_watched() {
        in_each_mode(|game| {
            let shared = game.place.0.join("shared");
            fs::create_dir(&shared).unwrap();
            fs::write(shared.join("real.lua"), "return 1").unwrap();
            symlink(shared.join("real.lua"), game.place.path("b.lua")).unwrap();
            game.expect("b.lua", Some("return 1"));
            fs::write(shared.join("real.lua"), "return 2").unwrap();
            game.expect("b.lua", Some("return 2"));
            fs::write(shared.join("tmp"), "return 3").unwrap();
            fs::rename(shared.join("tmp"), shared.join("real.lua")).unwrap();
            game.expect("b.lua", Some("return 3"));
        });
    }

    #[test]
    fn a_link_there_from_the_start_is_followed() {
        for mode in MODES {
            let place = Place::new();
            fs::write(place.0.join("real.lua"), "return 1").unwrap();
            symlink("../real.lua", place.path("b.lua")).unwrap();
            let watcher = Watcher::new(&place.scripts(), mode).unwrap();
            let mut game = Game { watcher, place };
            fs::write(game.place.0.join("real.lua"), "return 2").unwrap();
            game.expect("b.lua", Some("return 2"));
        }
    }

    #[test]
    fn linked_folders_and_circles_of_links_are_followed() {
        in_each_mode(|game| {
            let shared = game.place.0.join("shared");
            fs::create_dir(&shared).unwrap();
            symlink(&shared, game.place.path("lib")).unwrap();
            symlink(game.place.scripts(), game.place.path("circle")).unwrap();
            game.expect_nothing();
            fs::write(shared.join("b.lua"), "return 1").unwrap();
            game.expect("lib/b.lua", Some("return 1"));
            symlink(shared.join("b.lua"), game.place.path("c.lua")).unwrap();
            game.expect("c.lua", Some("return 1"));
            fs::write(shared.join("b.lua"), "return 2").unwrap();
            let seen: Vec<_> = game.changes().into_iter().map(|change| change.path).collect();
            assert_eq!(seen, ["c.lua", "lib/b.lua"]);
            fs::write(shared.join("d.lua"), "return 3").unwrap();
            game.expect("lib/d.lua", Some("return 3"));
            game.place.write("a.lua", "return 4");
            game.expect("a.lua", Some("return 4"));
        });
    }

    #[test]
    fn a_link_to_the_root_itself_changes_nothing() {
        in_each_mode(|game| {
            symlink(game.place.scripts(), game.place.path("circle")).unwrap();
            game.expect_nothing();
            game.place.write("a.lua", "return 1");
            game.expect("a.lua", Some("return 1"));
        });
    }

    #[test]
    fn a_link_within_the_root_may_come_and_go() {
        for from_the_start in [false, true] {
            in_each_mode(|game| {
                fs::create_dir(game.place.path("middle")).unwrap();
                symlink(game.place.path("middle"), game.place.path("alias")).unwrap();
                if from_the_start {
                    game.watcher = Watcher::new(&game.place.scripts(), game.watcher.mode()).unwrap();
                }
                game.expect_nothing();
                game.place.write("middle/b.lua", "return 1");
                let seen: Vec<_> = game.changes().into_iter().map(|change| change.path).collect();
                assert_eq!(seen, ["alias/b.lua", "middle/b.lua"]);
                fs::remove_file(game.place.path("alias")).unwrap();
                game.expect("alias/b.lua", None);
                game.place.write("middle/b.lua", "return 2");
                game.expect("middle/b.lua", Some("return 2"));
            });
        }
    }

    #[test]
    fn a_linked_folder_may_be_replaced_by_another() {
        in_each_mode(|game| {
            for (count, folder) in ["one", "two"].into_iter().enumerate() {
                let folder = game.place.0.join(folder);
                fs::create_dir(&folder).unwrap();
                fs::write(folder.join("b.lua"), format!("return {count}")).unwrap();
                if count > 0 {
                    fs::remove_file(game.place.path("lib")).unwrap();
                    assert_eq!(game.changes_within(ms(200)), []);
                }
                symlink(&folder, game.place.path("lib")).unwrap();
                game.expect("lib/b.lua", Some(&format!("return {count}")));
                fs::write(folder.join("b.lua"), "return 9").unwrap();
                game.expect("lib/b.lua", Some("return 9"));
            }
        });
    }

    /// The system tells of one of the names only, and nobody knows which.
    #[test]
    fn a_folder_with_three_names_changes_under_each() {
        for mode in MODES {
            let place = Place::new();
            fs::create_dir(place.path("middle")).unwrap();
            place.write("middle/b.lua", "return 0");
            symlink(place.path("middle"), place.path("first")).unwrap();
            symlink(place.path("middle"), place.path("third")).unwrap();
            let watcher = Watcher::new(&place.scripts(), mode).unwrap();
            let mut game = Game { watcher, place };
            for name in ["b.lua", "new.lua"] {
                game.place.write(&format!("middle/{name}"), "return 1");
                let seen: Vec<_> = game.changes().into_iter().map(|change| change.path).collect();
                assert_eq!(seen, ["first", "middle", "third"].map(|folder| format!("{folder}/{name}")));
            }
        }
    }

    #[test]
    fn a_root_given_by_a_link_is_watched() {
        for mode in MODES {
            let place = Place::new();
            place.write("a.lua", "return 0");
            symlink(place.scripts(), place.0.join("link")).unwrap();
            let watcher = Watcher::new(&place.0.join("link"), mode).unwrap();
            assert_eq!(watcher.root(), place.scripts());
            let mut game = Game { watcher, place };
            game.place.write("a.lua", "return 1");
            game.expect("a.lua", Some("return 1"));
        }
    }
}

/// The variable itself, which only another process can be given.
#[test]
fn the_variable_is_read() {
    if let Ok(root) = std::env::var("WARBAND_TEST_ROOT") {
        let watcher = Watcher::new(root.as_ref(), WatchMode::Auto).unwrap();
        return assert_eq!(watcher.mode(), WatchMode::Poll(ms(300)));
    }
    let place = Place::new();
    let status = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "the_variable_is_read", "--quiet"])
        .env("WARBAND_TEST_ROOT", place.scripts())
        .env("WARBAND_WATCH", "poll")
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn a_root_that_is_no_folder_is_an_error() {
    let place = Place::new();
    place.write("a.lua", "return 0");
    let missing = Watcher::new(&place.0.join("nosuch"), WatchMode::Auto).unwrap_err().to_string();
    assert!(missing.starts_with("cannot watch the folder '"), "{missing}");
    let file = Watcher::new(&place.path("a.lua"), WatchMode::Auto).unwrap_err().to_string();
    assert!(file.ends_with("it is a file (give the folder it lies in)"), "{file}");
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_in_place_of_a_script_does_not_hold_up_the_watch() {
    let mut game = Game::new(MODES[0]);
    let _ = fs::remove_file(game.place.path("a.lua"));
    std::os::unix::fs::symlink("/dev/zero", game.place.path("a.lua")).unwrap();
    // Without a `mkfifo` the device alone is the test.
    let _ = std::process::Command::new("mkfifo").arg(game.place.path("pipe.lua")).status();
    let end = Instant::now() + ms(5000);
    let mut notes = Vec::new();
    while notes.is_empty() && Instant::now() < end {
        game.watcher.changed();
        notes.extend(game.watcher.take_notes());
        sleep(ms(5));
    }
    let text = notes.iter().map(|note| format!("{note:?}")).collect::<Vec<_>>().join("\n");
    assert!(text.contains("not a regular file"), "{text}");
}
