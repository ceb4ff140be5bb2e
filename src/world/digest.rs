//! One number for all that a world is.

use super::World;
use crate::blackboard::{Board, Value};
use crate::entity::AgentId;
use crate::hash;
use crate::math::Vec3;
use crate::tree::{Plain, PlainKey, Requests, Symbol};

/// A hash over 64-bit words.
struct Sum(u64);

impl Sum {
    fn word(&mut self, word: u64) {
        self.0 = hash::eat(self.0, word.to_le_bytes());
    }
    fn vec3(&mut self, v: Vec3) {
        self.word(u64::from(v.x.to_bits()) | u64::from(v.y.to_bits()) << 32);
        self.word(u64::from(v.z.to_bits()));
    }
    fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        text.bytes().for_each(|byte| self.word(u64::from(byte)));
    }
    fn plain(&mut self, value: &Plain) {
        match value {
            Plain::Nothing => self.word(0),
            Plain::Bool(value) => self.key(&PlainKey::Bool(*value)),
            Plain::Number(number) => self.key(&PlainKey::Number(*number)),
            Plain::Text(text) => {
                self.word(3);
                self.text(text);
            }
            Plain::Entity(entity) => self.key(&PlainKey::Entity(entity.pack())),
            Plain::Vec3(v) => {
                self.word(5);
                self.vec3(*v);
            }
            Plain::List(list) => {
                self.word(6 + list.len() as u64 * 8);
                list.iter().for_each(|value| self.plain(value));
            }
            Plain::Map(map) => {
                self.word(7 + map.len() as u64 * 8);
                for (key, value) in map {
                    self.key(key);
                    self.plain(value);
                }
            }
        }
    }
    fn key(&mut self, key: &PlainKey) {
        let (kind, word) = match key {
            PlainKey::Bool(value) => (1, u64::from(*value)),
            PlainKey::Number(number) => (2, number.get().to_bits()),
            PlainKey::Text(text) => {
                self.word(3);
                return self.text(text);
            }
            PlainKey::Entity(entity) => (4, *entity),
        };
        self.word(kind);
        self.word(word);
    }
    fn board(&mut self, board: &Board) {
        board.values().iter().for_each(|value| self.value(value));
    }
    fn value(&mut self, value: &Value) {
        self.word(value.value_type().map_or(0, |ty| ty as u64 + 1));
        match value {
            Value::Nothing => {}
            Value::Bool(value) => self.word(u64::from(*value)),
            Value::Integer(value) => self.word(*value as u64),
            Value::Number(value) => self.word(value.to_bits()),
            Value::String(text) => self.text(text),
            Value::Vec3(v) => self.vec3(*v),
            Value::Entity(entity) => self.word(entity.pack()),
            Value::List(list) => list.iter().for_each(|v| self.vec3(*v)),
        }
    }
    fn requests(&mut self, requests: &Requests) {
        for (number, answer) in requests.open() {
            self.word(number);
            self.word(answer.map_or(0, |answer| 1 + u64::from(answer.success)));
            answer.into_iter().for_each(|answer| self.value(&answer.value));
        }
    }
}

