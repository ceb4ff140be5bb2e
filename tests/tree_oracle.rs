//! The engine against a second interpreter, over random trees: the same statuses, and the same enters, ticks and exits
//! in the same order.

mod tree_sim;

use tree_sim::grow::{Grower, words};
use tree_sim::oracle::Oracle;
use tree_sim::{Bench, Book, Note, What, book};
use warband::tree::{Exit, Why};

const TREES: u64 = 3000;
const TICKS: usize = 40;

/// What both tell: all but questions, and why something was aborted.
fn told(note: &Note) -> Option<Note> {
    let what = match note.what {
        What::Ask(_) => return None,
        What::Exit(Exit::Aborted(_)) => What::Exit(Exit::Aborted(Why::Parent)),
        other => other,
    };
    Some(Note { what, ..*note })
}

fn story() -> Vec<Note> {
    book(|book| std::mem::take(&mut book.log).iter().filter_map(told).collect())
}

/// The first difference of one random tree, in words.
fn difference(seed: u64) -> Option<String> {
    book(|book| *book = Book { seed: Some(seed), ..Book::default() });
    let mut grower = Grower::new(seed);
    let size = 3 + grower.below(28);
    let spec = grower.tree(size);
    let mut bench = Bench::new(&spec, 1).unwrap_or_else(|error| panic!("{error}\n{}", words(&spec)));
    let mut oracle = Oracle::new(&spec, seed);
    for tick in 0..TICKS {
        if grower.below(3) == 0 {
            let (key, on) = (grower.key(), grower.below(2) == 1);
            bench.set(0, key, on);
            oracle.keys.insert(key.to_owned(), on);
            oracle.number = grower.below(12) as f64 - 4.0;
            bench.set(0, "n", oracle.number);
        }
        if grower.below(20) == 0 {
            bench.halt(0, Why::Halted);
            oracle.halt_all();
        }
        let dt = [0.0, 0.05, 0.1, 0.1][grower.below(4)];
        let status = bench.tick(dt)[0];
        oracle.now = bench.scene.clock;
        let wanted = oracle.tick();
        let (got, story) = (story(), std::mem::take(&mut oracle.story));
        if (status, &got) != (wanted, &story) {
            let names = book(|book| book.names.clone());
            let line = |notes: &[Note]| {
                let words = notes.iter().map(|note| format!("{} {:?}", names[note.probe], note.what));
                words.collect::<Vec<_>>().join(", ")
            };
            let (got, wanted) = (line(&got), format!("{wanted:?}: {}", line(&story)));
            return Some(format!(
                "seed {seed}, tick {tick} of {}\n    wanted {wanted}\n    got    {status:?}: {got}",
                words(&spec)
            ));
        }
    }
    None
}

#[test]
fn the_engine_tells_the_story_of_the_semantics() {
    let mut wrong = (0..TREES).filter_map(difference).collect::<Vec<_>>();
    wrong.sort_by_key(String::len);
    let count = wrong.len();
    wrong.truncate(3);
    assert!(wrong.is_empty(), "{count} of {TREES}\n{}\n", wrong.join("\n"));
}
