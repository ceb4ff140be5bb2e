//! The starts, each run by every system, and the figures that come out.

use crate::crowd::{Body, Crowd, RADIUS, SYSTEMS, System, THERE};
use crate::ours::Ours;
use warband::math::direction;
use warband::rng::Dice;
use warband::{Vec3, vec3};

const RATE: f32 = 60.0;
const NEVER: f64 = f64::INFINITY;

/// One figure of all systems.
pub struct Row {
    /// The start, and what was measured, with its unit.
    pub what: String,
    /// What is right, in words.
    pub right: &'static str,
    /// What came out of each system; infinite for never.
    pub values: Vec<f64>,
    /// Whether a value is right.
    pub holds: fn(f64) -> bool,
    /// How many decimals are told: 0 for a count.
    pub decimals: usize,
}

/// What a figure is called, what is right for it, and how many decimals it is told with.
type Figure = (&'static str, &'static str, fn(f64) -> bool, usize);

const PARTED: Figure =
    ("least distance between two, m", "2 radii, 1.00, within 1 cm", |value| value >= 0.99, 2);

/// Runs a start in every system; a row for each of its figures.
fn rows<const N: usize>(start: &str, figures: [Figure; N], run: impl Fn(&System) -> [f64; N]) -> Vec<Row> {
    let results: Vec<[f64; N]> = SYSTEMS.iter().map(run).collect();
    let row = |(at, (what, right, holds, decimals)): (usize, Figure)| {
        let values = results.iter().map(|result| result[at]).collect();
        Row { what: format!("{start}: {what}"), right, values, holds, decimals }
    };
    figures.into_iter().enumerate().map(row).collect()
}

/// All rows.
pub fn all() -> Vec<Row> {
    let mut all = Vec::new();
    [10.0, 30.0, 60.0, 144.0].into_iter().for_each(|rate| all.extend(one_goal(rate)));
    all.extend(meet("two swap places", 2));
    all.extend(meet("four cross", 4));
    all.extend(on_one_point());
    all.extend(wall_of_five());
    for count in [8, 24] {
        all.extend(ring("by list order", count, by_list));
        all.extend(ring("by the nearest", count, by_nearest));
    }
    all.extend(one_removed());
    all
}

/// `count` places in rows of `columns` round `centre`, each moved by up to a tenth of the spacing so that nothing is symmetric.
pub fn block(count: usize, columns: usize, spacing: f32, centre: Vec3) -> Vec<Vec3> {
    let mut dice = Dice::new(11, &[count as u64]);
    let half = vec3((columns - 1) as f32, 0.0, (count.div_ceil(columns) - 1) as f32) * (0.5 * spacing);
    let place = |number: usize| {
        let mut off = || dice.range(-0.1, 0.1) as f32 * spacing;
        let at = vec3((number % columns) as f32, 0.0, (number / columns) as f32) * spacing;
        centre - half + at + vec3(off(), 0.0, off())
    };
    (0..count).map(place).collect()
}

fn places(crowd: &dyn Crowd, count: usize) -> Vec<Vec3> {
    (0..count).filter_map(|number| crowd.place(number)).collect()
}

/// The distances of all pairs, m.
fn pairs(places: &[Vec3]) -> impl Iterator<Item = f32> {
    places.iter().enumerate().flat_map(|(at, one)| places[at + 1..].iter().map(|other| one.distance(*other)))
}

fn nearest(places: &[Vec3]) -> f64 {
    f64::from(pairs(places).fold(f32::INFINITY, f32::min))
}

/// Forty walk to one point, and ten seconds in which all could long be at rest are looked at.
fn one_goal(rate: f32) -> Vec<Row> {
    const REST: Figure =
        ("walked per agent in t = 30..40 s, m", "0.05 at most: they rest", |value| value < 0.05, 2);
    const OVER: Figure = ("pairs that overlap by more than 1 cm at 40 s", "none", |value| value == 0.0, 0);
    const NEAR: Figure = ("nearest pair at 40 s, m", "2 radii, 1.00, within 1 cm", |value| value >= 0.99, 2);
    let start: Vec<Body> = block(40, 8, 1.5, vec3(-20.0, 0.0, 0.0))
        .into_iter()
        .map(|place| Body::walks(place, Vec3::ZERO))
        .collect();
    rows(&format!("40 to one goal, {rate} Hz"), [REST, OVER, NEAR], |system| {
        let mut crowd = (system.crowd)(&start, None);
        (0..(30.0 * rate) as usize).for_each(|_| crowd.step(1.0 / rate));
        let (mut walked, mut before) = (0.0, places(&*crowd, 40));
        for _ in 0..(10.0 * rate) as usize {
            crowd.step(1.0 / rate);
            let now = places(&*crowd, 40);
            walked +=
                now.iter().zip(&before).map(|(now, before)| f64::from(now.distance(*before))).sum::<f64>();
            before = now;
        }
        let overlaps = pairs(&before).filter(|distance| *distance < 2.0 * RADIUS - 0.01).count();
        [walked / 40.0, overlaps as f64, nearest(&before)]
    })
}

