//! What a squad knows of its targets: where each was last perceived, when, by whom and how.
//!
//! Trees, scripts and steering read targets here and nowhere else. [`Knowledge::perceive`] is called for every
//! first-hand perception of a tick, [`Knowledge::hear`] for news from others, and [`Knowledge::settle`] once
//! after them; it answers what was gained, lost and forgotten.

use crate::entity::Entity;
use crate::math::{Vec3, room};
use serde::{Deserialize, Serialize};

/// How a squad came to know of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Somebody sees it.
    Sight,
    /// It is so near that nobody has to look.
    Near,
    /// It was heard.
    Noise,
    /// Another squad said so.
    Told,
}

impl How {
    /// Its name in Lua and in events.
    pub fn name(self) -> &'static str {
        match self {
            How::Sight => "sight",
            How::Near => "near",
            How::Noise => "noise",
            How::Told => "told",
        }
    }
    /// Whether it keeps the target in view, rather than being news of a moment.
    fn is_contact(self) -> bool {
        matches!(self, How::Sight | How::Near)
    }
}

/// One target as a squad remembers it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// Who it is.
    pub target: Entity,
    /// Where it was perceived last.
    #[serde(with = "crate::math::any_number")]
    pub position: Vec3,
    /// How it moved then, in m/s.
    #[serde(with = "crate::math::any_number")]
    pub velocity: Vec3,
    /// When it was perceived last (ns).
    pub seen_at: u64,
    /// The first tick in which nobody perceived it any more (ns); `None` while somebody does.
    pub lost_at: Option<u64>,
    /// Who perceived it last.
    pub by: Entity,
    /// How it was perceived last.
    pub how: How,
    /// Whether the squad still counts it as in view: perceived, or lost for less than the grace time.
    pub in_view: bool,
    /// Whether it is news that nobody has been told of yet.
    news: bool,
}

/// How long a squad's knowledge lasts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct KnowledgeRules {
    /// How long a break in sight goes unnoticed, in ns. Default 0.3 s.
    pub grace: u64,
    /// How long after the break a target is forgotten, in ns. Default 5 s.
    pub forget: u64,
}

impl Default for KnowledgeRules {
    fn default() -> Self {
        Self { grace: 300_000_000, forget: 5_000_000_000 }
    }
}

/// A change of what a squad knows; each is told once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A target came into view, or was heard of.
    Gained,
    /// A target is out of view for longer than the grace time.
    Lost,
    /// A target was out of view for so long that nothing is known of it any more, or it is gone.
    Forgotten,
}

/// A perception by a member, or news from outside.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Who was perceived.
    pub target: Entity,
    /// Where.
    #[serde(with = "crate::math::any_number")]
    pub position: Vec3,
    /// How it moved, in m/s.
    #[serde(with = "crate::math::any_number")]
    pub velocity: Vec3,
    /// By whom.
    pub by: Entity,
    /// How.
    pub how: How,
    /// When (ns).
    pub at: u64,
}

/// What a squad knows of all its targets, and which it is after.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    tracks: Vec<Track>,
    target: Option<Entity>,
    /// How often it changed whom the squad is after, what is in view, or since when not.
    changes: u64,
    standing: Option<(Entity, bool, Option<u64>)>,
}

impl Knowledge {
    /// The bytes that it holds outside of itself.
    pub(crate) fn bytes(&self) -> usize {
        room(&self.tracks)
    }

    /// Takes in what a member perceives now. The first report of a tick about a target stands.
    pub fn perceive(&mut self, report: &Report) {
        let Some(track) = self.tracks.iter_mut().find(|track| track.target == report.target) else {
            self.insert(report);
            return;
        };
        if track.seen_at == report.at && track.lost_at.is_none() {
            return;
        }
        renew(track, report);
    }

    /// Takes in news from outside: it counts when it is newer than what is known.
    pub fn hear(&mut self, report: &Report) {
        match self.tracks.iter_mut().find(|track| track.target == report.target) {
            Some(track) if track.lost_at.is_some() && track.seen_at < report.at => renew(track, report),
            Some(_) => {}
            None => self.insert(report),
        }
    }

