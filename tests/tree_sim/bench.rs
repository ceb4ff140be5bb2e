//! Runs one tree for some agents of one squad, tick by tick, with a clock of its own.

use super::probe::{DEFS, bool_key};
use slotmap::SlotMap;
use std::sync::Arc;
use warband::blackboard::{Board, Change, Schema, Value, ValueType};
use warband::entity::{Entity, SquadId};
use warband::math::{Vec3, vec3};
use warband::nav::OpenGround;
use warband::rng::Dice;
use warband::sense::{ChoiceRules, How, Knowledge, Report};
use warband::space::{Bodies, Body};
use warband::squad::{Formation, Ring, RingRules};
use warband::tree::{
    AgentFacts, Desk, Host, Mind, Minds, Registry, Route, RouteOrder, Runner, Scene, SquadScene, Status,
    Symbols, Tree, Why, build,
};
use warband::{KeyDecl, Limits, Scope, Spec};

pub struct Bench {
    pub scene: Scene,
    pub minds: Minds,
    pub desk: Desk,
    pub tree: Arc<Tree>,
    /// Visits of the last tick of each agent.
    pub steps: Vec<usize>,
    pub host: Option<Box<dyn Host>>,
    target: Entity,
}

/// The keys that all trees of these tests can use: bools `a` to `d` of the agent and `x`, `y` of world and squad,
/// a key of every type, and the number `n`.
pub fn declare_keys(mut declare: impl FnMut(KeyDecl)) {
    ["a", "b", "c", "d"].iter().for_each(|name| declare(bool_key(name, Scope::Agent)));
    declare(bool_key("x", Scope::World));
    declare(bool_key("y", Scope::Squad));
    declare(KeyDecl::new("n", Scope::Agent, ValueType::Number).default(0.0));
    for ty in ValueType::ALL {
        declare(KeyDecl::new(format!("key_{ty}"), Scope::Agent, ty));
    }
}

/// The nodes of the library and the probes.
pub fn registry() -> Registry {
    let mut registry = warband::node::registry();
    DEFS.iter().for_each(|def| registry.register(def).expect("a probe's name is free"));
    registry
}

fn scene(agents: usize) -> (Scene, Entity) {
    let mut schema = Schema::default();
    declare_keys(|decl| {
        schema.declare(decl).expect("the keys of the tests are legal");
    });
    let (mut ids, mut squads) = (SlotMap::<Entity, ()>::with_key(), SlotMap::<SquadId, ()>::with_key());
    let mut bodies = Bodies::default();
    for index in 0..=agents {
        let target = index == agents;
        let body = Body {
            id: ids.insert(()),
            key: index as u32,
            tag: index as u32,
            position: if target { vec3(20.0, 0.0, 3.0) } else { vec3(index as f32 * 2.0, 0.0, 1.0) },
            facing: Vec3::X,
            radius: 0.5,
            eyes: 1.6,
            faction: u16::from(target),
        };
        bodies.insert(index, body);
    }
    let target = bodies.id[agents];
    let mut boards = [Scope::Squad, Scope::World].map(|scope| {
        let mut board = Board::default();
        board.grow(schema.keys(scope));
        board
    });
    let squad = SquadScene {
        id: squads.insert(()),
        name: "pack".into(),
        team: None,
        members: 0..agents,
        board: std::mem::take(&mut boards[0]),
        knowledge: Knowledge::default(),
        belief: warband::sense::Belief::default(),
        ring: Ring::new(RingRules::default()),
        formation: Formation::default(),
        route: Route {
            points: vec![vec3(9.0, 0.0, 0.0), vec3(9.0, 0.0, 9.0)],
            order: RouteOrder::Loop,
            stops: Vec::new(),
        },
        messages: warband::tree::Messages::default(),
    };
    let limits = Limits::of(0.5, 5.0);
    let facts = |index: usize| AgentFacts {
        squad: 0,
        home: bodies.position[index],
        limits,
        flies: false,
        think_interval: 0,
        avoid: true,
        collide: true,
        priority: 0.0,
    };
    let agents = (0..agents).map(facts).collect::<Vec<_>>();
    let scene = Scene {
        clock: 0,
        tick: 0,
        dt: 0.0,
        perceives: vec![false; agents.len()],
        agents,
        bodies,
        schema,
        squads: vec![squad],
        offers: warband::squad::Offers::default(),
        teams: Vec::new(),
        board: std::mem::take(&mut boards[1]),
        ground: Arc::new(OpenGround::default()),
        sight: Arc::new(warband::space::Walls::default()),
        symbols: Symbols::default(),
        fields: Vec::new(),
    };
    (scene, target)
}

