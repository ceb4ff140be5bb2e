//! The picture of a run, from above: walked ways coloured by mode, bodies, walls, the ring at its best.

use super::arrows;
use super::canvas::{Canvas, Dot, Pen, Type};
use super::model::Outline;
use super::recording::{Recording, RingShot, Sample, Track};
use super::run::Run;
use crate::error::{Error, ErrorKind, Result};
use crate::math::Vec3;

const GROUND: &str = "#fcfcfa";
pub(super) const FIELD: &str = "#f4f3ee";
const GRID: &str = "#e7e5dd";
pub(super) const INK: &str = "#23262d";
pub(super) const FAINT: &str = "#767b86";
const WALL: &str = "#4a4f5c";
const RING: &str = "#8d8a80";

/// The colours of known modes; others take those behind in turn.
const MODES: [(&str, &str); 5] = [
    ("patrol", "#8794a8"),
    ("wide", "#2f7ed8"),
    ("narrow", "#e08e0b"),
    ("direct", "#d1353a"),
    ("search", "#8e57c9"),
];
const OTHERS: [&str; 8] =
    ["#1c9a88", "#9a6b3f", "#b0447f", "#5a6fd0", "#6a8f1f", "#0f7fa3", "#d9707a", "#4b5a2a"];

/// The longest side of the field, in pixels.
const SIDE: f32 = 720.0;
/// How wide the legend is, in pixels.
const LEGEND: f32 = 205.0;
const MARGIN: f32 = 24.0;
/// How high the title is, in pixels.
const HEAD: f32 = 66.0;
/// With more agents than this the picture leaves out what would only be clutter.
const MANY: usize = 60;
/// How wide what is drawn may be, in metres.
const WIDEST: f32 = 1e10;

/// From metres to pixels, seen from above or from the side.
struct Frame {
    low: Dot,
    size: Dot,
    scale: f32,
    corner: Dot,
    side: bool,
}

impl Frame {
    /// Everybody fits in, with some room round about.
    ///
    /// # Errors
    /// What is too wide, or so far from the origin that its numbers cannot tell one pixel from the next.
    fn above(recording: &Recording) -> Result<Frame> {
        let (mut low, mut high) = extent(recording, |at| (at.x, at.z));
        let (top, foot) = extent(recording, |at| (at.x, -at.y));
        let longest = (high.0 - low.0).max(high.1 - low.1);
        // Not too slim, or the legend would be longer than the field.
        let spare = |from: f32, to: f32| 2.0 + 0.04 * longest + 0.5 * (0.55 * longest - (to - from)).max(0.0);
        let room = (spare(low.0, high.0), spare(low.1, high.1));
        (low, high) = ((low.0 - room.0, low.1 - room.1), (high.0 + room.0, high.1 + room.1));
        let size = (high.0 - low.0, high.1 - low.1);
        // Seen from the side it has to fit in as well.
        let widest = size.0.max(size.1).max(foot.1 - top.1 + 2.0);
        let farthest = [low.0, low.1, high.0, high.1, top.1, foot.1]
            .into_iter()
            .fold(0.0, |far: f32, at| far.max(at.abs()));
        drawable(widest, farthest)?;
        Ok(Frame { low, size, scale: SIDE / widest, corner: (MARGIN, HEAD), side: false })
    }

    /// The same from the side, under this one; `None` where nobody leaves the ground.
    fn beside(&self, recording: &Recording) -> Option<Frame> {
        let (low, high) = extent(recording, |at| (at.x, -at.y));
        if high.1 - low.1 < 3.0 {
            return None;
        }
        let (low, high) = ((self.low.0, low.1 - 1.0), (self.low.0, high.1 + 1.0));
        let corner = (self.corner.0, self.corner.1 + self.pixels().1 + 26.0);
        Some(Frame { low, size: (self.size.0, high.1 - low.1), corner, side: true, ..*self })
    }