/// The least distance between two over `seconds`, and when the last of those who walk got there.
fn walk(crowd: &mut dyn Crowd, bodies: &[Body], seconds: f32) -> (f64, f64) {
    let mut there = vec![NEVER; bodies.len()];
    let mut least = f64::INFINITY;
    for step in 1..=(seconds * RATE) as usize {
        crowd.step(1.0 / RATE);
        let now = places(crowd, bodies.len());
        least = least.min(nearest(&now));
        for ((body, now), there) in bodies.iter().zip(&now).zip(&mut there) {
            let arrived = body.goal.is_none_or(|goal| now.distance(goal) <= THERE);
            *there = if arrived { there.min(step as f64 / f64::from(RATE)) } else { *there };
        }
    }
    (least, there.into_iter().fold(0.0, f64::max))
}

/// As many as `count` on a circle of 5 m, each of whom wants to stand where the one opposite does.
fn meet(start: &str, count: usize) -> Vec<Row> {
    let place = |number: usize| direction(std::f32::consts::TAU * number as f32 / count as f32) * 5.0;
    let bodies: Vec<Body> = (0..count).map(|number| Body::walks(place(number), -place(number))).collect();
    let quick: Figure = ("all there after, s", "7 at most; straight on takes 2.0", |value| value <= 7.0, 2);
    rows(start, [PARTED, quick], |system| {
        let (least, late) = walk(&mut *(system.crowd)(&bodies, None), &bodies, 20.0);
        [least, late]
    })
}

/// Two bodies on one point, which stand or walk alike; two runs of each.
fn on_one_point() -> Vec<Row> {
    const APART: Figure = ("distance after 3 s, m", "0.95 of 2 radii at least", |value| value >= 0.95, 2);
    const SAME: Figure = ("two runs agree bit for bit (1 yes, 0 no)", "they do", |value| value == 1.0, 0);
    let place = vec3(-20.0, 0.0, 3.0);
    let starts = [
        ("two idle on one point", Body::idle(place)),
        ("two on one point, one goal", Body::walks(place, Vec3::ZERO)),
    ];
    let rows_of = |(start, body): (&str, Body)| {
        rows(start, [APART, SAME], |system| {
            let run = || {
                let mut crowd = (system.crowd)(&[body; 2], None);
                (0..180).for_each(|_| crowd.step(1.0 / RATE));
                places(&*crowd, 2)
            };
            let (one, two) = (run(), run());
            [nearest(&one), f64::from(u8::from(one == two))]
        })
    };
    starts.into_iter().flat_map(rows_of).collect()
}

/// Five idle ones shoulder to shoulder, and one who wants to the other side.
fn wall_of_five() -> Vec<Row> {
    const QUICK: Figure = ("passed after, s", "10 at most", |value| value <= 10.0, 2);
    const KEPT: Figure = (
        "farthest that an idle one stands from its place at 20 s, m",
        "0.3 at most",
        |value| value <= 0.3,
        2,
    );
    let mut bodies: Vec<Body> = (-2..=2).map(|at| Body::idle(vec3(0.0, 0.0, at as f32 * 1.05))).collect();
    bodies.push(Body::walks(vec3(-6.0, 0.0, 0.0), vec3(6.0, 0.0, 0.0)));
    rows("one past a wall of five idle", [QUICK, PARTED, KEPT], |system| {
        let mut crowd = (system.crowd)(&bodies, None);
        let (least, late) = walk(&mut *crowd, &bodies, 20.0);
        let moved = bodies[..5].iter().zip(places(&*crowd, 5)).map(|(body, now)| body.place.distance(now));
        [late, least, f64::from(moved.fold(0.0, f32::max))]
    })
}

/// Whose place is which, for those who are told.
type Deal = fn(&[Vec3], &[Vec3]) -> Vec<Vec3>;

fn by_list(_: &[Vec3], places: &[Vec3]) -> Vec<Vec3> {
    places.to_vec()
}

