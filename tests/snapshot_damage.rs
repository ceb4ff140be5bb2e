//! Snapshots that are damaged, cut short, or of a later version: an error, or a world that ticks without a panic.

mod saves;

use saves::BUSY;
use warband::rng::Dice;
use warband::{ErrorKind, Snapshot, World};

/// A snapshot with much in it, taken between two ticks in which something is pending.
fn snapshot() -> Snapshot {
    let (mut world, who) = BUSY.begin();
    (0..310).for_each(|tick| (BUSY.step)(&mut world, who, tick));
    let leaves = world.outputs().next().expect("there").agent;
    world.remove(leaves);
    world.snapshot()
}

fn text(error: warband::Error) -> String {
    assert_eq!(error.to_string().lines().count(), 1, "{error}");
    error.to_string()
}

/// With the checksum of what follows it.
fn repaired(mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.len() >= 28 {
        let (header, payload) = bytes.split_at_mut(28);
        header[12..20].copy_from_slice(&(payload.len() as u64).to_le_bytes());
        let sum = payload.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        header[20..].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

#[derive(Default, Debug)]
struct Counts {
    unread: u32,
    refused: u32,
    ticked: u32,
}

/// Restores it, if that goes, and ticks; the world that refuses it is as it was.
fn try_out(read: Result<Snapshot, String>, fresh: &mut World, counts: &mut Counts) {
    let Ok(snapshot) = read else {
        counts.unread += 1;
        return;
    };
    let before = fresh.digest();
    match fresh.restore(&snapshot) {
        Err(error) => {
            text(error);
            assert_eq!(fresh.digest(), before, "nothing is changed");
            counts.refused += 1;
        }
        Ok(()) => {
            counts.ticked += 1;
            (0..30).for_each(|_| fresh.tick(1.0 / 60.0));
            assert!(fresh.snapshot().to_bytes().is_ok());
            *fresh = (BUSY.make)();
        }
    }
}

#[test]
fn every_changed_byte_is_found_by_the_checksum() {
    let bytes = snapshot().to_bytes().expect("it can");
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        let error = Snapshot::from_bytes(&changed).expect_err("it is changed");
        let wanted = if (8..12).contains(&at) { ErrorKind::TooNew } else { ErrorKind::Damaged };
        assert!(error.kind() == wanted || (at == 8 && error.kind() == ErrorKind::Damaged), "{at}: {error}");
    }
    for length in 0..bytes.len() {
        let error = Snapshot::from_bytes(&bytes[..length]).expect_err("it is cut short");
        assert_eq!(error.kind(), ErrorKind::Damaged, "{length}: {error}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    let bytes = snapshot().to_bytes().expect("it can");
    let said = |bytes: &[u8]| text(Snapshot::from_bytes(bytes).expect_err("it is damaged"));
    let changed = |at: usize, to: u8| {
        let mut changed = bytes.clone();
        changed[at] = to;
        changed
    };
    let back = " (nothing of it was taken over; go back to an older one)";
    assert_eq!(said(&changed(8, 3)), "snapshot of version 3, this build reads up to 1 (update the game)");
    assert_eq!(said(&changed(8, 0)), format!("the snapshot is damaged: there is no version 0{back}"));
    assert_eq!(said(&changed(90, 77)), format!("the snapshot is damaged: the checksum does not match{back}"));
    let all = bytes.len();
    let cut = format!("the snapshot is damaged: truncated after 1000 bytes of {all}{back}");
    assert_eq!(said(&bytes[..1000]), cut);
    assert_eq!(said(&bytes[..20]), format!("the snapshot is damaged: truncated after 20 bytes of 28{back}"));
    let more = [&bytes[..], &[0; 7]].concat();
    assert_eq!(said(&more), format!("the snapshot is damaged: 7 bytes follow its end{back}"));
    assert_eq!(
        said(&repaired(more)),
        format!("the snapshot is damaged: it is longer than what it says{back}")
    );
    let none = "these bytes are no snapshot of a world (a snapshot begins with the bytes of 'warband')";
    for bytes in [&b""[..], b"PK\x03\x04", b"{\"version\":1}"] {
        assert_eq!(said(bytes), none);
    }
    let decoded = said(&repaired(bytes[..5000].to_vec()));
    assert!(decoded.starts_with("the snapshot is damaged: it cannot be decoded ("), "{decoded}");
}

#[test]
fn json_says_its_version_first() {
    let said = |text: &str| serde_json::from_str::<Snapshot>(text).expect_err("it is damaged").to_string();
    assert!(
        said("{\"version\":3,\"world\":{\"dragons\":7}}")
            .starts_with("snapshot of version 3, this build reads up to 1 (update the game)")
    );
    assert!(said("{\"version\":0}").starts_with("the snapshot is damaged: there is no version 0"));
    assert!(said("{\"world\":{},\"version\":1}").starts_with("a snapshot begins with its version"));
    assert!(said("{}").starts_with("a snapshot begins with its version"));
    assert!(said("{\"version\":1}").starts_with("missing field `world`"));
    assert!(said("{\"version\":1,\"word\":{}}").starts_with("unknown field `word`"));
    assert!(said("[1]").starts_with("missing field `world`"));
    assert!(said("{\"version\":1,\"world\":{}}").starts_with("missing field `seed`"));
    // A tool that sorts the keys of objects changes nothing.
    let snapshot = snapshot();
    let sorted = serde_json::to_value(&snapshot).expect("it can").to_string();
    let read: Snapshot = serde_json::from_str(&sorted).expect("good");
    assert_eq!(read.to_bytes().expect("it can"), snapshot.to_bytes().expect("it can"));
}

/// Thousands of bytes changed, taken out, doubled and cut off behind a checksum that is right all the same.
#[test]
fn damage_behind_a_right_checksum_is_refused_or_harmless() {
    let bytes = snapshot().to_bytes().expect("it can");
    let mut dice = Dice::new(28, &[]);
    let (mut counts, mut fresh) = (Counts::default(), (BUSY.make)());
    let try_bytes = |bytes: Vec<u8>, fresh: &mut World, counts: &mut Counts| {
        try_out(Snapshot::from_bytes(&repaired(bytes)).map_err(text), fresh, counts);
    };
    for at in 28..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] = match at % 4 {
            0 => 0xff,
            1 => 0,
            2 => changed[at] ^ 1 << dice.below(8),
            _ => dice.below(256) as u8,
        };
        try_bytes(changed, &mut fresh, &mut counts);
    }
    for _ in 0..1500 {
        let at = 28 + dice.below(bytes.len() as u64 - 40) as usize;
        let mut changed = bytes.clone();
        match dice.below(4) {
            0 => drop(changed.drain(at..at + 1 + dice.below(8) as usize)),
            1 => changed.truncate(at),
            2 => changed[at..at + 8].copy_from_slice(&[0xff; 8]),
            _ => changed.insert(at, dice.below(256) as u8),
        }
        try_bytes(changed, &mut fresh, &mut counts);
    }
    eprintln!("bytes: {counts:?}");
    assert!(counts.unread > 200 && counts.refused > 400 && counts.ticked > 1000, "{counts:?}");
}

/// Every number of the JSON form becomes another, one at a time; and words and brackets are broken.
#[test]
fn damaged_json_is_refused_or_harmless() {
    let json = serde_json::to_string(&snapshot()).expect("it can");
    let mut dice = Dice::new(29, &[]);
    let (mut counts, mut fresh) = (Counts::default(), (BUSY.make)());
    let try_text = |text: &str, fresh: &mut World, counts: &mut Counts| {
        try_out(serde_json::from_str(text).map_err(|error| error.to_string()), fresh, counts);
    };
    let digits = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | 'e' | '+');
    let mut at = 12;
    while let Some(next) = json[at..].find(|c: char| c.is_ascii_digit()) {
        let start = at + next;
        let end = start + json[start..].find(|c| !digits(c)).unwrap_or(0);
        at = end.max(start + 1);
        let others =
            ["-1", "0", "1", "2", "65535", "4294967295", "18446744073709551615", "1e300", "null", "\"nan\""];
        let other = others[dice.below(others.len() as u64) as usize];
        let sign = usize::from(json.as_bytes()[start - 1] == b'-');
        try_text(&format!("{}{other}{}", &json[..start - sign], &json[end..]), &mut fresh, &mut counts);
    }
    for _ in 0..1000 {
        let at = dice.below(json.len() as u64) as usize;
        let (head, tail) = (json.get(..at), json.get(at + 1..));
        let (Some(head), Some(tail)) = (head, tail) else { continue };
        let c = ["", "0", "\"", "}", "[", ",", "x"][dice.below(7) as usize];
        try_text(&format!("{head}{c}{tail}"), &mut fresh, &mut counts);
    }
    eprintln!("JSON: {counts:?}");
    assert!(counts.unread > 500 && counts.refused > 150 && counts.ticked > 500, "{counts:?}");
}

/// Infinite and undefined numbers of a body are legal, and JSON has no word for them.
#[test]
fn numbers_that_are_not_finite_go_through_json() {
    let snapshot = snapshot();
    let text = serde_json::to_string(&snapshot).expect("it can");
    assert!(text.contains("\"inf\"") && !text.contains("null,null"), "no number is lost");
    let read: Snapshot = serde_json::from_str(&text).expect("good");
    assert_eq!(read.to_bytes().expect("it can"), snapshot.to_bytes().expect("it can"));
}
