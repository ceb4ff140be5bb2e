//! The formations of squads: who walks in one, and where to.

use super::World;
use super::rings::believed;
use crate::math::Vec3;
use crate::nav::{Navigation, PathStatus};
use crate::space::Bodies;
use crate::squad::{Advance, Ground, Member};
use crate::tree::{AgentFacts, Mind, SquadScene};
use std::cell::RefCell;

impl World {
    /// Lets every formation go on, with those members whose trees walk in one. Its numbers are those of the last of them.
    pub(super) fn form_up(&mut self, dt: f32) {
        let mut members = std::mem::take(&mut self.helm.formed);
        let corners = RefCell::new(std::mem::take(&mut self.helm.corners));
        let scene = Self::part(&mut self.scene);
        let (ground, now) = (&*scene.ground, scene.clock);
        let forming = self.helm.quiet.forming.iter().enumerate().filter(|(_, forming)| **forming);
        for at in forming.map(|(at, _)| at) {
            let squad = &mut scene.squads[at];
            take_members(&mut members, &scene.bodies, &self.minds, squad);
            if members.is_empty() && squad.formation.places().is_empty() {
                continue;
            }
            let widest = members.iter().map(|member| member.radius).fold(0.0, f32::max);
            let stand = |point| ground.nearest(point, widest, 2.0);
            let reaches = |from, to| is_beside(ground, from, to, widest, &mut corners.borrow_mut());
            squad.formation.update(
                &members,
                &Advance {
                    goal: believed(squad).0,
                    top_speed: slowest(&scene.agents, squad),
                    now,
                    dt,
                    navigation: ground,
                    ground: &Ground { stand: &stand, reaches: &reaches },
                },
            );
        }
        self.helm.corners = corners.into_inner();
        self.helm.formed = members;
    }
}

/// How much longer than straight a walk may be to a place that is still beside the middle, and not behind a wall from there.
const ROUND: f32 = 1.5;

/// Whether one can walk from the middle of a formation to a place without going far round.
fn is_beside(ground: &dyn Navigation, from: Vec3, to: Vec3, radius: f32, corners: &mut Vec<Vec3>) -> bool {
    if ground.straight(from, to, radius) {
        return true;
    }
    if !ground.leads() {
        return false;
    }
    let whole = ground.path(from, to, radius, corners) == PathStatus::Complete;
    let legs = corners.iter().scan(from, |at, corner| Some(std::mem::replace(at, *corner).distance(*corner)));
    whole && legs.sum::<f32>() <= ROUND * from.distance(to)
}

/// Takes in those members of a squad who walk in a formation.
fn take_members(members: &mut Vec<Member>, bodies: &Bodies, minds: &[Box<Mind>], squad: &mut SquadScene) {
    members.clear();
    for index in squad.members.clone() {
        let Some(rules) = minds[index].intent.ring.and_then(|wish| wish.formation) else { continue };
        squad.formation.rules = rules;
        let (key, position, radius) = (bodies.key[index], bodies.position[index], bodies.radius[index]);
        members.push(Member { key, position, radius, ..Member::default() });
    }
}

/// The top speed of the slowest member, m/s.
fn slowest(agents: &[AgentFacts], squad: &SquadScene) -> f32 {
    let speeds = agents[squad.members.clone()].iter().map(|agent| agent.limits.max_speed);
    let slowest = speeds.fold(f32::INFINITY, f32::min);
    if slowest.is_finite() { slowest } else { 0.0 }
}