    fn at(&self, place: Vec3) -> Dot {
        let down = if self.side { -place.y } else { place.z };
        let across = (place.x - self.low.0) * self.scale;
        (self.corner.0 + across, self.corner.1 + (down - self.low.1) * self.scale)
    }

    fn pixels(&self) -> Dot {
        (self.size.0 * self.scale, self.size.1 * self.scale)
    }

    fn foot(&self) -> f32 {
        self.corner.1 + self.pixels().1
    }
}

/// A closer look at some of the ground, under the field.
pub(super) struct Panel {
    pub corner: Dot,
    pub size: Dot,
    pub scale: f32,
    low: Dot,
}

impl Panel {
    /// As wide as the field, round those whose rules are drawn; `None` when there are none.
    fn under(frame: &Frame, foot: f32, recording: &Recording) -> Option<Panel> {
        if recording.asked.is_empty() {
            return None;
        }
        let (low, high) = arrows::ground(&recording.asked);
        let (width, depth) = ((high.0 - low.0).max(1e-3), (high.1 - low.1).max(1e-3));
        let across = frame.pixels().0;
        let scale = (across / width).min(SIDE / depth);
        let size = (across, depth * scale + 28.0);
        // In the middle, with room for the title.
        let low = (low.0 - 0.5 * (across / scale - width), low.1 - 28.0 / scale);
        Some(Panel { corner: (frame.corner.0, foot + 34.0), size, scale, low })
    }

    pub fn at(&self, place: Vec3) -> Dot {
        (
            self.corner.0 + (place.x - self.low.0) * self.scale,
            self.corner.1 + (place.z - self.low.1) * self.scale,
        )
    }
}

fn drawable(widest: f32, farthest: f32) -> Result<()> {
    let message = if !(widest <= WIDEST && farthest <= WIDEST) {
        format!("bodies are up to {farthest:.0e} m away, and a picture shows {WIDEST:.0e} m at most")
    } else if widest / SIDE < farthest * f32::EPSILON {
        format!("bodies are {farthest:.0e} m away, where numbers are too coarse to draw {widest:.0} m")
    } else {
        return Ok(());
    };
    let error = Error::new(ErrorKind::OutOfRange, format!("the picture cannot be drawn: {message}"));
    Err(error.hint("put them nearer to the origin"))
}

/// The corners of the box round all bodies at all times.
fn extent(recording: &Recording, view: fn(Vec3) -> Dot) -> (Dot, Dot) {
    let mut corners: Option<(Dot, Dot)> = None;
    for track in recording.agents.iter().chain(&recording.actors) {
        for sample in &track.samples {
            let (x, y) = view(sample.at);
            let (low, high) = corners.unwrap_or(((x, y), (x, y)));
            let r = track.radius;
            corners = Some(((low.0.min(x - r), low.1.min(y - r)), (high.0.max(x + r), high.1.max(y + r))));
        }
    }
    corners.unwrap_or(((-5.0, -5.0), (5.0, 5.0)))
}

/// The whole document.
pub(super) fn draw(recording: &Recording, run: &Run) -> Result<String> {
    let frame = Frame::above(recording)?;
    let side = frame.beside(recording);
    let foot = side.as_ref().unwrap_or(&frame).foot();
    let panel = Panel::under(&frame, foot, recording);
    let entries = recording.modes.iter().filter(|mode| !mode.is_empty()).count() + 7;
    let below = panel.as_ref().map_or(0.0, |panel| panel.corner.1 + panel.size.1);
    let height = foot.max(HEAD + entries as f32 * 24.0).max(below) + MARGIN + 10.0;
    let mut canvas = Canvas::new(frame.pixels().0 + LEGEND + 2.0 * MARGIN, height, GROUND);
    title(&mut canvas, run);
    canvas.rect(frame.corner, frame.pixels(), FIELD, 3.0);
    canvas.clipped(frame.corner, frame.pixels(), "field", |canvas| field(canvas, &frame, recording, run));
    if let Some(side) = &side {
        from_the_side(&mut canvas, side, recording, run);
    }
    scale(&mut canvas, &frame, foot);
    if let Some(panel) = &panel {
        arrows::draw(&mut canvas, panel, &recording.asked, run.now());
    }
    legend(&mut canvas, &frame, recording, run);
    Ok(canvas.finish())
}

