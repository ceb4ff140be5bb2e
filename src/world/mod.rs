//! The façade: a world owns everything and ticks it.
//!
//! A tick goes one way, `reload → sense → think → steer → act`; each stage is a file here, and writes only what later
//! stages read.

mod act;
mod answer;
mod avoid;
mod boards;
mod cast;
mod chunks;
mod config;
mod contacts;
mod digest;
mod health;
#[cfg(feature = "lua")]
mod hoards;
mod memory;
mod names;
#[cfg(feature = "lua")]
mod reloads;
mod report;
mod roster;
#[cfg(feature = "lua")]
mod scripts;
mod sense;
mod slots;
mod snapshot;
mod steer;
mod think;
mod tokens;
mod trees;
#[cfg(feature = "lua")]
mod trial;
mod view;
mod ways;
mod why;

pub use boards::{BoardOf, Observer};
pub use config::{ActorDesc, AgentDesc, Config, Drive, SquadDesc};
pub use health::Health;
pub use memory::MemoryUse;
pub use report::{Event, EventKind, Muted, Output, RuleVector, Timings};
pub use snapshot::Snapshot;
pub use tokens::TokensOf;
pub use why::{Explanation, Moment, Reason};

use crate::blackboard::Board;
use crate::entity::SquadId;
use crate::error::{Error, ErrorKind, Problem};
use crate::math::Vec3;
use crate::nav::{Navigation, OpenGround};
use crate::sense::LineOfSight;
use crate::space::{Bodies, Grid, Walls};
use crate::tree::{Command, Desk, Minds, Registry, Scene, Symbols};
use std::sync::Arc;

/// Whoever runs the functions of scripts.
#[cfg(feature = "lua")]
type Hosted = crate::script::Script;
/// Without Lua there is nobody.
#[cfg(not(feature = "lua"))]
type Hosted = Box<dyn crate::tree::Host + Send>;

/// A world of squads: add bodies, load trees, and tick it once a frame. When it is dropped, every running tree is
/// exited as if its agent were removed.
///
/// With Lua, which is the default, it is not `Send`: it stays on the thread that made it (in Bevy a non-send resource),
/// unless the crate has the feature `send`. Without Lua it is `Send`.
///
/// ```
/// use warband::{ActorDesc, AgentDesc, Config, Spec, SquadDesc, World, vec3};
///
/// let mut world = World::new(Config { seed: 7, ..Config::default() });
/// world.add_tree("hunter", &Spec::new("selector")
///     .with(Spec::new("guard").when(Spec::new("sees_target")).with(Spec::new("direct_chase")))
///     .with(Spec::new("patrol")))?;
/// let hero = world.add_actor(ActorDesc::at(vec3(10.0, 0.0, 0.0)));
/// let pack = world.add_squad(SquadDesc { name: "pack".into(), route: vec![vec3(0.0, 0.0, 0.0)], ..SquadDesc::default() })?;
/// let wolf = world.spawn(pack, AgentDesc { tree: "hunter".into(), ..AgentDesc::at(vec3(0.0, 0.0, 0.0)) })?;
/// for _ in 0..180 {
///     world.set_actor(hero, vec3(10.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0));
///     world.tick(1.0 / 60.0);
/// }
/// let out = world.output(wolf).expect("the wolf is there");
/// assert_eq!(out.mode, "direct");
/// assert!(out.position.distance(vec3(10.0, 0.0, 0.0)) < 2.0);
/// # Ok::<(), warband::Error>(())
/// ```
pub struct World {
    config: Config,
    scene: Arc<Scene>,
    minds: Minds,
    desks: Vec<Desk>,
    cast: cast::Cast,
    trees: trees::Trees,
    registry: Registry,
    walls: Arc<Walls>,
    grid: Grid,
    eyes: sense::Eyes,
    helm: steer::Helm,
    crowd: avoid::Crowd,
    contacts: contacts::Contacts,
    write_back: act::WriteBack,
    observers: boards::Observers,
    names: names::Names,
    events: Vec<Event>,
    /// What came up between two ticks: it is told with the next.
    between: Vec<Event>,
    commands: Vec<Command>,
    said: Vec<(crate::entity::AgentId, String)>,
    problems: report::Problems,
    timings: Timings,
    ticks: u64,
    thought: think::Thought,
    agenda: think::Agenda,
    /// What the most of all agents is, while nobody came or went.
    most: Option<cast::Most>,
    /// Modes before the thought, by body index.
    modes: Vec<crate::tree::Symbol>,
    /// The part of a nanosecond by which the clock is behind.
    carried: f64,
    noises: Vec<sense::Noise>,
    hits: Vec<sense::Hit>,
    host: Option<Hosted>,
    #[cfg(feature = "lua")]
    scripts: scripts::Scripts,
}

