//! From events to changes on a fake clock and a fake disk: the traps of watchers that need no file system.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use warband::error::{Error, ErrorKind};
use warband::hash::hash;
use warband::reload::{Change, Disk, EVERYTHING, Found, Hashes, Quiet, QuietRules, Settling};

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// A disk in memory; `None` stands for a file that cannot be read.
#[derive(Default)]
struct Memory {
    files: BTreeMap<String, Option<String>>,
    reads: usize,
}

impl Disk for Memory {
    fn read(&mut self, name: &str) -> Found {
        self.reads += 1;
        match self.files.get(name) {
            Some(Some(text)) => Found::Text(text.clone()),
            Some(None) => Found::Bad(Error::new(ErrorKind::File, "locked")),
            None => Found::Gone,
        }
    }

    fn names(&mut self, names: &mut Vec<String>) {
        names.extend(self.files.keys().cloned());
    }
}

/// A game that asks every 5 ms, with the changes it was told and when.
struct Game {
    disk: Memory,
    settling: Settling,
    now: u64,
    seen: Vec<(u64, Change)>,
}

impl Game {
    fn new(files: &[(&str, &str)]) -> Self {
        let files = files.iter().map(|(name, text)| (name.to_string(), Some(text.to_string()))).collect();
        let mut disk = Memory { files, reads: 0 };
        let mut settling = Settling::new(QuietRules::default());
        settling.prime(&mut disk, ms(0));
        Self { disk, settling, now: 0, seen: Vec::new() }
    }

    /// Writes and says so.
    fn write(&mut self, name: &str, text: &str) {
        self.disk.files.insert(name.into(), Some(text.into()));
        self.touch(name);
    }

    fn delete(&mut self, name: &str) {
        self.disk.files.remove(name);
        self.touch(name);
    }

    fn touch(&mut self, name: &str) {
        self.settling.on_event(name, ms(self.now));
    }

    fn run(&mut self, duration: u64) {
        let end = self.now + duration;
        while self.now < end {
            self.now = (self.now + 5).min(end);
            let changes = self.settling.poll(&mut self.disk, ms(self.now));
            self.seen.extend(changes.into_iter().map(|change| (self.now, change)));
        }
    }

    fn texts(&self) -> Vec<Option<&str>> {
        self.seen.iter().map(|(_, change)| change.text.as_deref()).collect()
    }

    fn times(&self) -> Vec<u64> {
        self.seen.iter().map(|(time, _)| *time).collect()
    }
}

#[test]
fn names_are_due_together_after_80_ms_of_quiet() {
    let mut quiet = Quiet::new(QuietRules::default());
    assert_eq!(quiet.poll(ms(1000)), None);
    quiet.on_event("b.lua", ms(1000));
    quiet.on_event("a.lua", ms(1060));
    quiet.on_event("b.lua", ms(1070));
    assert_eq!(quiet.poll(ms(1149)), None);
    assert_eq!(quiet.poll(ms(1150)), Some(vec!["a.lua".to_string(), "b.lua".to_string()]));
    assert_eq!(quiet.poll(ms(1151)), None);
}

#[test]
fn names_are_due_500_ms_after_the_first_event_at_the_latest() {
    let mut quiet = Quiet::new(QuietRules::default());
    for time in (100..600).step_by(20) {
        quiet.on_event("a.lua", ms(time));
        assert_eq!(quiet.poll(ms(time)), None);
    }
    assert!(quiet.poll(ms(599)).is_none());
    assert!(quiet.poll(ms(600)).is_some());
}

#[test]
fn a_clock_that_runs_backwards_only_waits_longer() {
    let mut quiet = Quiet::new(QuietRules::default());
    quiet.on_event("a.lua", ms(1000));
    assert_eq!(quiet.poll(ms(10)), None);
    assert!(quiet.poll(ms(1080)).is_some());
}