/// What flies, from the side: how high it is.
fn from_the_side(canvas: &mut Canvas, frame: &Frame, recording: &Recording, run: &Run) {
    canvas.rect(frame.corner, frame.pixels(), FIELD, 3.0);
    canvas.clipped(frame.corner, frame.pixels(), "side", |canvas| {
        grid(canvas, frame);
        let right = Vec3::new(frame.low.0 + frame.size.0, 0.0, 0.0);
        canvas.line(frame.at(Vec3::new(frame.low.0, 0.0, 0.0)), frame.at(right), Pen::new(FAINT, 1.2));
        people(canvas, frame, recording, run);
    });
    let look = Type { size: 12.0, colour: FAINT, bold: false };
    canvas.text((frame.corner.0 + 8.0, frame.corner.1 + 18.0), "from the side", look);
}

fn title(canvas: &mut Canvas, run: &Run) {
    let scenario = run.scenario();
    let look = Type { size: 20.0, colour: INK, bold: true };
    canvas.text((MARGIN, 32.0), &scenario.name, look);
    let about =
        if scenario.about.is_empty() { format!("{:.0} s", run.now()) } else { scenario.about.clone() };
    canvas.text((MARGIN, 53.0), &about, Type { size: 13.0, colour: FAINT, bold: false });
}

fn field(canvas: &mut Canvas, frame: &Frame, recording: &Recording, run: &Run) {
    grid(canvas, frame);
    let many = recording.agents.len() > MANY;
    if let Some(ring) = recording.ring.as_ref().filter(|_| !many) {
        draw_ring(canvas, frame, ring, recording);
    }
    run.scenario().outlines.iter().for_each(|outline| wall(canvas, frame, outline));
    people(canvas, frame, recording, run);
    recording.last_known.iter().take(if many { 0 } else { 3 }).for_each(|lost| cross(canvas, frame, *lost));
}

/// Agents and actors with their ways.
fn people(canvas: &mut Canvas, frame: &Frame, recording: &Recording, run: &Run) {
    let (end, many) = (run.now(), recording.agents.len() > MANY);
    for track in &recording.agents {
        way(canvas, frame, track, recording, many);
    }
    for actor in &recording.actors {
        actor_way(canvas, frame, actor, time_step(end));
    }
    for track in &recording.agents {
        body(canvas, frame, track, recording, end);
    }
    for actor in &recording.actors {
        actor_body(canvas, frame, actor, end);
    }
}

fn grid(canvas: &mut Canvas, frame: &Frame) {
    let step = grid_step(frame);
    let lines = |low: f32, size: f32| {
        let first = libm::ceilf(low / step) as i32;
        (first..=libm::floorf((low + size) / step) as i32).map(move |at| at as f32 * step)
    };
    let pen = Pen::new(GRID, 1.0);
    for x in lines(frame.low.0, frame.size.0) {
        let (top, foot) = (Vec3::new(x, 0.0, frame.low.1), Vec3::new(x, 0.0, frame.low.1 + frame.size.1));
        canvas.line(frame.at(top), frame.at(foot), pen);
    }
    for z in lines(frame.low.1, frame.size.1) {
        let (left, right) = (Vec3::new(frame.low.0, 0.0, z), Vec3::new(frame.low.0 + frame.size.0, 0.0, z));
        canvas.line(frame.at(left), frame.at(right), pen);
    }
}

/// The distance of grid lines in metres, 1, 2, 5, 10, 20, 50 and so on: 60 pixels or more, whatever the scale.
fn grid_step(frame: &Frame) -> f32 {
    let mut ten = 1.0;
    while ten <= WIDEST {
        for step in [ten, 2.0 * ten, 5.0 * ten] {
            if step * frame.scale >= 60.0 {
                return step;
            }
        }
        ten *= 10.0;
    }
    ten
}