impl World {
    /// An empty world on open ground.
    pub fn new(config: Config) -> Self {
        let walls = Arc::new(Walls::default());
        Self {
            scene: Arc::new(empty_scene()),
            minds: Vec::new(),
            desks: Vec::new(),
            cast: cast::Cast::default(),
            trees: trees::Trees::default(),
            registry: crate::node::registry(),
            walls,
            grid: Grid::default(),
            eyes: sense::Eyes::default(),
            helm: steer::Helm::default(),
            crowd: avoid::Crowd::default(),
            contacts: contacts::Contacts::default(),
            observers: boards::Observers::default(),
            names: names::Names::default(),
            write_back: act::WriteBack::default(),
            events: Vec::new(),
            between: Vec::new(),
            commands: Vec::new(),
            said: Vec::new(),
            problems: report::Problems::default(),
            timings: Timings::default(),
            ticks: 0,
            thought: think::Thought::default(),
            agenda: think::Agenda::default(),
            most: None,
            modes: Vec::new(),
            carried: 0.0,
            noises: Vec::new(),
            hits: Vec::new(),
            host: None,
            #[cfg(feature = "lua")]
            scripts: scripts::Scripts::default(),
            config,
        }
    }

    /// Puts up walls, in place of those that stand. They block sight and bodies.
    pub fn set_walls(&mut self, walls: Walls) {
        self.walls = Arc::new(walls);
        let (sight, ground) = (self.walls.clone(), OpenGround::new((*self.walls).clone()));
        let scene = self.scene_mut();
        (scene.sight, scene.ground) = (sight, Arc::new(ground));
        self.ground_changed();
    }

    /// Answers sight tests with the game's own geometry, in place of the walls.
    pub fn set_line_of_sight(&mut self, sight: impl LineOfSight + 'static) {
        self.scene_mut().sight = Arc::new(sight);
    }

    /// Answers where one can walk with the game's own ground, in place of the walls; with the feature `navmesh` a
    /// `nav::NavMesh` is one. Where it [leads](Navigation::leads), agents walk by its ways wherever they cannot go straight (see
    /// [`Config::paths_per_tick`]); who is on a way already keeps to it until it has a new one.
    ///
    /// [`World::set_walls`] puts open ground in its place: walls come first.
    pub fn set_navigation(&mut self, ground: impl Navigation + 'static) {
        self.scene_mut().ground = Arc::new(ground);
        self.ground_changed();
    }

    /// Lays a flow field over the ground, in place of one of that name: `bt.flow_field { field = "…" }` follows it. As walls and ground are, it is no
    /// part of a snapshot.
    pub fn set_flow_field(&mut self, name: &str, field: crate::steer::FlowField) {
        let fields = &mut self.scene_mut().fields;
        match fields.iter_mut().find(|(known, _)| **known == *name) {
            Some((_, old)) => *old = field,
            None => fields.push((name.into(), field)),
        }
    }

    /// Adds a node kind of the game's own; scripts and specs can use it by its name from then on. To be done before
    /// the first script is loaded.
    ///
    /// # Errors
    /// A name that is taken or not legal in Lua, or a script that was loaded already.
    pub fn register(&mut self, def: &'static crate::tree::NodeDef) -> crate::Result<()> {
        if self.host.is_some() {
            let message = format!("node '{}' comes too late: scripts were loaded already", def.name);
            return Err(Error::new(ErrorKind::Conflict, message).hint("register nodes before the first load"));
        }
        self.registry.register(def)
    }

    /// The node kinds that there are.
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Goes on by `dt` seconds. Never fails: what goes wrong is in [`World::problems`].
    ///
    /// The clock moves first, so bodies that the game moves are to be put where they are at the end of the frame
    /// before this is called. A step of 0 is a pause: files that changed take over, and nobody senses, thinks or moves, so
    /// that a game goes on afterwards as if there had been none. A step that is negative or not a number is left
    /// out, with a problem; what is longer than [`Config::longest_tick`] is lost.
    pub fn tick(&mut self, dt: impl Into<f64>) {
        self.tick_seconds(dt.into());
    }

    fn tick_seconds(&mut self, dt: f64) {
        self.events.clear();
        self.events.append(&mut self.between);
        self.commands.clear();
        self.said.clear();
        self.problems.begin(self.ticks);
        self.check_names();
        let accepted = dt.min(f64::from(self.config.longest_tick).max(0.0));
        if dt.is_finite() && dt >= 0.0 && accepted as f32 == 0.0 {
            self.pause();
        } else if dt.is_finite() && dt > 0.0 {
            self.pass(accepted);
        } else {
            let fault = Error::new(ErrorKind::NotFinite, format!("a time step of {dt} s was left out"));
            self.report(fault.hint("a time step is 0 or more seconds"));
        }
        self.problems.end();
    }