impl World {
    /// A number made from the clock, all bodies, boards, dice, running trees and what squads know: equal worlds have
    /// equal digests, and two that differ in anything have the same one by a chance of 2⁻⁶⁴ only.
    pub fn digest(&self) -> u64 {
        let mut sum = Sum(hash::START);
        let scene = &self.scene;
        sum.word(scene.clock);
        for index in 0..scene.bodies.len() {
            sum.word(u64::from(scene.bodies.key[index]));
            sum.vec3(scene.bodies.position[index]);
            sum.vec3(scene.bodies.velocity[index]);
            sum.vec3(scene.bodies.facing[index]);
            sum.word(u64::from(scene.bodies.present[index]));
        }
        for facts in &scene.agents {
            sum.word(u64::from(facts.avoid) | u64::from(facts.collide) << 1);
            sum.word(u64::from(facts.priority.to_bits()));
        }
        for mind in &self.minds {
            sum.board(&mind.board);
            sum.word(mind.dice.state());
            mind.memory.words().iter().for_each(|word| sum.word(*word));
            for keep in &mind.keeps {
                sum.word(u64::from(keep.node));
                sum.plain(&keep.value);
            }
            for mute in &mind.mutes {
                sum.word(u64::from(mute.node) | u64::from(mute.part) << 16 | u64::from(mute.faults) << 32);
                sum.word(mute.until);
            }
            sum.text(scene.symbols.name(mind.intent.mode));
            sum.word(u64::from(mind.route.segment) | u64::from(mind.route.legs) << 32);
            mind.way.corners().iter().for_each(|corner| sum.vec3(*corner));
            mind.stance.words().into_iter().for_each(|word| sum.vec3(word));
            sum.word(u64::from(mind.arrived));
            sum.requests(&mind.requests);
        }
        for (word, v) in self.helm.coasts.words() {
            sum.word(word);
            sum.vec3(v);
        }
        for desk in &self.desks {
            for token in desk.leases.tokens() {
                token.holders().for_each(|key| sum.word(u64::from(key)));
                token.queue().for_each(|key| sum.word(u64::from(key)));
            }
        }
        self.sum_offers(&mut sum);
        self.sum_senses(&mut sum);
        for squad in &scene.squads {
            sum.board(&squad.board);
            for track in squad.knowledge.tracks() {
                sum.word(track.target.pack());
                sum.vec3(track.position);
                sum.word(track.seen_at);
                sum.word(track.lost_at.map_or(0, |at| at + 1));
                sum.word(track.how as u64 | u64::from(track.hops) << 8);
            }
            squad.belief.words().for_each(|word| sum.word(word));
            sum.word(squad.messages.sum());
            for place in squad.ring.places().iter().chain(squad.formation.places()) {
                sum.vec3(place.position);
            }
            sum.vec3(squad.formation.centre());
            sum.vec3(squad.formation.heading());
        }
        scene.teams.iter().for_each(|board| sum.board(board));
        sum.board(&scene.board);
        sum.0
    }

    /// How well bodies are seen, who is aware of whom, and how factions regard each other, by names.
    fn sum_senses(&self, sum: &mut Sum) {
        let bodies = &self.scene.bodies;
        for index in 0..bodies.len() {
            sum.word(
                u64::from(bodies.light[index].to_bits()) | u64::from(bodies.eyes[index].to_bits()) << 32,
            );
        }
        for pair in &self.eyes.seen {
            sum.word(u64::from(pair.agent) | u64::from(pair.awareness.to_bits()) << 32);
            sum.word(bodies.index_of(pair.target).map_or(0, |at| u64::from(bodies.tag[at])));
            sum.word(
                u64::from(pair.rate.to_bits()) | u64::from(pair.seen) << 32 | u64::from(pair.sure) << 33,
            );
        }
        let name = |number: u16| self.cast.factions.get(usize::from(number)).map_or("", String::as_str);
        let mut attitudes = self.cast.attitudes.all().iter().collect::<Vec<_>>();
        attitudes.sort_by_key(|(of, to, _)| (name(*of), name(*to)));
        for (of, to, attitude) in attitudes {
            [name(*of), name(*to), attitude.name()].iter().for_each(|text| sum.text(text));
        }
    }

    /// The tokens that bodies offer, in the order of bodies; who holds them by what he is called in every run.
    fn sum_offers(&self, sum: &mut Sum) {
        let bodies = &self.scene.bodies;
        let tag = |agent: AgentId| bodies.index_of(agent.entity()).map_or(0, |at| u64::from(bodies.tag[at]));
        for (body, id) in bodies.id.iter().enumerate() {
            for token in self.scene.offers.tokens(*id) {
                sum.word(u64::from(bodies.tag[body]));
                sum.text(self.scene.symbols.name(Symbol(token.name())));
                sum.word(token.capacity() as u64);
                token.holders().for_each(|agent| sum.word(tag(agent)));
                sum.word(u64::MAX);
                token.queue().for_each(|agent| sum.word(tag(agent)));
            }
        }
    }
}
