//! The rings of squads round their targets, and the walk to a place.

use super::World;
use crate::math::{Vec3, flat, room};
use crate::nav::{Navigation, PathStatus};
use crate::space::Bodies;
use crate::squad::{Ground, Hunter, Member, Place, Ring, Table, skirt, walk_to_place};
use crate::steer::{Class, Me, Wish, combine_heading};
use crate::tree::{Anchor, Mind, RingWish, Rule, Scene, SquadScene};
use crate::world::view::Agent;
use std::cell::{Cell, RefCell};

/// Buffers of the rings.
#[derive(Default)]
pub(super) struct Rings {
    members: Vec<Member>,
    /// The squads with a ring: whom they hunt (0 for nobody), how many of them, and their place among the squads. In this order.
    hunts: Vec<(u64, u32, u32)>,
    others: Vec<Hunter>,
    table: Table,
    corners: Vec<Vec3>,
}

impl Rings {
    /// The bytes that they hold outside of themselves.
    pub fn bytes(&self) -> usize {
        let lists = room(&self.members) + room(&self.hunts) + room(&self.others) + room(&self.corners);
        lists + self.table.bytes()
    }
}

impl World {
    /// Lets every ring go on, with those members whose trees ask for a place. Squads that hunt the same target share its angles;
    /// those with lower keys choose first where ground is scarce.
    pub(super) fn form_rings(&mut self, dt: f32) {
        let mut rings = std::mem::take(&mut self.helm.rings);
        let scene = Self::part(&mut self.scene);
        rings.hunts.clear();
        let forming = self.helm.quiet.forming.iter().enumerate().filter(|(_, forming)| **forming);
        for (at, squad) in forming.map(|(at, _)| (at, &scene.squads[at])) {
            let asks = |index: &usize| self.minds[*index].intent.ring.as_ref().is_some_and(on_ring);
            let asking = squad.members.clone().filter(asks).count() as u32;
            if asking > 0 || !squad.ring.places().is_empty() {
                let hunted = squad.knowledge.target().map_or(0, |track| track.target.pack());
                rings.hunts.push((hunted, asking, at as u32));
            }
        }
        rings.hunts.sort_unstable_by_key(|(hunted, _, at)| (*hunted, *at));
        let hunts = std::mem::take(&mut rings.hunts);
        for pack in hunts.chunk_by(|a, b| a.0 == b.0 && a.0 != 0) {
            rings.form(scene, &self.minds, pack, dt);
        }
        rings.hunts = hunts;
        self.helm.rings = rings;
    }
}

impl<'a> Agent<'a> {
    /// The ring of its squad, and its place on it or in the squad's formation.
    pub(in crate::world) fn own_place(&self) -> (&'a Ring, Option<&'a Place>) {
        let squad = self.squad();
        (&squad.ring, squad.place_of(self.view.scene.bodies.key[self.index]))
    }

    pub(super) fn place_rule(&self) -> Option<&'a Rule> {
        self.mind.intent.rules().iter().find(|rule| rule.anchor == Anchor::Place)
    }

    /// Whether it goes to a place that it can walk straight to: no wall is in its way, though one may be right behind the place.
    pub(super) fn has_clear_place(&self, me: &Me) -> bool {
        let (ring, Some(place)) = self.own_place() else { return false };
        !self.walls.all().is_empty()
            && self.place_rule().is_some()
            && skirt(me.position, place.position, ring.centre(), ring.inner()) == place.position
            && self.scene.ground.straight(me.position, place.position, 0.9 * me.radius)
    }

    /// On the way to a place of the ring: round its middle, with the flock, and with the ring as it moves.
    pub(super) fn walk_to_place(&self, me: &Me, wishes: &[Wish], dt: f32) -> Vec3 {
        let (ring, place) = self.own_place();
        let bias = wishes
            .iter()
            .filter(|wish| wish.class == Class::Bias)
            .map(|wish| wish.velocity * wish.weight)
            .sum();
        if let Some(own) = self.along_way(me, dt) {
            return combine_heading(own, bias, ring.rules.flock_share, me.max_speed);
        }
        place.map_or(Vec3::ZERO, |place| walk_to_place(me, ring, place, bias, dt))
    }
}