fn wall(canvas: &mut Canvas, frame: &Frame, outline: &Outline) {
    match outline {
        Outline::Segment(from, to) => canvas.line(frame.at(*from), frame.at(*to), Pen::new(WALL, 4.0)),
        Outline::Circle(at, radius) => {
            canvas.disc(frame.at(*at), (radius * frame.scale).max(2.5), WALL, Pen::new(WALL, 1.0));
        }
        Outline::Polygon(corners) => {
            let corners: Vec<_> = corners.iter().map(|corner| frame.at(*corner)).collect();
            canvas.polygon(&corners, WALL, Pen::new(WALL, 1.0));
        }
    }
}

fn draw_ring(canvas: &mut Canvas, frame: &Frame, ring: &RingShot, recording: &Recording) {
    let pen = Pen::new(RING, 1.3).dash(5.0, 4.0);
    canvas.disc(frame.at(ring.centre), ring.radius * frame.scale, "#ffffff", pen);
    for place in &ring.places {
        canvas.disc(frame.at(*place), 4.0, FIELD, Pen::new(RING, 1.3));
    }
    for (at, radius, mode) in &ring.bodies {
        let pen = Pen::new(colour_of(recording, *mode), 1.4);
        canvas.disc(frame.at(*at), (radius * frame.scale).max(3.0), tint(recording, *mode), pen);
    }
}

/// The way of an agent, in pieces of one mode each.
fn way(canvas: &mut Canvas, frame: &Frame, track: &Track, recording: &Recording, many: bool) {
    let (width, opacity) = if many { (1.0, 0.45) } else { (2.0, 0.8) };
    let mut from = 0;
    while from < track.samples.len() {
        let mode = track.samples[from].mode;
        let length = track.samples[from..].iter().take_while(|sample| sample.mode == mode).count();
        // With the first sample of the next piece, so that there is no gap.
        let to = (from + length + 1).min(track.samples.len());
        let pen = Pen::new(colour_of(recording, mode), width).opacity(opacity);
        canvas.polyline(&thinned(frame, &track.samples[from..to]), pen);
        from += length;
    }
    if let Some(first) = track.samples.first().filter(|_| !many) {
        canvas.disc(frame.at(first.at), 2.5, GROUND, Pen::new(colour_of(recording, first.mode), 1.2));
    }
}

/// The samples as points that are two pixels apart at least; the last one is always there.
fn thinned(frame: &Frame, samples: &[Sample]) -> Vec<Dot> {
    let mut dots: Vec<Dot> = Vec::new();
    for (at, sample) in samples.iter().enumerate() {
        let dot = frame.at(sample.at);
        let far = dots.last().is_none_or(|last| (last.0 - dot.0).abs().max((last.1 - dot.1).abs()) >= 2.0);
        if far || at + 1 == samples.len() {
            dots.push(dot);
        }
    }
    dots
}

/// An agent at the end: filled, with a line to where it looks.
fn body(canvas: &mut Canvas, frame: &Frame, track: &Track, recording: &Recording, end: f64) {
    let Some(last) = track.samples.last().filter(|last| last.time >= end - 1e-6) else {
        return gone(canvas, frame, track);
    };
    let (at, radius) = (frame.at(last.at), (track.radius * frame.scale).max(1.6));
    let edge = Pen::new("#ffffff", if radius > 3.0 { 1.2 } else { 0.0 });
    canvas.disc(at, radius, colour_of(recording, last.mode), edge);
    if radius > 3.0 {
        let nose = frame.at(last.at + last.facing * (radius / frame.scale));
        canvas.line(at, nose, Pen::new("#ffffff", 1.6));
    }
}

/// Where an agent was removed.
fn gone(canvas: &mut Canvas, frame: &Frame, track: &Track) {
    if let Some(last) = track.samples.last() {
        cross_at(canvas, frame.at(last.at), INK);
    }
}

