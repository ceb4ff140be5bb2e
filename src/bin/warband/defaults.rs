//! `warband run --defaults`: what follows from a body's radius, top speed, time to top speed and turn time.

use super::arguments::RunOptions;
use super::{Outcome, Result, print, run};
use std::fmt::Write;
use warband::steer::{Derived, Limits, derived};

/// How many of the first numbers are the body's own, which can be given in place of what would follow.
const OWN: usize = 7;

/// For each body of the scenario once, or for the default body.
pub fn print_all(options: &RunOptions) -> Result<Outcome> {
    let mut bodies: Vec<(String, Limits)> = Vec::new();
    match &options.file {
        None => bodies.push(("the default body".to_owned(), Limits::of(0.5, 5.0))),
        Some(file) => {
            let scenario = run::scenario(file, &options.scenario)?;
            for squad in &scenario.squads {
                match bodies.iter_mut().find(|(_, limits)| *limits == squad.limits) {
                    Some((names, _)) => *names = format!("{names}, {}", squad.name),
                    None => bodies.push((squad.name.clone(), squad.limits)),
                }
            }
        }
    }
    let texts: Vec<String> = bodies.iter().map(|(name, limits)| table(name, limits)).collect();
    print(&texts.join("\n"))?;
    Ok(Outcome::Good)
}

fn table(name: &str, limits: &Limits) -> String {
    let speed_up = limits.max_speed / limits.max_acceleration.max(1e-6);
    let turn_round = std::f32::consts::PI / limits.turning.max_turn.max(1e-6);
    let mut text = format!(
        "{name}: radius {} m, top speed {} m/s, {} s to top speed, {} s to turn round\n",
        short(limits.radius),
        short(limits.max_speed),
        short(speed_up),
        short(turn_round)
    );
    let usual = derived(&Limits::with_times(limits.radius, limits.max_speed, speed_up, turn_round));
    for (at, (number, usual)) in derived(limits).iter().zip(&usual).enumerate() {
        line(&mut text, number, usual, at < OWN);
    }
    text
}

/// A number that is not as it would follow was given.
fn line(text: &mut String, number: &Derived, usual: &Derived, own: bool) {
    let given = own && (number.value - usual.value).abs() > 1e-4 * usual.value.abs();
    let from = if given { "given" } else { number.from };
    let what = format!("{}.{}", number.of, number.name);
    writeln!(text, "  {what:<27} {:>8} {:<6} {from}", short(number.value), number.unit)
        .expect("BUG: writing to a string cannot fail");
}

/// Four digits, without zeros that say nothing.
fn short(value: f32) -> String {
    let digits = if value.abs() >= 100.0 {
        1
    } else if value.abs() >= 1.0 {
        3
    } else {
        4
    };
    let text = format!("{value:.digits$}");
    let trimmed = text.trim_end_matches('0').trim_end_matches('.');
    if trimmed.is_empty() { "0".to_owned() } else { trimmed.to_owned() }
}
