//! Leaves, conditions and services written in Lua: what they see, what they may write, and every fault in words.
#![cfg(feature = "lua")]

use std::sync::Arc;
use warband::blackboard::{Board, KeyDecl, Schema, Scope, Value, ValueType};
use warband::entity::Entity;
use warband::error::Error;
use warband::math::{Vec3, vec3};
use warband::nav::OpenGround;
use warband::rng::Dice;
use warband::script::{Script, ScriptLimits};
use warband::sense::{How, Knowledge, KnowledgeRules, Report};
use warband::space::{Bodies, Body};
use warband::squad::{Ring, RingRules};
use warband::steer::Limits;
use warband::tree::{
    AgentFacts, Desk, Host, Mind, Route, Runner, Scene, SquadScene, Status, Symbols, Tree, Why, build,
};

/// One squad of two, its target, and a script.
struct Stand {
    script: Script,
    scene: Arc<Scene>,
    minds: Vec<Box<Mind>>,
    desk: Desk,
    symbols: Symbols,
    trees: Vec<Arc<Tree>>,
}

/// Ids as a slot map would give them.
fn entity(slot: u64) -> Entity {
    Entity::unpack((1 << 24) | slot)
}

fn bodies() -> Bodies {
    let mut bodies = Bodies::default();
    for (at, faction) in [0, 0, 1].into_iter().enumerate() {
        let body = Body {
            id: entity(at as u64 + 1),
            key: at as u32,
            tag: at as u32,
            position: vec3(at as f32 * 10.0, 0.0, 0.0),
            facing: Vec3::X,
            radius: 0.5,
            eyes: 1.6,
            faction,
        };
        bodies.insert(at, body);
    }
    bodies
}

fn schema() -> Schema {
    let mut schema = Schema::default();
    for (name, scope, ty) in [
        ("alarm", Scope::Squad, ValueType::Bool),
        ("kills", Scope::Agent, ValueType::Integer),
        ("word", Scope::Agent, ValueType::String),
        ("spot", Scope::Agent, ValueType::Vec3),
        ("spots", Scope::Agent, ValueType::List),
        ("prey", Scope::Agent, ValueType::Entity),
        ("luck", Scope::Agent, ValueType::Number),
        ("banner", Scope::Team, ValueType::Bool),
    ] {
        schema.declare(KeyDecl::new(name, scope, ty)).expect("a legal key");
    }
    schema
}

fn squad(schema: &Schema) -> SquadScene {
    let mut board = Board::default();
    board.grow(schema.keys(Scope::Squad));
    let mut knowledge = Knowledge::default();
    let report = Report {
        target: entity(3),
        position: vec3(4.0, 0.0, 3.0),
        velocity: vec3(1.0, 0.0, 0.0),
        by: entity(1),
        how: How::Sight,
        at: 1_500_000_000,
    };
    knowledge.perceive(&report);
    knowledge.settle(1_500_000_000, KnowledgeRules::default(), |_| false, |_, _| {});
    knowledge.choose(Vec3::ZERO);
    SquadScene {
        id: warband::entity::SquadId::default(),
        name: "wolves".into(),
        team: None,
        members: 0..2,
        board,
        knowledge,
        ring: Ring::new(RingRules::default()),
        route: Route::default(),
    }
}

impl Stand {
    fn new(text: &str) -> Result<Self, Error> {
        let limits = ScriptLimits { instructions: 20_000, memory: 16 << 20, ..ScriptLimits::default() };
        let mut script = Script::new(&warband::node::registry(), 7, limits)?;
        script.set_source("leaf.lua", Some(text.to_owned()));
        let loaded = script.load("leaf.lua")?;
        let (schema, mut symbols) = (schema(), Symbols::default());
        symbols.number("hunt");
        let registry = warband::node::registry();
        let trees =
            loaded.trees.iter().map(|(name, spec)| build(name, spec, &registry, &schema, &mut symbols));
        let trees = trees.collect::<Result<Vec<_>, _>>()?;
        let facts = |at: usize| AgentFacts {
            squad: 0,
            home: vec3(at as f32, 0.0, -5.0),
            limits: Limits::of(0.5, 5.0),
            flies: false,
        };
        let minds = (0..2).map(|at| {
            let mut mind = Box::new(Mind::new(Dice::new(7, &[at])));
            mind.board.grow(schema.keys(Scope::Agent));
            mind
        });
        let minds = minds.collect();
        let scene = Arc::new(Scene {
            clock: 2_000_000_000,
            dt: 0.25,
            bodies: bodies(),
            agents: vec![facts(0), facts(1)],
            perceives: vec![true, false, false],
            squads: vec![squad(&schema)],
            teams: Vec::new(),
            board: Board::default(),
            ground: Arc::new(OpenGround::default()),
            symbols: symbols.clone(),
            schema,
        });
        Ok(Self { script, scene, minds, desk: Desk::default(), symbols, trees })
    }

