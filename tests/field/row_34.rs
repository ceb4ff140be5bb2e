//! A search that runs for ever, or eats the frame.

use super::yard::{Walker, free, lines, mesh};
use super::{Measure, at_least, at_most, exactly};
use warband::Walls;
use warband::nav::{Navigation, PathStatus};
use warband::rng::Dice;
use warband::steer::Limits;

pub fn measure() -> Vec<Measure> {
    let walls = lines(1, 60);
    let (whole, short) = (mesh(&walls), mesh(&walls).with_budget(6));
    let mut dice = Dice::new(34, &[]);
    let mut corners = Vec::new();
    let (mut cut, mut wrong) = (0, 0);
    for _ in 0..300 {
        let (from, to) = (free(&mut dice, &whole), free(&mut dice, &whole));
        let found = whole.path(from, to, 0.5, &mut corners);
        wrong += i32::from(!matches!(found, PathStatus::Complete | PathStatus::Partial));
        let status = short.path(from, to, 0.5, &mut corners);
        let end = corners.last().copied().unwrap_or(from);
        // It says that it was cut short, and ends no farther off than it began.
        cut += i32::from(status == PathStatus::Unfinished);
        let farther = end.distance(to) > from.distance(to) + 0.1;
        wrong += i32::from(corners.is_empty() || (status == PathStatus::Unfinished && farther));
    }
    let (there, lost) = walkers(&walls, &mut dice);
    vec![
        exactly("wrong answers to 600 questions", wrong, 0.0),
        at_most("answers of 300 within 6 nodes that are whole", 300 - cut, 200.0),
        at_least("of 12 who search 24 nodes at a time, those who get there", there, 8.0),
        exactly("those who neither get there nor say that there is no way", lost, 0.0),
    ]
}

/// Of twelve with a small budget, how many get to a random place, and how many are still on their way after a minute.
fn walkers(walls: &Walls, dice: &mut Dice) -> (i32, i32) {
    let (mut there, mut lost) = (0, 0);
    let ground = mesh(walls);
    for _ in 0..12 {
        let (from, to) = (free(dice, &ground), free(dice, &ground));
        let mut walker = Walker::new(walls, mesh(walls).with_budget(24), from, to, Limits::of(0.5, 5.0));
        let seconds = walker.until("there", 1.0 / 60.0, 60.0);
        there += i32::from(seconds < 60.0 && walker.at().distance(to) < 0.5);
        lost += i32::from(walker.mode() == "walks");
    }
    (there, lost)
}
