//! Two crates that move crowds, and ours, on the same starts: what each makes of them, as a Markdown table.
//!
//! `cargo run --release --manifest-path benches/rivals/Cargo.toml`. Every body has a radius of 0.5 m and a top speed of 5 m/s;
//! ours speeds up with 20 m/s² (a quarter of a second to the top speed), the others change velocity at once. A figure
//! that is not right is marked ✗.

mod cost;
mod crowd;
mod dodgy;
mod islands;
mod ours;
mod rows;

use crowd::SYSTEMS;
use rows::Row;

fn main() {
    head("start: what | right");
    rows::all().iter().for_each(|row| println!("{}", line(row)));
    println!();
    head("median step of 1,000 agents, ms");
    for (what, walking) in [("dense, each to the point opposite", true), ("dense, idle", false)] {
        let cells: Vec<String> = cost::medians(walking).iter().map(|time| format!("{time:.2}")).collect();
        println!("| {what} | {} |", cells.join(" | "));
    }
}

fn head(first: &str) {
    let names: Vec<&str> = SYSTEMS.iter().map(|system| system.name).collect();
    println!("| {first} | {} |", names.join(" | "));
    let words = first.split(" | ").map(|_| "---").collect::<Vec<_>>();
    println!("| {} | {} |", words.join(" | "), vec!["---:"; SYSTEMS.len()].join(" | "));
}

fn line(row: &Row) -> String {
    let cell = |value: &f64| {
        let mark = if (row.holds)(*value) { "" } else { " ✗" };
        if value.is_infinite() { format!("never{mark}") } else { format!("{value:.*}{mark}", row.decimals) }
    };
    let cells: Vec<String> = row.values.iter().map(cell).collect();
    format!("| {} | {} | {} |", row.what, row.right, cells.join(" | "))
}
