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
    /// It has hit a member.
    Hit,
    /// Somebody sees it and is not sure as yet: see [`super::Awareness`].
    Glimpse,
}

impl How {
    /// Its name in Lua and in events.
    pub fn name(self) -> &'static str {
        match self {
            How::Sight => "sight",
            How::Near => "near",
            How::Noise => "noise",
            How::Told => "told",
            How::Hit => "hit",
            How::Glimpse => "glimpse",
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
    /// Through how many mouths the news went: 0 for what a member perceived itself.
    pub hops: u8,
    /// How sure the surest member is of seeing it, 0 to 1; 0 while nobody does. See [`super::Awareness`].
    #[serde(with = "crate::math::any_number")]
    pub awareness: f32,
    /// How good a target it is, above 0: 1 for one in view and at hand, half of that 10 m off, and half again out of view.
    #[serde(with = "crate::math::any_number")]
    pub score: f32,
    /// Whether somebody has it in view who did not look in this tick.
    held: bool,
    /// Whether it is news that nobody has been told of yet.
    news: bool,
}

impl Track {
    /// From whom `who` of the squad knows of it: `"own"` eyes, a `"mate"`, a `"noise"` or a `"hit"`.
    pub fn source(&self, who: Entity) -> &'static str {
        match self.how {
            How::Noise => "noise",
            How::Hit => "hit",
            How::Told => "mate",
            _ if self.by == who => "own",
            _ => "mate",
        }
    }
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

/// When a squad turns from one target to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChoiceRules {
    /// By which part another must be better than the one that it is after, both in view. 0 or more; default 0.3.
    #[serde(with = "crate::math::any_number")]
    pub margin: f32,
    /// How long it stays with one that is in view, in ns. Default 2 s.
    pub hold: u64,
}

impl Default for ChoiceRules {
    fn default() -> Self {
        Self { margin: 0.3, hold: 2_000_000_000 }
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
    /// When (ns): for what was told, when it was perceived.
    pub at: u64,
    /// Through how many mouths it went; 0 at first hand.
    pub hops: u8,
}

/// What a squad knows of all its targets, and which it is after.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    tracks: Vec<Track>,
    target: Option<Entity>,
    /// Since when it is after that one (ns).
    chosen_at: u64,
    /// Whom to be after as long as anything is known of him, whatever the scores are.
    preferred: Option<Entity>,
    /// How often it changed whom the squad is after, what is in view, or since when not.
    changes: u64,
    standing: Option<(Entity, bool, Option<u64>)>,
}

impl Knowledge {
    /// The bytes that it holds outside of itself.
    pub(crate) fn bytes(&self) -> usize {
        room(&self.tracks)
    }

    /// Whether it knows of nobody, and has known that before.
    pub fn is_blank(&self) -> bool {
        self.tracks.is_empty() && self.target.is_none() && self.standing.is_none()
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

    /// Keeps a target that is in view and was not looked at in this tick: it is not lost, and not renewed.
    pub fn hold(&mut self, target: Entity) {
        if let Some(track) = self.tracks.iter_mut().find(|track| track.target == target) {
            track.held = true;
        }
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
            hops: report.hops,
            awareness: 0.0,
            score: 0.0,
            held: false,
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

    /// Chooses whom to be after: whom it [prefers](Knowledge::prefer), if anything is known of him; else who is chosen
    /// already, as long as he is in view and nobody is clearly better, or nobody else is in view; else the best by
    /// [`Track::score`].
    pub fn choose(&mut self, from: Vec3, now: u64, rules: ChoiceRules) {
        self.tracks.iter_mut().for_each(|track| track.score = score(track, from));
        let preferred = self.preferred.filter(|preferred| self.track(*preferred).is_some());
        let chosen = preferred.or_else(|| self.best(now, rules));
        if chosen != self.target {
            (self.target, self.chosen_at) = (chosen, now);
        }
        let standing = self.target().map(|track| (track.target, track.in_view, track.lost_at));
        if standing != self.standing {
            self.standing = standing;
            self.changes += 1;
        }
    }

    fn best(&self, now: u64, rules: ChoiceRules) -> Option<Entity> {
        let anyone_in_view = self.tracks.iter().any(|track| track.in_view);
        let candidates = self.tracks.iter().filter(|track| track.in_view == anyone_in_view);
        let best = candidates.max_by(|a, b| a.score.total_cmp(&b.score).then(b.target.cmp(&a.target)))?;
        let Some(current) = self.target() else { return Some(best.target) };
        let stays = match (current.in_view, anyone_in_view) {
            (true, _) => {
                let held = now.saturating_sub(self.chosen_at) < rules.hold;
                held || best.score <= current.score * (1.0 + rules.margin.max(0.0))
            }
            (false, anyone_in_view) => !anyone_in_view,
        };
        Some(if stays { current.target } else { best.target })
    }

    /// Whom to be after from now on, as long as anything is known of him; `None` to go by scores again.
    pub fn prefer(&mut self, target: Option<Entity>) {
        self.preferred = target;
    }

    /// Whom the squad was told to be after.
    pub fn preferred(&self) -> Option<Entity> {
        self.preferred
    }

    /// Notes how sure members are of what they see: at the start of a tick's looks nobody is.
    pub(crate) fn note_awareness(&mut self, target: Entity, awareness: f32) {
        if let Some(track) = self.tracks.iter_mut().find(|track| track.target == target) {
            track.awareness = track.awareness.max(awareness);
        }
    }

    pub(crate) fn clear_awareness(&mut self) {
        self.tracks.iter_mut().for_each(|track| track.awareness = 0.0);
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
            && self.tracks.iter().all(|track| track.position.is_finite() && track.velocity.is_finite())
            && sound(self.changes)
            && sound(self.chosen_at)
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

/// How good a target is: nearer ones are better, and so are those in view.
fn score(track: &Track, from: Vec3) -> f32 {
    let near = 1.0 / (1.0 + track.position.distance(from) / 10.0);
    if track.in_view { near } else { near * 0.5 }
}

fn renew(track: &mut Track, report: &Report) {
    track.position = report.position;
    track.velocity = report.velocity;
    track.seen_at = report.at;
    track.by = report.by;
    track.how = report.how;
    track.hops = report.hops;
    track.lost_at = (!report.how.is_contact()).then_some(report.at);
}

/// Says whether the track is kept.
fn age(track: &mut Track, now: u64, rules: KnowledgeRules, tell: &mut impl FnMut(&Track, Turn)) -> bool {
    let held = std::mem::take(&mut track.held);
    if track.lost_at.is_none() && track.seen_at < now && !held {
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
