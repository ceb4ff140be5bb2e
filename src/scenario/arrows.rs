//! What each steering rule asks for at the end of a run: a closer look at a flock, an arrow for each rule in its own colour.

use super::canvas::{Canvas, Dot, Pen, Type};
use super::picture::{FAINT, FIELD, INK, Panel};
use super::run::Run;
use crate::entity::SquadId;
use crate::math::Vec3;
use crate::steer::{Class, behaviour};

/// The colours of rules that flocks are made of; others take those behind in turn.
const RULES: [(&str, &str); 4] =
    [("separation", "#d1353a"), ("alignment", "#2f7ed8"), ("cohesion", "#1c9a88"), ("arrive", "#8a6d1f")];
const OTHERS: [&str; 6] = ["#8e57c9", "#e08e0b", "#b0447f", "#5a6fd0", "#6a8f1f", "#9a6b3f"];
/// How far an arrow of one metre per second reaches, m.
const METRES_EACH: f32 = 0.35;
/// Arrows of less than this, m/s, are left out.
const LEAST: f32 = 0.04;
/// How many agents are drawn with their rules: those nearest to the middle.
const MOST: usize = 40;

/// An agent at the end, and what its rules ask for, m/s after their weights.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    at: Vec3,
    facing: Vec3,
    radius: f32,
    squad: SquadId,
    rules: Vec<(&'static str, Vec3)>,
}

/// What the rules of a flock ask for now; nothing unless most agents blend several. Of several squads it is the first of those that
/// have most to show: all of them together would be too small to be read.
pub(super) fn asked(run: &Run) -> Vec<Asked> {
    let of = |out: crate::world::Output<'_>| {
        let vectors = run.world().rule_vectors(out.agent);
        let counts = |name: &str| behaviour(name).is_some_and(|behaviour| behaviour.class != Class::Facing);
        let rules = vectors.iter().filter(|rule| rule.weight > 0.0 && counts(rule.name));
        Asked {
            at: out.position,
            facing: out.facing,
            squad: out.squad,
            radius: run.spec_of(out.squad).map_or(0.5, |spec| spec.limits.radius),
            rules: rules.map(|rule| (rule.name, rule.vector * rule.weight)).collect(),
        }
    };
    let mut all: Vec<Asked> = run.world().outputs().map(of).collect();
    let blends = all.iter().filter(|agent| agent.rules.len() >= 3).count();
    if 2 * blends <= all.len() {
        return Vec::new();
    }
    let arrows = |squad: &&[Asked]| {
        let rules = squad.iter().flat_map(|agent| &agent.rules);
        rules.filter(|rule| rule.1.length() >= LEAST).count()
    };
    // From the back, for of equals the last counts.
    let squads = all.chunk_by(|one, other| one.squad == other.squad).rev();
    if let Some(shown) = squads.max_by_key(arrows).map(|squad| squad[0].squad) {
        all.retain(|agent| agent.squad == shown);
    }
    let middle = all.iter().map(|agent| agent.at).sum::<Vec3>() / all.len() as f32;
    all.sort_by(|a, b| a.at.distance(middle).total_cmp(&b.at.distance(middle)));
    all.truncate(MOST);
    all
}

/// The panel: bodies, arrows and what the colours mean.
pub(super) fn draw(canvas: &mut Canvas, panel: &Panel, agents: &[Asked], time: f64) {
    canvas.rect(panel.corner, panel.size, FIELD, 3.0);
    canvas.clipped(panel.corner, panel.size, "rules", |canvas| {
        for agent in agents {
            let (at, radius) = (panel.at(agent.at), agent.radius * panel.scale);
            canvas.disc(at, radius, "#ffffff", Pen::new("#a9adb6", 1.2));
            canvas.line(at, panel.at(agent.at + agent.facing * agent.radius), Pen::new("#a9adb6", 1.6));
        }
        for agent in agents {
            agent
                .rules
                .iter()
                .for_each(|(name, vector)| arrow(canvas, panel, agent.at, *vector, colour_of(agents, name)));
        }
    });
    let look = Type { size: 12.0, colour: FAINT, bold: false };
    let title = format!("what each rule asks for at {time:.0} s, after its weight");
    canvas.text((panel.corner.0 + 8.0, panel.corner.1 + 18.0), &title, look);
    legend(canvas, panel, agents);
}

fn legend(canvas: &mut Canvas, panel: &Panel, agents: &[Asked]) {
    let x = panel.corner.0 + panel.size.0 + 20.0;
    let mut y = panel.corner.1 + 14.0;
    let look = Type { size: 12.5, colour: INK, bold: false };
    for name in names(agents) {
        head(canvas, (x, y), (x + 22.0, y), colour_of(agents, name));
        canvas.text((x + 32.0, y + 4.0), name, look);
        y += 23.0;
    }
    let long = METRES_EACH * panel.scale;
    let (left, right) = ((x, y + 4.0), (x + long, y + 4.0));
    canvas.line(left, right, Pen::new(FAINT, 1.4));
    canvas.text((x + long.max(22.0) + 10.0, y + 8.0), "1 m/s", Type { size: 11.5, colour: FAINT, ..look });
}

/// The rules that agents follow, flocking first.
fn names(agents: &[Asked]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> =
        agents.iter().flat_map(|agent| agent.rules.iter().map(|rule| rule.0)).collect();
    let rank = |name: &str| RULES.iter().position(|known| known.0 == name).unwrap_or(RULES.len());
    names.sort_by_key(|name| (rank(name), *name));
    names.dedup();
    names
}

fn colour_of(agents: &[Asked], name: &str) -> &'static str {
    if let Some(known) = RULES.iter().find(|known| known.0 == name) {
        return known.1;
    }
    let others = names(agents).into_iter().filter(|name| RULES.iter().all(|known| known.0 != *name));
    OTHERS[others.take_while(|other| *other != name).count() % OTHERS.len()]
}

fn arrow(canvas: &mut Canvas, panel: &Panel, at: Vec3, vector: Vec3, colour: &str) {
    if vector.is_finite() && vector.length() >= LEAST {
        head(canvas, panel.at(at), panel.at(at + vector * METRES_EACH), colour);
    }
}

/// A line with a head at its end, as large as the line is long, up to a point.
fn head(canvas: &mut Canvas, from: Dot, to: Dot, colour: &str) {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = libm::sqrtf(x * x + y * y).max(1e-3);
    let (x, y) = (x / length, y / length);
    let size = (0.5 * length).clamp(2.0, 7.0);
    let wing = |side: f32| (to.0 - (x + side * y * 0.5) * size, to.1 - (y - side * x * 0.5) * size);
    let neck = (to.0 - x * size * 0.8, to.1 - y * size * 0.8);
    canvas.line(from, neck, Pen::new(colour, 1.8));
    canvas.polygon(&[to, wing(1.0), wing(-1.0)], colour, Pen::new(colour, 0.0));
}

/// The corners of the ground that the panel shows.
pub(super) fn ground(agents: &[Asked]) -> (Dot, Dot) {
    let (mut low, mut high) = ((f32::INFINITY, f32::INFINITY), (f32::NEG_INFINITY, f32::NEG_INFINITY));
    for agent in agents {
        let room = 3.0 * agent.radius;
        low = (low.0.min(agent.at.x - room), low.1.min(agent.at.z - room));
        high = (high.0.max(agent.at.x + room), high.1.max(agent.at.z + room));
    }
    (low, high)
}