/// The way of an actor, thick and dark, with the time beside it; broken where it was not there or leapt.
fn actor_way(canvas: &mut Canvas, frame: &Frame, track: &Track, every: f64) {
    let pen = Pen::new(INK, 2.4);
    let mut piece: Vec<Sample> = Vec::new();
    for sample in &track.samples {
        let leapt = piece.last().is_some_and(|last| {
            let most =
                last.facing.length().max(sample.facing.length()) as f64 * (sample.time - last.time) + 0.5;
            f64::from(last.at.distance(sample.at)) > most
        });
        if leapt || !sample.present {
            canvas.polyline(&thinned(frame, &piece), pen);
            piece.clear();
        }
        if sample.present {
            piece.push(*sample);
        }
    }
    canvas.polyline(&thinned(frame, &piece), pen);
    marks(canvas, frame, track, every);
}

/// Time marks along the way of an actor that moves.
fn marks(canvas: &mut Canvas, frame: &Frame, track: &Track, every: f64) {
    let mut next = 0.0;
    // The body at the end takes its place first.
    let mut taken: Vec<Dot> = track.samples.last().map(|last| frame.at(last.at)).into_iter().collect();
    for sample in track.samples.iter().filter(|sample| sample.present) {
        if sample.time + 1e-6 < next {
            continue;
        }
        let at = frame.at(sample.at);
        let clear = taken.iter().all(|other| (other.0 - at.0).abs().max((other.1 - at.1).abs()) > 26.0);
        if clear && sample.facing.length() > 0.0 && !frame.side {
            canvas.disc(at, 3.2, GROUND, Pen::new(INK, 1.4));
            let look = Type { size: 11.0, colour: INK, bold: false };
            canvas.text((at.0 + 6.0, at.1 - 5.0), &format!("{next:.0} s"), look);
            taken.push(at);
        }
        next += every;
    }
}

/// The distance of time marks in seconds: some five to ten of them.
fn time_step(seconds: f64) -> f64 {
    [1.0, 2.0, 5.0, 10.0, 30.0, 60.0].into_iter().find(|step| seconds / step <= 10.0).unwrap_or(300.0)
}

fn actor_body(canvas: &mut Canvas, frame: &Frame, track: &Track, end: f64) {
    let Some(last) = track.samples.last().filter(|last| last.time >= end - 1e-6 && last.present) else {
        return gone(canvas, frame, track);
    };
    let radius = (track.radius * frame.scale).max(4.0);
    canvas.disc(frame.at(last.at), radius + 2.5, "none", Pen::new(INK, 1.4));
    canvas.disc(frame.at(last.at), radius, INK, Pen::new("#ffffff", 1.2));
}

/// Where a target was seen last.
fn cross(canvas: &mut Canvas, frame: &Frame, (time, at): (f64, Vec3)) {
    let (x, y) = frame.at(at);
    cross_at(canvas, (x, y), MODES[4].1);
    let look = Type { size: 11.0, colour: MODES[4].1, bold: true };
    canvas.text((x - 88.0, y + 22.0), &format!("last seen, {time:.1} s"), look);
}

fn cross_at(canvas: &mut Canvas, (x, y): Dot, colour: &str) {
    for pen in [Pen::new(GROUND, 5.0), Pen::new(colour, 2.2)] {
        canvas.line((x - 5.0, y - 5.0), (x + 5.0, y + 5.0), pen);
        canvas.line((x - 5.0, y + 5.0), (x + 5.0, y - 5.0), pen);
    }
}

/// The scale, under all else.
fn scale(canvas: &mut Canvas, frame: &Frame, foot: f32) {
    let step = grid_step(frame);
    let (x, y) = (frame.corner.0, foot + 14.0);
    let pen = Pen::new(FAINT, 1.4);
    canvas.line((x, y), (x + step * frame.scale, y), pen);
    for end in [x, x + step * frame.scale] {
        canvas.line((end, y - 3.5), (end, y + 3.5), pen);
    }
    let look = Type { size: 11.0, colour: FAINT, bold: false };
    canvas.text((x + step * frame.scale + 8.0, y + 4.0), &format!("{step:.0} m"), look);
}