    /// A tick in which no time passes. Nobody is asked anything: what is due would come in the pause, and whoever counts ticks
    /// would count these.
    fn pause(&mut self) {
        #[cfg(all(feature = "lua", feature = "reload"))]
        self.reload_stage();
        (self.timings, self.thought) = Default::default();
    }

    /// The stages, in their one order.
    fn pass(&mut self, dt: f64) {
        self.move_clock(dt);
        #[cfg(feature = "lua")]
        self.judge_scripts();
        #[cfg(feature = "lua")]
        self.weigh_scripts();
        #[cfg(all(feature = "lua", feature = "reload"))]
        self.reload_stage();
        let mut watch = report::Stopwatch::start();
        self.sense();
        self.timings = Timings { sense: watch.lap(), ..Timings::default() };
        self.think();
        self.timings.think = watch.lap();
        let (steps, step) = crate::steer::substeps(dt as f32, self.config.longest_step);
        self.helm.paths_left = self.config.paths_per_tick.max(1);
        for number in 0..steps {
            if number > 0 {
                self.index_bodies();
            }
            self.helm.coasts.now = self.time_after(number + 1, steps);
            self.steer(step);
            self.timings.steer += watch.lap();
            self.act(step);
            self.timings.act += watch.lap();
        }
        #[cfg(feature = "lua")]
        self.collect_garbage();
    }

    fn move_clock(&mut self, dt: f64) {
        // What a step has beyond whole nanoseconds is carried over, so that 60 steps of 1/60 s are a second.
        let nanoseconds = dt * 1e9 + self.carried;
        let whole = nanoseconds.round().max(0.0);
        self.carried = nanoseconds - whole;
        self.ticks += 1;
        self.agenda.before = self.scene.clock;
        let scene = self.scene_mut();
        scene.clock += whole as u64;
        scene.tick += 1;
        scene.dt = dt as f32;
    }

    /// The time after so many steps of all that this tick is cut into, ns of the clock.
    fn time_after(&self, step: u32, steps: u32) -> u64 {
        let (before, clock) = (self.agenda.before, self.scene.clock);
        if step == steps { clock } else { before + (clock - before) / u64::from(steps) * u64::from(step) }
    }

    /// Seconds of game time since the world was made.
    pub fn now(&self) -> f64 {
        self.scene.clock as f64 * 1e-9
    }

    /// How many ticks there were in which time passed.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// How long the stages of the last tick took.
    pub fn timings(&self) -> Timings {
        self.timings
    }

    /// What came up in the last tick, and between it and the one before.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What agents asked of the game in the last tick; to those that [wait](Command::waits), [`World::answer`].
    pub fn commands(&self) -> &[Command] {
        &self.commands
    }

    /// What agents said in the last tick.
    pub fn said(&self) -> &[(crate::entity::AgentId, String)] {
        &self.said
    }

    /// What went wrong for the first time in the last tick, or between it and the one before. The same fault at the same place is told once; see
    /// [`World::all_problems`] for the counts.
    pub fn problems(&self) -> &[Problem] {
        self.problems.fresh()
    }

    /// All that ever went wrong, each with its count: at most 256 different faults.
    pub fn all_problems(&self) -> &[Problem] {
        self.problems.all()
    }

    /// Sets a squad's walkable route, without stops.
    pub fn set_route(&mut self, squad: SquadId, points: Vec<Vec3>, order: crate::tree::RouteOrder) {
        self.set_patrol(squad, crate::tree::Route::new(points, order, &[]));
    }

    /// Sets a squad's route with its stops. Members go on with the leg that they are on.
    pub fn set_patrol(&mut self, squad: SquadId, route: crate::tree::Route) {
        if let Some(index) = self.cast.squad(squad) {
            self.scene_mut().squads[index].route = route;
            self.mend_route(index);
        }
    }

    fn report_again(&mut self, error: Error) {
        self.problems.renew(Problem { agent: None, error, times: 1, tick: 0 });
    }

    pub(crate) fn report(&mut self, error: Error) {
        self.problems.add(Problem { agent: None, error, times: 1, tick: 0 });
    }

    fn scene_mut(&mut self) -> &mut Scene {
        Self::part(&mut self.scene)
    }

    /// The scene, to be written while other fields of the world are in use.
    fn part(scene: &mut Arc<Scene>) -> &mut Scene {
        Arc::get_mut(scene).expect("BUG: the script host kept the scene beyond the thought it was lent for")
    }
}

fn empty_scene() -> Scene {
    Scene {
        clock: 0,
        tick: 0,
        dt: 0.0,
        schema: crate::blackboard::Schema::default(),
        bodies: Bodies::default(),
        agents: Vec::new(),
        perceives: Vec::new(),
        squads: Vec::new(),
        offers: crate::squad::Offers::default(),
        teams: Vec::new(),
        board: Board::default(),
        ground: Arc::new(OpenGround::default()),
        sight: Arc::new(Walls::default()),
        symbols: Symbols::default(),
        fields: Vec::new(),
    }
}