/// Each in turn takes the nearest place that is left.
fn by_nearest(starts: &[Vec3], places: &[Vec3]) -> Vec<Vec3> {
    let mut left = places.to_vec();
    let take = |start: &Vec3| {
        let nearer = |a: &usize, b: &usize| left[*a].distance(*start).total_cmp(&left[*b].distance(*start));
        let nearest = (0..left.len()).min_by(nearer).expect("a place for each");
        left.swap_remove(nearest)
    };
    starts.iter().map(take).collect()
}

/// How near to its place counts as standing in the ring, m: a body's width.
const IN_PLACE: f32 = 2.0 * RADIUS;

/// A clump 20 m off fills a ring of 12 m round a still player.
fn ring(how: &str, count: usize, deal: Deal) -> Vec<Row> {
    const FULL: Figure = (
        "all within a body's width of their places, and for 1 s, after, s",
        "at all; the sooner the better",
        f64::is_finite,
        2,
    );
    const PLAYER: Figure = (
        "least distance to the player on the way, m",
        "6 at least: round him, not through",
        |value| value >= 6.0,
        2,
    );
    let starts = block(count, if count > 8 { 4 } else { 2 }, 1.5, vec3(-20.0, 0.0, 0.0));
    let place = |number: usize| direction(std::f32::consts::TAU * number as f32 / count as f32) * 12.0;
    let goals = deal(&starts, &(0..count).map(place).collect::<Vec<_>>());
    let bodies: Vec<Body> =
        starts.iter().zip(&goals).map(|(start, goal)| Body::walks(*start, *goal)).collect();
    rows(&format!("{count} fill a ring of 12 m (rivals' places {how})"), [FULL, PARTED, PLAYER], |system| {
        let ours = system.name == SYSTEMS[0].name;
        let mut crowd = if ours {
            Box::new(Ours::ring(&bodies, Vec3::ZERO))
        } else {
            (system.crowd)(&bodies, Some(Vec3::ZERO))
        };
        fill(&mut *crowd, &bodies)
    })
}

/// When the ring is full, the least distance between two, and that to the player, over 30 s.
fn fill(crowd: &mut dyn Crowd, bodies: &[Body]) -> [f64; 3] {
    let (mut full, mut since, mut least, mut player) = (NEVER, None, f64::INFINITY, f32::INFINITY);
    for step in 1..=(30.0 * RATE) as usize {
        crowd.step(1.0 / RATE);
        let now = places(crowd, bodies.len());
        least = least.min(nearest(&now));
        player = now.iter().map(|place| place.length()).fold(player, f32::min);
        let off = |number: usize| {
            crowd.off(number).or_else(|| bodies[number].goal.map(|goal| now[number].distance(goal)))
        };
        let all = (0..bodies.len()).all(|number| off(number).is_some_and(|off| off <= IN_PLACE));
        since = all.then(|| since.unwrap_or(step));
        if let Some(since) = since.filter(|since| step - since >= RATE as usize) {
            full = full.min(since as f64 / f64::from(RATE));
        }
    }
    [full, least, f64::from(player)]
}

/// Three on lanes of their own; the one in the middle of the list is removed after a second.
fn one_removed() -> Vec<Row> {
    const KEPT: Figure = ("others at their own goals after 10 s, of 2", "2", |value| value == 2.0, 0);
    let lane = |at: i32| Body::walks(vec3(-10.0, 0.0, at as f32 * 10.0), vec3(10.0, 0.0, at as f32 * 10.0));
    let bodies: Vec<Body> = (0..3).map(lane).collect();
    rows("the middle one of three is removed", [KEPT], |system| {
        let mut crowd = (system.crowd)(&bodies, None);
        for step in 0..(10.0 * RATE) as usize {
            if step == RATE as usize {
                crowd.remove(1);
            }
            crowd.step(1.0 / RATE);
        }
        let there = |number: &usize| {
            let goal = bodies[*number].goal.expect("each walks");
            crowd.place(*number).is_some_and(|place| place.distance(goal) <= THERE)
        };
        [[0, 2].iter().filter(|number| there(number)).count() as f64]
    })
}

/// A thousand in a dense block, each on its way to the point opposite, or idle.
pub fn thousand(walking: bool) -> Vec<Body> {
    let body = |place: Vec3| if walking { Body::walks(place, -place) } else { Body::idle(place) };
    block(1000, 40, 1.2, Vec3::ZERO).into_iter().map(body).collect()
}