impl Rings {
    /// Takes in those members of a squad who ask for a place.
    fn take_members(&mut self, bodies: &Bodies, minds: &[Box<Mind>], squad: &mut SquadScene) {
        self.members.clear();
        for index in squad.members.clone() {
            let Some(wish) = minds[index].intent.ring.filter(on_ring) else { continue };
            squad.ring.rules = wish.rules.unwrap_or(squad.ring.rules);
            let (key, radius) = (bodies.key[index], bodies.radius[index]);
            let astray = |place: &Place| {
                let way = &minds[index].way;
                way.is_short() && flat(way.goal() - place.position).length() <= radius
            };
            self.members.push(Member {
                key,
                position: bodies.position[index],
                radius,
                ring: wish.radius,
                close_in: wish.close_in,
                hold: wish.hold,
                direct: wish.direct,
                cut_off: squad.ring.place_of(key).is_some_and(astray),
            });
        }
    }

    /// Lets the rings of squads go on that hunt the same target.
    fn form(&mut self, scene: &mut Scene, minds: &[Box<Mind>], pack: &[(u64, u32, u32)], dt: f32) {
        let all: u32 = pack.iter().map(|(_, count, _)| count).sum();
        for (_, count, at) in pack {
            let squad = &mut scene.squads[*at as usize];
            self.take_members(&scene.bodies, minds, squad);
            let (centre, velocity) = believed(squad);
            squad.ring.prepare(&self.members, centre, velocity, dt, (all - count) as usize);
        }
        if pack.len() > 1 {
            self.deal_together(&mut scene.squads, pack);
        }
        for (_, _, at) in pack {
            self.list_others(scene, pack, *at);
            let widest = scene.bodies.radius[scene.squads[*at as usize].members.clone()]
                .iter()
                .copied()
                .fold(0.0, f32::max);
            let ring = &mut scene.squads[*at as usize].ring;
            let corners = RefCell::new(std::mem::take(&mut self.corners));
            let asked = Cell::new(0);
            let ground = &*scene.ground;
            let reaches = |from, to| {
                asked.set(asked.get() + 1);
                asked.get() <= MOST_ASKED && can_walk(ground, from, to, widest, &mut corners.borrow_mut())
            };
            let stand = |point: Vec3| ground.nearest(point, widest, 2.0);
            ring.finish(dt, &self.others, &Ground { stand: &stand, reaches: &reaches });
            self.corners = corners.into_inner();
        }
    }

    /// Deals the places of all rings of a pack when one of them is to be dealt and none was just before.
    fn deal_together(&mut self, squads: &mut [SquadScene], pack: &[(u64, u32, u32)]) {
        let rings = || pack.iter().map(|(_, _, at)| *at as usize);
        if !rings().any(|at| squads[at].ring.wants_deal()) || !rings().all(|at| squads[at].ring.may_deal()) {
            return;
        }
        self.table.clear();
        rings().for_each(|at| self.table.join(&squads[at].ring));
        self.table.deal();
        rings().for_each(|at| self.table.take(&mut squads[at].ring));
    }

    /// Lists the hunters of the other squads. Places of squads with lower keys are taken; of those with higher keys only the ones that
    /// need not slide.
    fn list_others(&mut self, scene: &Scene, pack: &[(u64, u32, u32)], own: u32) {
        self.others.clear();
        for at in pack.iter().map(|(_, _, at)| *at).filter(|at| *at != own) {
            let squad = &scene.squads[at as usize];
            let firm = |place: &Place| (at < own && !place.blocked).then_some(place.position);
            for index in squad.members.clone() {
                let Some(place) = squad.ring.place_of(scene.bodies.key[index]) else { continue };
                let place = firm(place).or_else(|| squad.ring.own_point(place));
                self.others.push(Hunter { position: scene.bodies.position[index], place });
            }
        }
    }
}

/// Whether it asks for a place on the ring, and walks in no formation.
fn on_ring(wish: &RingWish) -> bool {
    wish.formation.is_none()
}

/// How many ways a ring may ask for in a tick, where places slide on ground that is not all of one piece.
const MOST_ASKED: u32 = 64;

fn can_walk(ground: &dyn Navigation, from: Vec3, to: Vec3, radius: f32, corners: &mut Vec<Vec3>) -> bool {
    !ground.leads()
        || ground.straight(from, to, radius)
        || ground.path(from, to, radius, corners) == PathStatus::Complete
}

/// Where a squad believes that its target is, and how it moves.
pub(super) fn believed(squad: &SquadScene) -> (Vec3, Vec3) {
    match squad.knowledge.target() {
        // What is out of sight is believed to stand where it was lost.
        Some(track) if track.lost_at.is_some() => (track.position, Vec3::ZERO),
        Some(track) => (track.position, track.velocity),
        None => (squad.ring.centre(), Vec3::ZERO),
    }
}
