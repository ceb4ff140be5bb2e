//! warband, at its engine: a `Runner` on a scene that is made by hand.

use super::shape::{Shape, add, flag, on_board};
use super::{Crowd, Status};
use slotmap::SlotMap;
use std::sync::Arc;
use warband::args::Param;
use warband::blackboard::{Board, Key, Schema, ValueType};
use warband::entity::{Entity, SquadId};
use warband::math::{Vec3, vec3};
use warband::nav::OpenGround;
use warband::rng::Dice;
use warband::sense::Knowledge;
use warband::space::{Bodies, Body};
use warband::squad::{Formation, Ring, RingRules};
use warband::tree::{
    AgentFacts, Condition, Cx, Desk, Kind, Leaf, Messages, Mind, Minds, NodeDef, Part, Route, Runner, Scene,
    Sleep, SquadScene, Symbols, Tree, View, build,
};
use warband::{KeyDecl, Limits, Scope, Spec};

static DEFS: [NodeDef; 4] = [
    NodeDef {
        params: &[Param::integer("bit", "which flag")],
        ..NodeDef::new("flag", Kind::Condition, "asks a bit of the flags", |make| {
            Part::condition(Flag(make.number("bit") as u32))
        })
    },
    NodeDef {
        params: &[Param::integer("by", "how much")],
        ..NodeDef::new("count", Kind::Action, "adds to the sum", |make| {
            Part::leaf(Count { by: make.number("by") as u64, status: warband::tree::Status::Success })
        })
    },
    NodeDef {
        params: &[Param::integer("by", "how much")],
        ..NodeDef::new("run", Kind::Action, "adds to the sum and runs", |make| {
            Part::leaf(Count { by: make.number("by") as u64, status: warband::tree::Status::Running })
        })
    },
    NodeDef {
        params: &[Param::key("key", "what is added")],
        ..NodeDef::new("read", Kind::Action, "adds a number of a board to the sum", |make| {
            let name = make.text("key").to_owned();
            Part::leaf(Read(make.schema().key(&name)?))
        })
    },
];

struct Flag(u32);

impl Condition for Flag {
    fn check(&self, _: &View<'_>) -> bool {
        flag(self.0)
    }
}

struct Count {
    by: u64,
    status: warband::tree::Status,
}

impl Leaf for Count {
    fn tick(&self, _: &mut Cx<'_>) -> warband::tree::Status {
        add(self.by);
        self.status
    }
}

struct Read(Key<f64>);

impl Leaf for Read {
    fn tick(&self, cx: &mut Cx<'_>) -> warband::tree::Status {
        let number = cx.view().get(self.0);
        add(number.unwrap_or(0.0) as u64);
        warband::tree::Status::of(number.is_some())
    }
}

fn spec(shape: &Shape) -> Spec {
    let branch = |node: &str, parts: &[Shape]| parts.iter().map(spec).fold(Spec::new(node), Spec::with);
    match shape {
        Shape::Sequence { reactive: false, parts } => branch("sequence", parts),
        Shape::Sequence { parts, .. } => branch("reactive_sequence", parts),
        Shape::Selector { reactive: false, parts } => branch("selector", parts),
        Shape::Selector { parts, .. } => branch("reactive_selector", parts),
        Shape::Flag(bit) => Spec::new("flag").set("bit", f64::from(*bit)),
        Shape::Count(by) => Spec::new("count").set("by", *by as f64),
        Shape::Run(by) => Spec::new("run").set("by", *by as f64),
        Shape::Read(slot) => Spec::new("read").set("key", key(*slot)),
        Shape::Wait => Spec::new("wait").set("seconds", 1e6),
    }
}

fn key(slot: usize) -> String {
    format!("key_{slot}")
}

/// Four keys of the agent, two of its squad and two of the world.
fn schema() -> Schema {
    let scopes = [Scope::Agent, Scope::Squad, Scope::Agent, Scope::World];
    let mut schema = Schema::default();
    for slot in 0..8 {
        let decl = KeyDecl::new(key(slot), scopes[slot % 4], ValueType::Number).default(on_board(slot));
        schema.declare(decl).expect("the keys are legal");
    }
    schema
}

fn board(schema: &Schema, scope: Scope) -> Board {
    let mut board = Board::default();
    board.grow(schema.keys(scope));
    board
}