fn legend(canvas: &mut Canvas, frame: &Frame, recording: &Recording, run: &Run) {
    let x = frame.corner.0 + frame.pixels().0 + 20.0;
    let mut y = HEAD + 12.0;
    let look = Type { size: 12.5, colour: INK, bold: false };
    let mut row = |canvas: &mut Canvas, text: &str, draw: &dyn Fn(&mut Canvas, Dot)| {
        draw(canvas, (x + 12.0, y));
        canvas.text((x + 32.0, y + 4.0), text, look);
        y += 23.0;
    };
    for (at, mode) in in_order(&recording.modes) {
        let colour = colour_of(recording, at);
        row(canvas, mode, &|canvas, (x, y)| {
            canvas.line((x - 11.0, y), (x + 11.0, y), Pen::new(colour, 2.4));
            canvas.disc((x, y), 4.5, colour, Pen::new("#ffffff", 1.0));
        });
    }
    for name in actor_names(recording) {
        row(canvas, &name, &|canvas, (x, y)| {
            canvas.line((x - 11.0, y), (x + 11.0, y), Pen::new(INK, 2.4));
            canvas.disc((x, y), 4.5, INK, Pen::new("#ffffff", 1.0));
        });
    }
    if !run.scenario().outlines.is_empty() {
        row(canvas, "wall", &|canvas, (x, y)| canvas.line((x - 9.0, y), (x + 9.0, y), Pen::new(WALL, 4.0)));
    }
    if let Some(ring) = recording.ring.as_ref().filter(|_| recording.agents.len() <= MANY) {
        row(canvas, &format!("ring and places at {:.1} s", ring.time), &|canvas, (x, y)| {
            canvas.disc((x, y), 7.0, "#ffffff", Pen::new(RING, 1.3).dash(3.0, 2.5));
        });
    }
    let facts = [
        match recording.agents.len() {
            1 => "1 agent".to_owned(),
            count => format!("{count} agents"),
        },
        format!("{:.0} s, seed {}", run.now(), run.scenario().seed),
    ];
    for (at, fact) in facts.iter().enumerate() {
        let place = (x, y + 12.0 + at as f32 * 18.0);
        canvas.text(place, fact, Type { size: 11.5, colour: FAINT, ..look });
    }
}

/// The names of actors for the legend; of many only how many.
fn actor_names(recording: &Recording) -> Vec<String> {
    match recording.actors.len() {
        0..=3 => recording.actors.iter().map(|actor| actor.name.clone()).collect(),
        many => vec![format!("{many} actors")],
    }
}

/// The modes with a name: known ones first, in the order of a hunt.
fn in_order(modes: &[String]) -> Vec<(usize, &String)> {
    let rank = |mode: &String| MODES.iter().position(|known| known.0 == mode).unwrap_or(MODES.len());
    let mut all: Vec<_> = modes.iter().enumerate().filter(|(_, mode)| !mode.is_empty()).collect();
    all.sort_by_key(|(at, mode)| (rank(mode), *at));
    all
}

fn colour_of(recording: &Recording, mode: usize) -> &'static str {
    let Some(name) = recording.modes.get(mode).filter(|name| !name.is_empty()) else { return MODES[0].1 };
    if let Some(known) = MODES.iter().find(|known| known.0 == name) {
        return known.1;
    }
    let others = recording.modes[..mode].iter().filter(|name| MODES.iter().all(|known| known.0 != *name));
    OTHERS[others.filter(|name| !name.is_empty()).count() % OTHERS.len()]
}

/// A light shade of a mode's colour, for bodies in passing.
fn tint(recording: &Recording, mode: usize) -> &'static str {
    match colour_of(recording, mode) {
        "#2f7ed8" => "#d3e5f9",
        "#e08e0b" => "#fae8cb",
        "#d1353a" => "#f7d7d8",
        "#8e57c9" => "#e8dcf5",
        _ => "#e4e7ec",
    }
}
