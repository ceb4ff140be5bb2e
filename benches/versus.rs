//! The table of what all other benches measured last, with ratios to the rivals. It measures nothing itself: `cargo bench` runs it
//! last, by its name.
//!
//! `cargo bench --bench versus -- --write` writes it to `BENCHMARKS.md`.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Times in ns by work, then by system.
type Table = BTreeMap<String, BTreeMap<String, f64>>;

const OURS: &str = "warband";

const HEAD: &str = "# Benchmarks

Made by `cargo bench --bench versus -- --write` from what the last `cargo bench` measured: not to be edited by hand. To repeat it:

```sh
cargo bench --features navmesh                    # some ten minutes; a part: --bench flock
cargo bench --features navmesh --bench versus -- --write
```

A time is the median of ten samples, on one thread. `×` is how many times as long a rival takes as `warband`; below 1 it is faster. On a shared
machine times may be off by a factor of two, ratios within a row are not. Before a row is timed, all its systems have to come to the same
result. A system that begins with `warband_` is another form of ours; `bare_mlua` is mlua without sandbox or budget.
";

const WORKS: &str = "
| works | are |
| --- | --- |
| `flock/2d_10k_8` | a step of 10,000 agents in the plane with 8 neighbours each, index included; `baseline`: without wider instructions |
| `queries/10k_8`, `grid` | an index of 10,000 points built anew and a query for each; the index alone |
| `tree`, `…_10k` | one tick of a tree; of one of 10,000 trees in turn |
| `pipeline` | a whole tick; of `quiet`, 95 in 100 agents wait |
| `worlds/create`, `create_lua`, `tick_1000` | a world with eight agents, with scripts that were compiled before (`alone`: that were not); a tick of a thousand of them |
| `board` | ten thousand reads or writes from outside of trees |
| `avoid/dense_1k`, `walk`, `stand` | a thousand answers; the steer and act stages of a tick of a thousand |
| `sense`, `ring`, `nav`, `lua` | that stage; places dealt after a death, or only looked at; one question; one call or read |
| `reload`, `snapshot` | of a world with 1,000 agents |
";

/// The most that a work may take, ns, where it was said before.
const BOUNDS: &[(&str, f64)] = &[
    ("flock/2d_10k_8", 0.75e6),
    ("flock/2d_100k_8", 9.5e6),
    ("flock/2d_10k_32", 1.45e6),
    ("flock/3d_10k_8", 2e6),
    ("queries/100k_8", 20e6),
    ("queries/10k_8", 2e6),
    ("pipeline/hunt_10k", 8e6),
    ("pipeline/quiet_100k", 8e6),
    ("worlds/create", 200e3),
    ("worlds/create_lua", 2e6),
    ("lua/leaf_two_reads", 300.0),
    ("tree/seq8", 40.0),
    ("tree/guard_reactive", 40.0),
    ("tree/guard_memory", 15.0),
    ("tree/waiting", 10.0),
    ("tree/board_reads_8", 50.0),
];

/// What the processor calls itself, where the system tells, and how many of its cores may be used.
fn machine() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = told.lines().find(|line| line.starts_with("model name"));
    let name = line.and_then(|line| line.split_once(": ")).map_or(std::env::consts::ARCH, |(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("Machine: {name}, {cores} cores, {}.", std::env::consts::OS)
}

fn folders(at: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(at).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.join("benchmark.json").is_file() && path.file_name().is_some_and(|name| name == "new") {
            found.push(path);
        } else if path.is_dir() {
            folders(&path, found);
        }
    }
}

fn read(path: PathBuf) -> Option<Value> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

/// The name of a row, and the time of its median sample in ns.
fn row(folder: &Path) -> Option<(String, f64)> {
    let name = read(folder.join("benchmark.json"))?["full_id"].as_str()?.to_owned();
    let sample = read(folder.join("sample.json"))?;
    let numbers = |key: &str| {
        let list = sample[key].as_array().cloned().unwrap_or_default();
        list.iter().filter_map(Value::as_f64).collect::<Vec<_>>()
    };
    let each = numbers("times").into_iter().zip(numbers("iters")).map(|(time, times)| time / times);
    let mut each = each.filter(|time| time.is_finite()).collect::<Vec<_>>();
    each.sort_by(f64::total_cmp);
    Some((name, *each.get(each.len() / 2)?))
}

fn table(at: &Path) -> Table {
    let mut found = Vec::new();
    folders(at, &mut found);
    let mut table = Table::new();
    for (name, time) in found.iter().filter_map(|folder| row(folder)) {
        if let Some((work, system)) = name.rsplit_once('/') {
            table.entry(work.to_owned()).or_default().insert(system.to_owned(), time);
        }
    }
    table
}

fn time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.1} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns => format!("{:.2} ms", ns / 1e6),
    }
}

fn others(times: &BTreeMap<String, f64>, ours: Option<f64>) -> String {
    let one = |(system, ns): (&String, &f64)| match ours {
        Some(ours) => format!("{system} {} ({:.2}×)", time(*ns), ns / ours),
        None => format!("{system} {}", time(*ns)),
    };
    times.iter().filter(|(system, _)| *system != OURS).map(one).collect::<Vec<_>>().join(", ")
}

fn bound(work: &str, ours: Option<f64>) -> String {
    let Some((_, most)) = BOUNDS.iter().find(|(known, _)| *known == work) else { return String::new() };
    let over = if ours.is_some_and(|ours| ours > *most) { ", **over**" } else { "" };
    format!("{}{over}", time(*most))
}

fn written(table: &Table) -> String {
    let mut text = String::from("| work | warband | at most | beside |\n| --- | --- | --- | --- |\n");
    for (work, times) in table {
        let ours = times.get(OURS).copied();
        let own = ours.map_or("–".to_owned(), time);
        let _ = writeln!(text, "| {work} | {own} | {} | {} |", bound(work, ours), others(times, ours));
    }
    text
}

fn main() {
    let exe = std::env::current_exe().expect("a program has a path");
    let target = exe.ancestors().nth(3).expect("a bench lies in target/release/deps");
    let table = table(&target.join("criterion"));
    let text = written(&table);
    println!("\n{text}");
    if std::env::args().any(|word| word == "--write") {
        assert!(!table.is_empty(), "nothing was measured yet: run cargo bench first");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("BENCHMARKS.md");
        std::fs::write(&path, format!("{HEAD}\n{}\n\n{text}{WORKS}", machine()))
            .expect("the file can be written");
    }
}