    fn insert(&mut self, report: &Report) {
        let at = self.tracks.partition_point(|track| track.target < report.target);
        let track = Track {
            target: report.target,
            position: report.position,
            velocity: report.velocity,
            seen_at: report.at,
            lost_at: (!report.how.is_contact()).then_some(report.at),
            by: report.by,
            how: report.how,
            in_view: false,
            news: true,
        };
        self.tracks.insert(at, track);
    }

    /// Tells of targets that were heard of since the last tick closed, each once.
    pub fn announce(&mut self, mut tell: impl FnMut(&Track, Turn)) {
        for track in self.tracks.iter_mut().filter(|track| track.news) {
            track.news = false;
            tell(track, Turn::Gained);
        }
    }

    /// Closes a tick: what was not perceived is out of sight, for the grace time unnoticed; what was out of
    /// sight for long is forgotten, and so is what is `gone`. Tells each change once, and chooses the target.
    pub fn settle(
        &mut self,
        now: u64,
        rules: KnowledgeRules,
        gone: impl Fn(Entity) -> bool,
        mut tell: impl FnMut(&Track, Turn),
    ) {
        self.tracks.retain_mut(|track| {
            if gone(track.target) {
                tell(track, Turn::Forgotten);
                return false;
            }
            age(track, now, rules, &mut tell)
        });
    }

    /// Chooses whom to be after: who is chosen already, as long as he is in view or nobody else is; else the
    /// one in view, else the one perceived last, that is nearest to `from`.
    pub fn choose(&mut self, from: Vec3) {
        let current = self.target();
        let in_view = current.is_some_and(|track| track.in_view);
        let anyone_in_view = in_view || self.tracks.iter().any(|track| track.in_view);
        if !in_view && (current.is_none() || anyone_in_view) {
            self.target = self.nearest(from, anyone_in_view);
        }
        let standing = self.target().map(|track| (track.target, track.in_view, track.lost_at));
        if standing != self.standing {
            self.standing = standing;
            self.changes += 1;
        }
    }

    fn nearest(&self, from: Vec3, in_view: bool) -> Option<Entity> {
        let distance = |track: &Track| track.position.distance_squared(from);
        let candidates = self.tracks.iter().filter(|track| track.in_view == in_view);
        let nearest =
            candidates.min_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.target.cmp(&b.target)));
        nearest.map(|track| track.target)
    }

    /// How often it changed whom the squad is after, what is in view, or since when it is not.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether it is what can come to be known: each target once, in order.
    pub(crate) fn is_sound(&self) -> bool {
        let sound = |time: u64| time <= crate::math::MOST_COUNTED;
        self.tracks.is_sorted_by(|a, b| a.target < b.target)
            && self.tracks.iter().all(|track| sound(track.seen_at) && track.lost_at.is_none_or(sound))
            && sound(self.changes)
    }

    /// What is known of one target.
    pub fn track(&self, target: Entity) -> Option<&Track> {
        self.tracks.iter().find(|track| track.target == target)
    }

    /// What is known of whom the squad is after.
    pub fn target(&self) -> Option<&Track> {
        self.target.and_then(|target| self.track(target))
    }

    /// All that is known, in the order of ids.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }
}

fn renew(track: &mut Track, report: &Report) {
    track.position = report.position;
    track.velocity = report.velocity;
    track.seen_at = report.at;
    track.by = report.by;
    track.how = report.how;
    track.lost_at = (!report.how.is_contact()).then_some(report.at);
}

/// Says whether the track is kept.
fn age(track: &mut Track, now: u64, rules: KnowledgeRules, tell: &mut impl FnMut(&Track, Turn)) -> bool {
    if track.lost_at.is_none() && track.seen_at < now {
        track.lost_at = Some(now);
    }
    let out = track.lost_at.map(|lost_at| now.saturating_sub(lost_at));
    let comes_into_view = out.is_none() && !track.in_view;
    track.in_view |= comes_into_view;
    if comes_into_view || track.news {
        track.news = false;
        tell(track, Turn::Gained);
    }
    if track.in_view && out.is_some_and(|out| out >= rules.grace) {
        track.in_view = false;
        tell(track, Turn::Lost);
    }
    if out.is_some_and(|out| out >= rules.forget) {
        tell(track, Turn::Forgotten);
        return false;
    }
    true
}
