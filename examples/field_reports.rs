//! Faults that people who ship game AI have met, run headless: what is measured beside its bound, as one table.
//!
//! `cargo run --release --features cli --example field_reports`, with ids (`f1 s8`) for some of them.

#[path = "../tests/field/mod.rs"]
mod field;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).map(|id| id.to_lowercase()).collect();
    println!("| report | what | measured | bound | |");
    println!("| --- | --- | ---: | ---: | --- |");
    let (mut held, mut all) = (0, 0);
    for (id, measure) in field::REPORTS {
        if !asked.is_empty() && !asked.iter().any(|name| name == id) {
            continue;
        }
        for row in measure() {
            let mark = if row.holds() { "held" } else { "NOT HELD" };
            println!("| {} | {} | {:.3} | {} | {mark} |", id.to_uppercase(), row.what, row.value, row.bound);
            held += usize::from(row.holds());
            all += 1;
        }
    }
    println!("\n{held} of {all} bounds held");
    if held < all {
        std::process::exit(1);
    }
}
