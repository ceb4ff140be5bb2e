//! What an agent wants, written by its tree and read by steering.

use crate::blackboard::KeyId;
use crate::entity::Entity;
use crate::error::{Error, ErrorKind, Result};
use crate::math::{Vec3, room};
use crate::squad::{FormationRules, RingRules};
use crate::steer::{BEHAVIOURS, Order};
use serde::{Deserialize, Serialize};

/// How many steering rules an agent can follow at once; further ones are left out with a problem.
pub const MAX_RULES: usize = 8;

/// A name that the world has numbered: of a mode, a command or a message. 0 is no name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Symbol(pub(crate) u16);

impl Symbol {
    /// No name.
    pub const NONE: Symbol = Symbol(0);

    /// The number.
    pub fn number(self) -> u16 {
        self.0
    }
}

/// A place that a parameter names, to be looked up whenever it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Aim {
    /// Where the squad believes its target to be.
    Target,
    /// The agent's place on the ring.
    Place,
    /// Where the agent was spawned.
    Home,
    /// The middle of the squad.
    Squad,
    /// The leader of the squad: its member with the lowest key that is there.
    Leader,
    /// A fixed point.
    Point(Vec3),
    /// The value of a key that holds a vec3 or an entity.
    Key(KeyId),
}

impl Aim {
    /// Those that are named by a word.
    pub const WORDS: [(&'static str, Aim); 5] = [
        ("target", Aim::Target),
        ("place", Aim::Place),
        ("home", Aim::Home),
        ("squad", Aim::Squad),
        ("leader", Aim::Leader),
    ];
}

/// What a rule's point follows between two thoughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Anchor {
    /// Nothing: the point stands as it was thought.
    Fixed,
    /// Where the squad believes its target to be.
    Target,
    /// The agent's place on the ring.
    Place,
    /// A body, as the agent knows it: where it is, how it moves, and where it looks.
    Body(Entity),
    /// Two bodies, as the agent knows them; nobody leaves the point of that one as it was thought.
    Pair(Entity, Entity),
    /// The flow field of that number, where the agent is.
    Field(u16),
}

/// A steering rule that an agent follows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Which of [`crate::steer::BEHAVIOURS`].
    pub behaviour: u16,
    /// How much it counts beside the others.
    #[serde(with = "crate::math::any_number")]
    pub weight: f32,
    /// What its point follows.
    pub anchor: Anchor,
    /// How far from an anchor its point is kept, on the agent's side of it, in metres.
    #[serde(with = "crate::math::any_number")]
    pub stand_off: f32,
    /// Its numbers.
    pub order: Order,
}

impl Rule {
    /// The rule of a steering behaviour by name, of weight 1, with the defaults of its numbers: what a node of a game's
    /// own makes once, points somewhere with [`Rule::to`], and follows with [`super::Cx::follow`] in each tick.
    ///
    /// # Errors
    /// A behaviour that is unknown, with a near one.
    ///
    /// ```
    /// use warband::{tree::Rule, vec3};
    /// let walk = Rule::named("arrive")?.to(vec3(3.0, 0.0, 4.0)).weighing(2.0);
    /// assert_eq!((walk.order.point, walk.weight), (vec3(3.0, 0.0, 4.0), 2.0));
    /// assert!(Rule::named("arive").is_err());
    /// # Ok::<(), warband::Error>(())
    /// ```
    pub fn named(behaviour: &str) -> Result<Self> {
        let number = BEHAVIOURS.iter().position(|known| known.name == behaviour).ok_or_else(|| {
            Error::new(ErrorKind::UnknownName, format!("unknown steering behaviour '{behaviour}'"))
                .near(behaviour, BEHAVIOURS.iter().map(|known| known.name))
        })?;
        let order = BEHAVIOURS[number].order(Vec3::ZERO);
        Ok(Self { behaviour: number as u16, weight: 1.0, anchor: Anchor::Fixed, stand_off: 0.0, order })
    }
    /// The same rule about this point, m; for `wander` the direction to go in.
    #[must_use]
    pub fn to(mut self, point: Vec3) -> Self {
        self.order.point = point;
        self
    }
    /// The same rule with this weight beside others, 0 or more.
    #[must_use]
    pub fn weighing(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }
}