    fn tick_of(&mut self, agent: usize) -> Status {
        self.script.begin(&self.scene);
        self.minds[agent].intent.clear();
        let status = self.within(agent, |runner| runner.tick());
        self.script.end();
        status
    }

    fn within<R>(&mut self, agent: usize, work: impl FnOnce(&mut Runner<'_>) -> R) -> R {
        let tree = self.trees[0].clone();
        let mut runner = Runner::new(
            &tree,
            &self.scene,
            agent,
            &mut self.minds[agent],
            &mut self.desk,
            Some(&mut self.script),
        );
        work(&mut runner)
    }

    fn halt(&mut self, agent: usize) {
        self.script.begin(&self.scene);
        self.within(agent, |runner| runner.halt(Why::Guard));
        self.script.end();
    }

    fn value(&self, agent: usize, key: &str) -> Value {
        self.minds[agent].board.value(self.scene.schema.id(key).expect("a key")).clone()
    }

    fn problems(&mut self) -> Vec<String> {
        self.desk.problems.drain(..).map(|problem| problem.error.to_string()).collect()
    }

    fn said(&mut self) -> Vec<String> {
        self.desk.log.drain(..).map(|(_, line)| line).collect()
    }
}

/// What a leaf with this body says and does wrong in its first tick.
fn run(body: &str) -> (Vec<String>, Vec<String>) {
    let mut stand =
        Stand::new(&format!("return bt.action {{ tick = function(self)\n{body}\nend }}")).expect("it loads");
    stand.tick_of(0);
    (stand.said(), stand.problems())
}

fn fault(body: &str) -> String {
    let (_, problems) = run(body);
    assert_eq!(problems.len(), 1, "{problems:?}");
    problems[0].clone()
}

#[test]
fn show() {
    for body in [
        "print(self, self.position, self.key, self.squad, self.rank, self.mates, self.time, self.dt, self.arrived, self.mode, self.home, self.radius) return true",
        "local t = self.target print(t.position, t.velocity, t.age, t.in_view, t.how, t.distance, t.entity, t == self.target) return true",
        "return self.positoin",
        "self.x = 5",
        "return self.target.positoin",
        "return self.board.alrm",
        "self.board.kills = 'x'",
        "self.board.kills = 1.5",
        "self.board.banner = true",
        "self.board.kills = print",
        "return",
        "return 'sucess'",
        "return 5",
        "return 'walking'",
        "self.distance(self)",
        "print(self:distance(vec3(3,0,4)), self:distance 'home', self:distance(self.target), self:distance(self.target.entity)) return true",
        "return self:seek(5)",
        "return self:seek('hme')",
        "return self:seek(vec3(1,0,0), { sped = 1 })",
        "return self:seek(vec3(1,0,0), { speed = -1 })",
        "return self:wander()",
        "while true do end",
        "local function f() return pcall(f) end while true do f() end",
        "error('oops')",
        "local t = {} while true do t[#t+1] = ('x'):rep(5000) end",
        "bt.wait {}",
        "require 'x'",
        "for i = 1, 9 do self:seek() end",
        "print(math.random() < 1, math.random(6) <= 6, math.random(3, 3)) return true",
        "self.board.prey = self.target print(self.board.prey == self.target.entity, self.board.prey) self.board.prey = self print(self.board.prey) return true",
        "self.board.spots = { vec3(1,2,3), vec3(4,5,6) } print(#self.board.spots, self.board.spots[2]) return true",
        "self:set_mode('hunt') print(self.mode) self:set_mode('dance') print(self.mode) return true",
        "local f = self.target.nope",
    ] {
        println!("{body}\n   {:?}", run(body));
    }
}