impl Bench {
    /// A bench on which so many agents run the tree.
    pub fn new(spec: &Spec, agents: usize) -> warband::Result<Self> {
        let (mut scene, target) = scene(agents);
        let tree = build("tree", spec, &registry(), &scene.schema, &mut scene.symbols)?;
        let mind = |index: usize| {
            let mut mind = Box::new(Mind::new(Dice::new(7, &[index as u64])));
            mind.board.grow(scene.schema.keys(Scope::Agent));
            mind
        };
        let minds = (0..agents).map(mind).collect();
        let steps = vec![0; agents];
        Ok(Self { scene, minds, desk: Desk::default(), tree, steps, host: None, target })
    }

    /// Lets the squad know of a body of another faction at (20, 0, 3), from now on in view.
    pub fn see_target(&mut self) {
        let report = Report {
            target: self.target,
            position: vec3(20.0, 0.0, 3.0),
            velocity: vec3(0.0, 0.0, 1.0),
            by: self.scene.bodies.id[0],
            how: How::Sight,
            at: self.scene.clock,
            hops: 0,
        };
        self.scene.squads[0].knowledge.perceive(&report);
        self.scene.squads[0].knowledge.choose(Vec3::ZERO, self.scene.clock, ChoiceRules::default());
        self.scene.perceives.fill(true);
    }

    /// Lets time go on without a tick.
    pub fn pass(&mut self, seconds: f64) {
        self.scene.clock += (seconds * 1e9).round() as u64;
        self.scene.dt = seconds as f32;
    }

    /// One tick of one agent.
    pub fn tick_one(&mut self, agent: usize) -> Status {
        self.minds[agent].intent.clear();
        let host = self.host.as_deref_mut().map(|host| host as &mut (dyn Host + 'static));
        let (scene, mind) = (&self.scene, &mut self.minds[agent]);
        let mut runner = Runner::new(&self.tree, scene, agent, mind, &mut self.desk, host);
        let status = runner.tick();
        self.steps[agent] = runner.steps();
        status
    }

    /// Goes on by so many seconds and ticks everybody; what was written to shared boards counts from then on.
    pub fn tick(&mut self, seconds: f64) -> Vec<Status> {
        self.pass(seconds);
        let statuses = (0..self.minds.len()).map(|agent| self.tick_one(agent)).collect();
        for write in std::mem::take(&mut self.desk.writes) {
            let info = self.scene.schema.info(write.key).clone();
            let board = match write.key.scope {
                Scope::Squad => &mut self.scene.squads[0].board,
                _ => &mut self.scene.board,
            };
            board.apply(&info, &write.change, self.scene.clock);
        }
        let heard = self.minds.iter().map(|mind| mind.heard).min().unwrap_or(0);
        self.scene.offers.settle(self.desk.claims.drain(..));
        self.scene.squads[0].messages.deliver(&mut self.desk.messages, heard, &self.scene.symbols);
        statuses
    }

    pub fn halt(&mut self, agent: usize, why: Why) {
        let host = self.host.as_deref_mut().map(|host| host as &mut (dyn Host + 'static));
        let (scene, mind) = (&self.scene, &mut self.minds[agent]);
        Runner::new(&self.tree, scene, agent, mind, &mut self.desk, host).halt(why);
    }

    /// Writes a key of the agent's or of a shared board, from outside.
    pub fn set(&mut self, agent: usize, key: &str, value: impl Into<Value>) {
        let key = self.scene.schema.id(key).expect("the key is declared");
        let info = self.scene.schema.info(key).clone();
        let value = self.scene.schema.fit(key, value.into()).expect("the value fits");
        let board = match key.scope {
            Scope::Agent => &mut self.minds[agent].board,
            Scope::Squad => &mut self.scene.squads[0].board,
            _ => &mut self.scene.board,
        };
        board.apply(&info, &Change::Set(value), self.scene.clock);
    }
}