#[test]
fn the_hash_is_the_published_fnv_1a() {
    assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn hashes_know_what_lies_in_a_folder() {
    let mut hashes = Hashes::default();
    hashes.learn("ai-old.lua", 1);
    hashes.learn("ai/guard.lua", 1);
    hashes.learn("aim.lua", 1);
    assert!(hashes.any_in("ai"));
    assert!(!hashes.any_in("aim"));
    assert!(hashes.forget("ai/guard.lua"));
    assert!(!hashes.any_in("ai"));
}

/// Trap 3.
#[test]
fn three_events_of_one_save_are_one_change() {
    let mut game = Game::new(&[("a.lua", "1")]);
    game.write("a.lua", "2");
    game.touch("a.lua");
    game.run(10);
    game.touch("a.lua");
    game.run(2000);
    assert_eq!(game.texts(), [Some("2")]);
    assert_eq!(game.times(), [90]);
}

/// Trap 4: a backend that reports the read of a file must not cause the next read.
#[test]
fn events_caused_by_reading_end_after_one_change() {
    let mut game = Game::new(&[("a.lua", "1")]);
    game.write("a.lua", "2");
    let mut reads = game.disk.reads;
    for _ in 0..400 {
        game.run(5);
        if game.disk.reads > reads {
            reads = game.disk.reads;
            game.touch("a.lua");
        }
    }
    assert_eq!(game.texts(), [Some("2")]);
}

/// Trap 5.
#[test]
fn a_file_written_all_the_time_is_seen_all_the_same() {
    let mut game = Game::new(&[("a.lua", "0")]);
    for count in 1..=100 {
        game.write("a.lua", &count.to_string());
        game.run(20);
    }
    assert!((3..=5).contains(&game.seen.len()), "{:?}", game.times());
    game.run(1000);
    assert_eq!(game.texts().last(), Some(&Some("100")));
}

/// Trap 6: a pause shorter than the quiet time hides the half file; after a longer one the whole follows.
#[test]
fn the_final_version_of_a_slow_save_is_seen() {
    for (pause, seen) in [(60, vec![Some("whole")]), (200, vec![Some("wh"), Some("whole")])] {
        let mut game = Game::new(&[("a.lua", "old")]);
        game.write("a.lua", "");
        game.run(1);
        game.write("a.lua", "wh");
        game.run(pause);
        game.write("a.lua", "whole");
        game.run(1000);
        assert_eq!(game.texts(), seen, "pause {pause}");
    }
}

/// Trap 15.
#[test]
fn a_touch_and_a_save_of_the_same_text_change_nothing() {
    let mut game = Game::new(&[("a.lua", "1"), ("b.lua", "1")]);
    game.touch("a.lua");
    game.run(300);
    game.write("a.lua", "1");
    game.run(300);
    game.write("a.lua", "2");
    game.run(20);
    game.write("a.lua", "1");
    game.run(300);
    assert_eq!(game.seen, []);
    assert!(game.disk.reads > 2, "it did look");
}

/// Trap 17.
#[test]
fn after_an_overflow_everything_is_compared() {
    let mut game = Game::new(&[("a.lua", "1"), ("b.lua", "1"), ("c.lua", "1")]);
    game.disk.files.insert("a.lua".into(), Some("2".into()));
    game.disk.files.insert("new/d.lua".into(), Some("1".into()));
    game.disk.files.remove("c.lua");
    game.run(1000);
    assert_eq!(game.seen, []);
    game.touch(EVERYTHING);
    game.run(1000);
    let seen: Vec<_> =
        game.seen.iter().map(|(_, change)| (change.path.as_str(), change.text.as_deref())).collect();
    assert_eq!(seen, [("a.lua", Some("2")), ("new/d.lua", Some("1")), ("c.lua", None)]);
}

/// Trap 18.
#[test]
fn a_file_that_is_gone_for_a_moment_is_no_news() {
    for pause in [30, 150, 400] {
        for (text, seen) in [("1", vec![]), ("2", vec![Some("2")])] {
            let mut game = Game::new(&[("a.lua", "1")]);
            game.delete("a.lua");
            game.run(pause);
            game.write("a.lua", text);
            game.run(2000);
            assert_eq!(game.texts(), seen, "pause {pause}");
            assert_eq!(game.settling.take_notes(), []);
        }
    }
}

#[test]
fn a_file_that_stays_gone_is_removed_once_and_may_come_back() {
    let mut game = Game::new(&[("a.lua", "1")]);
    game.delete("a.lua");
    game.run(579);
    assert_eq!(game.seen, []);
    game.run(2000);
    assert_eq!((game.texts(), game.times()), (vec![None], vec![584]));
    game.write("a.lua", "1");
    game.run(2000);
    assert_eq!(game.texts(), [None, Some("1")]);
}

#[test]
fn a_file_that_comes_back_unannounced_is_found() {
    let mut game = Game::new(&[("a.lua", "1")]);
    game.delete("a.lua");
    game.run(200);
    game.disk.files.insert("a.lua".into(), Some("2".into()));
    game.run(500);
    assert_eq!(game.texts(), [Some("2")]);
}

#[test]
fn a_file_that_nobody_knew_is_never_removed() {
    let mut game = Game::new(&[]);
    game.write("4913.lua", "x");
    game.run(10);
    game.delete("4913.lua");
    game.run(2000);
    assert_eq!(game.seen, []);
}

#[test]
fn a_burst_over_five_files_is_one_batch() {
    let names = ["a.lua", "b.lua", "c.lua", "d.lua", "e.lua"];
    let mut game = Game::new(&names.map(|name| (name, "1")));
    for name in names {
        game.write(name, "2");
        game.run(25);
    }
    game.run(1000);
    assert_eq!(game.seen.iter().map(|(_, change)| change.path.as_str()).collect::<Vec<_>>(), names);
    assert!(game.times().windows(2).all(|pair| pair[0] == pair[1]), "{:?}", game.times());
}

#[test]
fn a_locked_file_is_waited_for_then_noted_once_then_news_when_it_reads() {
    let mut game = Game::new(&[("a.lua", "1")]);
    game.disk.files.insert("a.lua".into(), None);
    game.touch("a.lua");
    game.run(400);
    assert_eq!(game.settling.take_notes().len(), 0);
    game.run(400);
    assert_eq!(game.settling.take_notes().len(), 1);
    game.touch("a.lua");
    game.run(2000);
    assert_eq!(game.settling.take_notes().len(), 0);
    game.write("a.lua", "1");
    game.run(2000);
    assert_eq!(game.texts(), [Some("1")]);
}

#[test]
fn a_file_locked_for_a_moment_is_no_fault() {
    let mut game = Game::new(&[("a.lua", "1")]);
    game.disk.files.insert("a.lua".into(), None);
    game.touch("a.lua");
    game.run(200);
    game.disk.files.insert("a.lua".into(), Some("2".into()));
    game.run(2000);
    assert_eq!(game.texts(), [Some("2")]);
    assert_eq!(game.settling.take_notes(), []);
}

#[test]
fn what_was_loaded_before_the_watch_is_compared_with_the_disk() {
    let mut game = Game::new(&[("a.lua", "new"), ("b.lua", "same")]);
    game.settling.knows("a.lua", "old", ms(0));
    game.settling.knows("b.lua", "same", ms(0));
    game.run(1000);
    assert_eq!(game.texts(), [Some("new")]);
    game.settling.knows("a.lua", "new", ms(game.now));
    game.run(1000);
    assert_eq!(game.seen.len(), 1);
}

#[test]
fn asking_without_events_never_reads() {
    let mut game = Game::new(&[("a.lua", "1")]);
    let reads = game.disk.reads;
    game.run(5000);
    assert_eq!(game.disk.reads, reads);
}

const NAMES: [&str; 5] = ["a.lua", "b.lua", "ai/c.lua", "nosuch.lua", EVERYTHING];

proptest! {
    /// Trap 15: whatever a backend says, the same disk is the same disk.
    #[test]
    fn noise_over_the_same_disk_changes_nothing(noise in prop::collection::vec((0..NAMES.len(), 0u64..700), 1..60)) {
        let mut game = Game::new(&[("a.lua", "1"), ("b.lua", ""), ("ai/c.lua", "3")]);
        for (name, pause) in noise {
            game.touch(NAMES[name]);
            game.run(pause);
        }
        game.run(2000);
        prop_assert_eq!(&game.seen, &[]);
        prop_assert_eq!(game.settling.take_notes().len(), 0);
    }

    /// Who follows the changes ends up with what the disk holds, and is never told what he knows.
    #[test]
    fn following_the_changes_ends_at_the_disk(
        edits in prop::collection::vec((0..4usize, prop::option::weighted(0.7, 0..3u32), 0u64..700), 1..40),
    ) {
        let mut game = Game::new(&[("a.lua", "0"), ("b.lua", "1")]);
        let mut known: BTreeMap<String, Option<String>> = game.disk.files.clone();
        for (name, text, pause) in edits {
            match text {
                Some(text) => game.write(NAMES[name], &text.to_string()),
                None => game.delete(NAMES[name]),
            }
            game.run(pause);
        }
        game.run(2000);
        for (_, change) in &game.seen {
            let before = match &change.text {
                Some(text) => known.insert(change.path.clone(), Some(text.clone())),
                None => known.remove(&change.path),
            };
            prop_assert_ne!(before.flatten(), change.text.clone());
        }
        prop_assert_eq!(known, game.disk.files);
    }
}