/// How the rules of an agent become one velocity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Combine {
    /// By their weights.
    #[default]
    Weight,
    /// The first that wants something.
    Priority,
    /// The best course that obstacles and neighbours leave.
    Context,
}

/// What an agent asks of its squad's ring.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RingWish {
    /// The radius it begins with, in metres.
    #[serde(with = "crate::math::any_number")]
    pub radius: f32,
    /// Whether the ring closes in once it is set.
    pub close_in: bool,
    /// Whether it holds its radius for a siege.
    pub hold: bool,
    /// Whether it has left the ring for the target itself, and only keeps its place.
    pub direct: bool,
    /// The numbers of the ring, as the script has them; `None` leaves them as they are.
    pub rules: Option<RingRules>,
    /// The formation in which it walks in place of a ring.
    pub formation: Option<FormationRules>,
}

/// Where an agent wants to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Look {
    /// Where it goes.
    #[default]
    Ahead,
    /// At its squad's target.
    Target,
    /// At a point.
    At(#[serde(with = "crate::math::any_number")] Vec3),
}

/// What an agent wants: the rules it follows, the place it asks for, where it looks, how fast it may go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Intent {
    rules: Rules,
    /// How the rules become one.
    pub combine: Combine,
    /// What it asks of the ring.
    pub ring: Option<RingWish>,
    /// How fast the target can be that it searches for together with its mates, in m/s; `None` while it does not.
    #[serde(default, with = "crate::math::any_number")]
    pub search: Option<f32>,
    /// Where it looks.
    pub look: Look,
    /// How fast it may go, in m/s; its own top speed still limits it.
    #[serde(with = "crate::math::any_number")]
    pub speed: f32,
    /// Where it wants to get to, for reports and drawings.
    #[serde(with = "crate::math::any_number")]
    pub goal: Option<Vec3>,
    /// What it calls what it is doing.
    pub mode: Symbol,
}

/// Rules in a place of their own, no larger than the most that were ever followed at once: thousands of agents follow one or two.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Rules(Vec<Rule>);

impl Rules {
    /// Says whether there was room.
    fn push(&mut self, rule: Rule) -> bool {
        if self.0.len() >= MAX_RULES {
            return false;
        }
        self.0.reserve_exact(1);
        self.0.push(rule);
        true
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let rules = Vec::<Rule>::deserialize(deserializer)?;
        if rules.len() <= MAX_RULES {
            Ok(Self(rules))
        } else {
            Err(serde::de::Error::custom("too many steering rules"))
        }
    }
}

impl Default for Intent {
    fn default() -> Self {
        Self {
            rules: Rules::default(),
            combine: Combine::Weight,
            ring: None,
            search: None,
            look: Look::Ahead,
            speed: f32::INFINITY,
            goal: None,
            mode: Symbol::NONE,
        }
    }
}

impl Intent {
    /// Wants nothing any more, but keeps its mode.
    pub fn clear(&mut self) {
        self.rules.0.clear();
        self.combine = Combine::Weight;
        self.ring = None;
        self.search = None;
        self.look = Look::Ahead;
        self.speed = f32::INFINITY;
        self.goal = None;
    }
    /// Follows one rule more; says whether there was room.
    pub fn follow(&mut self, rule: Rule) -> bool {
        self.rules.push(rule)
    }
    /// Follows only the first so many of its rules.
    pub fn keep_rules(&mut self, count: usize) {
        self.rules.0.truncate(count);
    }
    /// The rules that it follows.
    pub fn rules(&self) -> &[Rule] {
        &self.rules.0
    }
    /// The bytes that it holds outside of itself.
    pub(crate) fn bytes(&self) -> usize {
        room(&self.rules.0)
    }
    /// The rules that it follows, to be changed.
    pub(crate) fn rules_mut(&mut self) -> &mut [Rule] {
        &mut self.rules.0
    }
}