fn bodies(agents: usize) -> Bodies {
    let mut ids = SlotMap::<Entity, ()>::with_key();
    let mut bodies = Bodies::default();
    for index in 0..agents {
        let (key, position) = (index as u32, vec3(index as f32 * 2.0, 0.0, 1.0));
        let id = ids.insert(());
        let body = Body { id, key, tag: key, position, facing: Vec3::X, radius: 0.5, eyes: 1.6, faction: 0 };
        bodies.insert(index, body);
    }
    bodies
}

fn scene(agents: usize) -> Scene {
    let schema = schema();
    let squad = SquadScene {
        id: SlotMap::<SquadId, ()>::with_key().insert(()),
        name: "pack".into(),
        team: None,
        members: 0..agents,
        board: board(&schema, Scope::Squad),
        knowledge: Knowledge::default(),
        belief: Default::default(),
        ring: Ring::new(RingRules::default()),
        formation: Formation::default(),
        route: Route::default(),
        messages: Messages::default(),
    };
    let facts = AgentFacts {
        squad: 0,
        home: Vec3::ZERO,
        limits: Limits::of(0.5, 5.0),
        flies: false,
        think_interval: 0,
        avoid: true,
        collide: true,
        priority: 0.0,
    };
    Scene {
        clock: 1,
        tick: 1,
        dt: 0.1,
        perceives: vec![false; agents],
        agents: vec![facts; agents],
        bodies: bodies(agents),
        board: board(&schema, Scope::World),
        schema,
        squads: vec![squad],
        offers: warband::squad::Offers::default(),
        teams: Vec::new(),
        ground: Arc::new(OpenGround::default()),
        sight: Arc::new(warband::space::Walls::default()),
        symbols: Symbols::default(),
        fields: Vec::new(),
    }
}

pub struct Band {
    tree: Arc<Tree>,
    scene: Scene,
    minds: Minds,
    desk: Desk,
}

impl Band {
    pub fn new(shape: &Shape, agents: usize) -> Self {
        let mut scene = scene(agents);
        let mut registry = warband::node::registry();
        DEFS.iter().for_each(|def| registry.register(def).expect("the name is free"));
        let tree = build("tree", &spec(shape), &registry, &scene.schema, &mut scene.symbols);
        let tree = tree.expect("the tree is legal");
        let mind = |agent: usize| {
            let mut mind = Box::new(Mind::new(Dice::new(7, &[agent as u64])));
            mind.board = board(&scene.schema, Scope::Agent);
            mind
        };
        let minds = (0..agents).map(mind).collect();
        Self { tree, scene, minds, desk: Desk::default() }
    }
}

impl Crowd for Band {
    fn agents(&self) -> usize {
        self.minds.len()
    }
    /// As the world does it: a tree that waits sleeps.
    fn tick(&mut self, agent: usize) -> Status {
        let mind = &mut self.minds[agent];
        if mind.sleep.lasts(&self.scene, 0, || mind.board.changes()) {
            return Status::Running;
        }
        let mut runner = Runner::new(&self.tree, &self.scene, agent, mind, &mut self.desk, None);
        let status = runner.tick();
        let sleep = if status == warband::tree::Status::Running { runner.sleep() } else { Sleep::NONE };
        mind.sleep = sleep;
        match status {
            warband::tree::Status::Success => Status::Success,
            warband::tree::Status::Failure => Status::Failure,
            warband::tree::Status::Running => Status::Running,
        }
    }
}

/// How many nodes trees of a usual form have, and the bytes that an agent keeps for them.
pub fn memories() -> [(usize, usize); 2] {
    let patrol = |extra: usize| {
        let wait = || Spec::new("wait").set("seconds", 1.0);
        let branch = |slot: usize| {
            let compare = Spec::new("compare").set("key", key(slot)).set("is", ">").set("to", 100.0);
            let body = (0..extra).fold(Spec::new("sequence").with(wait()), |body, _| body.with(wait()));
            Spec::new("guard").when(compare).with(body)
        };
        [0, 1, 2].into_iter().map(branch).fold(Spec::new("selector"), Spec::with)
    };
    [0, 1].map(|extra| {
        let mut scene = scene(1);
        let tree =
            build("patrol", &patrol(extra), &warband::node::registry(), &scene.schema, &mut scene.symbols);
        let tree = tree.expect("the tree is legal");
        (tree.len(), tree.memory_bytes())
    })
}
