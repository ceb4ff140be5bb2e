//! The rings of squads: who asks for a place, and the way to it.

use super::World;
use crate::math::Vec3;
use crate::squad::{Member, Place, Ring, walk_to_place};
use crate::steer::{Class, Me, Wish, combine_heading};
use crate::tree::{Anchor, Intent, Rule};

impl World {
    /// Lets every ring go on, with those members whose trees ask for a place.
    pub(super) fn form_rings(&mut self, dt: f32) {
        let mut members = std::mem::take(&mut self.helm.members);
        let scene = Self::part(&mut self.scene);
        for squad in &mut scene.squads {
            members.clear();
            for index in squad.members.clone() {
                if let Some(wish) = self.minds[index].intent.ring {
                    if let Some(rules) = wish.rules {
                        squad.ring.rules = rules;
                    }
                    members.push(Member {
                        key: scene.bodies.key[index],
                        position: scene.bodies.position[index],
                        radius: scene.bodies.radius[index],
                        ring: wish.radius,
                        close_in: wish.close_in,
                        hold: wish.hold,
                        direct: wish.direct,
                    });
                }
            }
            if members.is_empty() && squad.ring.places().is_empty() {
                continue;
            }
            let (centre, velocity) = match squad.knowledge.target() {
                // What is out of sight is believed to stand where it was lost.
                Some(track) if track.lost_at.is_some() => (track.position, Vec3::ZERO),
                Some(track) => (track.position, track.velocity),
                None => (squad.ring.centre(), Vec3::ZERO),
            };
            let widest = members.iter().map(|member| member.radius).fold(0.0, f32::max);
            let ground = &scene.ground;
            let walkable = |point: Vec3| ground.nearest(point, widest, 2.0);
            squad.ring.update(&members, centre, velocity, dt, &walkable);
        }
        self.helm.members = members;
    }

    pub(in crate::world) fn own_place(&self, index: usize) -> (&Ring, Option<&Place>) {
        let ring = &self.scene.squads[self.scene.agents[index].squad as usize].ring;
        (ring, ring.place_of(self.scene.bodies.key[index]))
    }
    pub(super) fn place_rule<'a>(&self, intent: &'a Intent) -> Option<&'a Rule> {
        intent.rules().iter().find(|rule| rule.anchor == Anchor::Place)
    }

    /// On the way to a place of the ring: round its middle, with the flock, and with the ring as it moves.
    pub(super) fn to_place(&self, index: usize, me: &Me, wishes: &[Wish], dt: f32) -> Vec3 {
        let (ring, place) = self.own_place(index);
        let bias = wishes
            .iter()
            .filter(|wish| wish.class == Class::Bias)
            .map(|wish| wish.velocity * wish.weight)
            .sum();
        if let Some(own) = self.along_way(index, me, dt) {
            return combine_heading(own, bias, ring.rules.flock_share, me.max_speed);
        }
        place.map_or(Vec3::ZERO, |place| walk_to_place(me, ring, place, bias, dt))
    }
}
