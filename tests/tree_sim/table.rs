//! Tables of ticks in words.
//!
//! A row is a name, a tree and lines. A line is one tick: `t1=F a:=1 +0.4 -> R | t1 1/1/1 t2 1/1/0 c?3`. To the left,
//! what probes answer from now on (S, F, R; a condition S or F), what is written to keys, and the seconds that pass
//! (0.1 when left out); or `halt`. To the right, the status, and enters/ticks/exits of *every* leaf of the tree since
//! the start; `c?3` is how often a condition was asked.
//!
//! With the feature `lua`, every row is run a second time, from its tree as it is written in Lua.

use super::{Bench, book};
use warband::Spec;
use warband::tree::{Status, Why};

pub struct Row {
    pub name: &'static str,
    pub tree: fn() -> Spec,
    pub lines: &'static str,
}

/// Runs every row, and tells all that is wrong in all of them.
pub fn run(rows: &[Row]) {
    let faults = rows.iter().flat_map(faults_of).collect::<Vec<_>>();
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    #[cfg(feature = "lua")]
    from_lua(rows);
}

/// The same facts from trees that went through Lua.
#[cfg(feature = "lua")]
fn from_lua(rows: &[Row]) {
    let mut reader = super::lua::Reader::new();
    let faults = rows.iter().flat_map(|row| match reader.through(&(row.tree)()) {
        Ok(spec) => faults_in(row, &spec),
        Err(fault) => vec![format!("{}: {fault}", row.name)],
    });
    let faults = faults.collect::<Vec<_>>();
    assert!(faults.is_empty(), "from Lua:\n{}\n", faults.join("\n"));
}

/// What is wrong in a row: one line for each tick that went another way.
pub fn faults_of(row: &Row) -> Vec<String> {
    faults_in(row, &(row.tree)())
}

fn faults_in(row: &Row, spec: &Spec) -> Vec<String> {
    book(|book| *book = super::Book::default());
    let mut bench = match Bench::new(spec, 1) {
        Ok(bench) => bench,
        Err(error) => return vec![format!("{}: {error}", row.name)],
    };
    let mut leaves = Vec::new();
    leaves_of(spec, &mut leaves);
    let mut faults = Vec::new();
    for (number, line) in row.lines.lines().map(str::trim).filter(|line| !line.is_empty()).enumerate() {
        let (left, right) = line.split_once("->").expect("a line has an arrow");
        let (status, wanted) = right.split_once('|').expect("a line has a bar");
        let got = act(&mut bench, left);
        let counts = counts(&leaves, wanted);
        let wanted = words(wanted);
        if (got, counts.as_str()) != (status.trim(), wanted.as_str()) {
            let place = format!("{}, line {}", row.name, number + 1);
            faults.push(format!(
                "{place}:\n    wanted {} | {wanted}\n    got    {got} | {counts}",
                status.trim()
            ));
        }
        let steps = bench.steps[0];
        assert!(steps <= 16 * spec.count() + 64, "{}: {steps} steps", row.name);
    }
    faults
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn leaves_of(spec: &Spec, leaves: &mut Vec<String>) {
    if spec.node == "probe"
        && let Some((_, warband::args::Arg::Text(name))) = spec.args.first()
    {
        leaves.push(name.clone());
    }
    spec.children.iter().for_each(|child| leaves_of(child, leaves));
}

fn act(bench: &mut Bench, left: &str) -> &'static str {
    let mut seconds = 0.1;
    for word in left.split_whitespace() {
        if word == "halt" {
            bench.halt(0, Why::Halted);
            return "-";
        } else if let Some(time) = word.strip_prefix('+') {
            seconds = time.parse().expect("seconds");
        } else if let Some((key, value)) = word.split_once(":=") {
            match key {
                "n" => bench.set(0, key, value.parse::<f64>().expect("a number")),
                _ => bench.set(0, key, value == "1"),
            }
        } else {
            let (probe, answer) = word.split_once('=').expect("probe=answer");
            let status = match answer {
                "S" => Status::Success,
                "F" => Status::Failure,
                _ => Status::Running,
            };
            book(|book| {
                let probe = book.number(probe);
                book.results.insert(probe, status);
            });
        }
    }
    match bench.tick(seconds)[0] {
        Status::Success => "S",
        Status::Failure => "F",
        Status::Running => "R",
    }
}

/// The counts of every leaf, and those questions that the line asks about.
fn counts(leaves: &[String], wanted: &str) -> String {
    let asked = wanted.split_whitespace().filter_map(|word| word.split_once('?'));
    book(|book| {
        let leaf = |name: &String| {
            let probe = book.number(name);
            let (enters, ticks, exits) = book.counts(0, probe);
            format!("{name} {enters}/{ticks}/{exits}")
        };
        let mut words = leaves.iter().map(leaf).collect::<Vec<_>>();
        words.extend(asked.map(|(name, _)| {
            let probe = book.number(name);
            format!("{name}?{}", book.asks(0, probe))
        }));
        words.join(" ")
    })
}
