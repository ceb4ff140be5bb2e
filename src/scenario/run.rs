//! Running a scenario: what a game does with a world, done by a file.

use super::answers::{Answers, Open, Rule};
use super::clump;
use super::figures::Tally;
use super::model::{Happening, Owner, Regard, Scenario, SquadSpec, Who};
use super::report::{Entry, Report};
use crate::entity::{ActorId, AgentId, Entity, SquadId};
use crate::error::{Error, ErrorKind, Problem, Result};
use crate::math::Vec3;
use crate::rng::Dice;
use crate::world::{ActorDesc, AgentDesc, BoardOf, Config, SquadDesc, World};
use std::collections::BTreeMap;

/// What the dice of clumps are named by, so that they are nobody else's.
const CLUMPS: u64 = 0x0063_6c75_6d70;

/// A scenario that runs.
///
/// ```
/// use warband::{Spec, scenario::{Run, Scenario}};
/// let text = r#"
///     seconds = 2.0
///     [[actor]]
///     name = "player"
///     at = [10, 0]
///     [[squad]]
///     name = "wolves"
///     tree = "hunt"
///     positions = [[0, 0]]
/// "#;
/// let scenario = Scenario::parse(text, "hunt.toml", "".as_ref())?;
/// let mut run = Run::with(&scenario, |world| world.add_tree("hunt", &Spec::new("direct_chase")))?;
/// while run.step() {}
/// assert_eq!(run.report(0.0).ticks, 120);
/// # Ok::<(), warband::Error>(())
/// ```
pub struct Run {
    scenario: Scenario,
    world: World,
    actors: Vec<Option<ActorId>>,
    squads: Vec<SquadId>,
    specs: BTreeMap<SquadId, usize>,
    /// By squad, then by key; those that are gone too.
    members: Vec<Vec<AgentId>>,
    names: BTreeMap<Entity, String>,
    ticks: u64,
    happened: usize,
    /// How many events of the world are in the story already.
    told: usize,
    story: Vec<Entry>,
    /// How long the story was before the last tick.
    before: usize,
    problems: Vec<(f64, Problem)>,
    tally: Tally,
    answers: Answers,
}

impl Run {
    /// A run with the trees of the scenario's scripts.
    ///
    /// # Errors
    /// Every fault of the scripts; a squad whose tree does not exist; a key that scripts declare otherwise.
    #[cfg(feature = "lua")]
    pub fn new(scenario: &Scenario) -> Result<Run> {
        Self::with(scenario, |world| {
            world.set_script_root(&scenario.script_root);
            scenario.scripts.iter().try_for_each(|script| world.load(script))
        })
    }

    /// A run with what `prepare` adds to the world before the squads: nodes and trees written in Rust.
    ///
    /// # Errors
    /// Those of `prepare`, a squad whose tree does not exist, and a key that is declared otherwise.
    pub fn with(scenario: &Scenario, prepare: impl FnOnce(&mut World) -> Result<()>) -> Result<Run> {
        let config = Config {
            seed: scenario.seed,
            collide: scenario.collide,
            wall_muffles: scenario.wall_muffles,
            noise_round_walls: scenario.noise_round_walls,
            ..Config::default()
        };
        let mut world = World::new(config);
        world.set_walls(scenario.walls.clone());
        #[cfg(feature = "navmesh")]
        set_mesh(&mut world, scenario)?;
        for key in &scenario.keys {
            world.declare(key.clone())?;
        }
        prepare(&mut world)?;
        let mut run = Run {
            scenario: scenario.clone(),
            world,
            actors: Vec::new(),
            squads: Vec::new(),
            specs: BTreeMap::new(),
            members: Vec::new(),
            names: BTreeMap::new(),
            ticks: 0,
            happened: 0,
            told: 0,
            story: Vec::new(),
            before: 0,
            problems: Vec::new(),
            tally: Tally::default(),
            answers: Answers::default(),
        };
        run.people()?;
        run.listen();
        run.hear();
        run.note_problems(0.0);
        Ok(run)
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to change it between two steps. What is changed here is no part of the scenario.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// What runs.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// How many ticks there were.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// How many ticks there will have been.
    pub fn all_ticks(&self) -> u64 {
        // What is missing for a whole tick by rounding alone is no tick more.
        libm::ceil(self.scenario.seconds / self.scenario.dt - 1e-6).max(1.0) as u64
    }

    /// What came up so far.
    pub fn story(&self) -> &[Entry] {
        &self.story
    }

    /// Where in the story the last tick begins; what came up before the first tick belongs to that.
    pub(super) fn story_before(&self) -> usize {
        self.before
    }

    /// What went wrong so far, each fault once, with the time at which it came up first, in seconds.
    pub fn problems(&self) -> &[(f64, Problem)] {
        &self.problems
    }

    /// The figures so far.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The squads, in the order of the scenario.
    pub fn squads(&self) -> &[SquadId] {
        &self.squads
    }

    /// What the scenario says of a squad; `None` for one that is not of the scenario.
    pub fn spec_of(&self, squad: SquadId) -> Option<&SquadSpec> {
        self.specs.get(&squad).map(|at| &self.scenario.squads[*at])
    }

    /// The actors that are not gone, with their places in the scenario.
    pub fn actors(&self) -> impl Iterator<Item = (usize, ActorId)> {
        self.actors.iter().enumerate().filter_map(|(at, id)| Some((at, (*id)?)))
    }

    /// The name of a body, also of one that is gone: `player`, or `wolves/3`.
    pub fn name_of(&self, body: impl Into<Entity>) -> &str {
        self.names.get(&body.into()).map_or("", String::as_str)
    }

    /// The time of the scenario, in seconds: the end of the last tick.
    pub fn now(&self) -> f64 {
        self.time_of(self.ticks)
    }

    /// Multiplied, not summed up, and a whole number of nanoseconds: at every frame rate 2 s is 2 s.
    fn time_of(&self, tick: u64) -> f64 {
        libm::round(tick as f64 * self.scenario.dt * 1e9) * 1e-9
    }

    /// Goes on by one tick; `false` when it was at its end.
    pub fn step(&mut self) -> bool {
        if self.ticks >= self.all_ticks() {
            return false;
        }
        self.ticks += 1;
        self.before = if self.ticks == 1 { 0 } else { self.story.len() };
        let now = self.now();
        while self.scenario.events.get(self.happened).is_some_and(|event| event.at <= now + 1e-9) {
            self.happen(self.happened);
            self.happened += 1;
        }
        self.answer(now);
        self.place_actors(now);
        self.listen();
        self.world.tick(self.scenario.dt);
        self.told = 0;
        self.listen();
        self.hear();
        self.answers.take(&self.world, now);
        self.note_problems(now);
        let mut tally = std::mem::take(&mut self.tally);
        tally.take(self);
        self.tally = tally;
        true
    }

    /// All about it. `wall_ms` is how long it took on the machine, which the caller knows.
    pub fn report(&self, wall_ms: f64) -> Report {
        Report::of(self, wall_ms)
    }

    fn people(&mut self) -> Result<()> {
        for at in 0..self.scenario.attitudes.len() {
            let regard = self.scenario.attitudes[at].clone();
            self.regard(&regard)?;
        }
        for spec in &self.scenario.actors {
            let desc = ActorDesc {
                faction: spec.faction.clone(),
                radius: spec.radius,
                eyes: spec.eyes,
                tokens: spec.tokens.clone(),
                ..ActorDesc::at(spec.path.start())
            };
            let id = self.world.add_actor(desc);
            self.names.insert(id.entity(), spec.name.clone());
            self.actors.push(Some(id));
        }
        for at in 0..self.scenario.squads.len() {
            self.squad(at)?;
        }
        Ok(())
    }

    fn squad(&mut self, at: usize) -> Result<()> {
        let spec = &self.scenario.squads[at];
        let place = |error: Error| error.at(spec.place.clone());
        let id = self.world.add_squad(squad_desc(spec)).map_err(place)?;
        self.squads.push(id);
        self.specs.insert(id, at);
        self.members.push(Vec::new());
        let mut dice = Dice::new(self.scenario.seed, &[CLUMPS, at as u64]);
        let start = &spec.start;
        for position in
            clump::positions(start, spec.limits.radius, spec.flies, &self.scenario.walls, &mut dice)
        {
            self.spawn(at, position)?;
        }
        Ok(())
    }

    fn spawn(&mut self, squad: usize, position: Vec3) -> Result<()> {
        let spec = &self.scenario.squads[squad];
        let desc = AgentDesc {
            tree: spec.tree.clone(),
            facing: spec.facing,
            limits: spec.limits,
            senses: spec.senses,
            flies: spec.flies,
            avoid: spec.avoid,
            collide: spec.collide,
            priority: spec.priority,
            ..AgentDesc::at(position)
        };
        let agent =
            self.world.spawn(self.squads[squad], desc).map_err(|error| error.at(spec.place.clone()))?;
        self.names.insert(agent.entity(), format!("{}/{}", spec.name, self.members[squad].len()));
        self.members[squad].push(agent);
        Ok(())
    }

    fn place_actors(&mut self, now: f64) {
        for (at, spec) in self.scenario.actors.iter().enumerate() {
            let Some(actor) = self.actors[at] else { continue };
            let stand = spec.path.at(now);
            self.world.set_actor(actor, stand.position, stand.velocity);
            self.world.set_present(actor, stand.present);
        }
    }

    fn happen(&mut self, number: usize) {
        let event = self.scenario.events[number].clone();
        let done = match &event.what {
            Happening::Kill(who) => self.entity(*who).map(|body| self.kill(body)),
            Happening::Set { key, value, on } => self.set(key, value.clone(), on.as_ref()),
            Happening::Noise { at, reach, by } => {
                let maker = by.map(|who| self.entity(who)).transpose();
                maker.map(|maker| self.world.noise(*at, *reach, maker))
            }
            Happening::Hit { who, by, from } => self.hit(*who, *by, *from),
            Happening::Attitude(regard) => self.regard(regard),
            Happening::Light { who, light } => {
                self.entity(*who).map(|body| self.world.set_light(body, *light))
            }
            Happening::Eyes { who, eyes } => self.entity(*who).map(|body| self.world.set_eyes(body, *eyes)),
            Happening::Swap { script, text } => self.swap(script, text),
            Happening::Spawn { squad, at } => self.spawn(*squad, *at),
            Happening::Teleport { who, to } => self.teleport(*who, *to),
            Happening::Answer { command, success, value, after } => {
                let rule = Rule { success: *success, value: value.clone(), after: *after };
                self.answers.set(command, rule);
                Ok(())
            }
        };
        if let Err(error) = done {
            self.world.report(error.at(event.place));
        }
    }

    fn hit(&mut self, who: Who, by: Option<Who>, from: Vec3) -> Result<()> {
        let by = by.map(|by| self.entity(by)).transpose()?;
        let agent = self.agent(who)?;
        self.world.hit(agent, by, from);
        Ok(())
    }

    fn regard(&mut self, regard: &Regard) -> Result<()> {
        self.world.set_attitude(&regard.of, &regard.to, regard.attitude)?;
        if regard.mutual {
            self.world.set_attitude(&regard.to, &regard.of, regard.attitude)?;
        }
        Ok(())
    }

    /// Answers what is due in the tick that ends at `now`.
    fn answer(&mut self, now: f64) {
        for (open, success) in self.answers.give(&mut self.world, now) {
            let entry = Entry::answered(self, &open, success);
            self.story.push(entry);
        }
    }

    /// The commands that wait for their answers.
    pub(super) fn unanswered(&self) -> &[Open] {
        self.answers.open()
    }

    fn kill(&mut self, body: Entity) {
        self.world.remove(body);
        for actor in &mut self.actors {
            actor.take_if(|id| id.entity() == body);
        }
    }

    fn set(&mut self, key: &str, value: crate::blackboard::Value, on: Option<&Owner>) -> Result<()> {
        let board = match on {
            None => BoardOf::World,
            Some(Owner::Team(name)) => BoardOf::Team(name),
            Some(Owner::Who(Who::Squad(at))) => BoardOf::Squad(self.squads[*at]),
            Some(Owner::Who(who)) => BoardOf::Agent(self.agent(*who)?),
        };
        self.world.set_value(board, key, value)
    }

    fn teleport(&mut self, who: Who, to: Vec3) -> Result<()> {
        let agent = self.agent(who)?;
        self.world.set_agent(agent, to, Vec3::ZERO);
        self.tally.moved(agent, to);
        Ok(())
    }

    #[cfg(feature = "lua")]
    fn swap(&mut self, script: &str, text: &str) -> Result<()> {
        self.world.reload(script, text)
    }

    #[cfg(not(feature = "lua"))]
    fn swap(&mut self, script: &str, _: &str) -> Result<()> {
        let message = format!("script '{script}' cannot be swapped without the feature 'lua'");
        Err(Error::new(ErrorKind::Missing, message))
    }

    fn agent(&self, who: Who) -> Result<AgentId> {
        let Who::Member(squad, key) = who else {
            return Err(Error::new(ErrorKind::WrongType, "a member of a squad is meant, as in wolves/3"));
        };
        let agent = self.members[squad].get(key as usize).copied();
        agent.filter(|agent| self.world.exists(*agent)).ok_or_else(|| {
            let name = format!("{}/{key}", self.scenario.squads[squad].name);
            Error::new(ErrorKind::Gone, format!("'{name}' is gone, or never was"))
        })
    }

    fn entity(&self, who: Who) -> Result<Entity> {
        match who {
            Who::Actor(at) => self.actors[at].map(|id| id.entity()).ok_or_else(|| {
                Error::new(ErrorKind::Gone, format!("'{}' is gone", self.scenario.actors[at].name))
            }),
            who => self.agent(who).map(|agent| agent.entity()),
        }
    }

    /// Takes the world's new events into the story.
    fn listen(&mut self) {
        let events = self.world.events().get(self.told..).unwrap_or_default();
        let entries: Vec<_> = events.iter().map(|event| Entry::of(self, event)).collect();
        self.told = self.world.events().len();
        self.story.extend(entries);
    }

    /// Takes what was said and asked for into the story.
    fn hear(&mut self) {
        let notes = self.script_notes();
        let mut entries: Vec<_> = notes.iter().map(|line| Entry::said(self, None, line)).collect();
        let said = self.world.said().iter();
        entries.extend(said.map(|(agent, line)| Entry::said(self, Some(*agent), line)));
        entries.extend(self.world.commands().iter().map(|command| Entry::command(self, command)));
        self.story.extend(entries);
    }

    #[cfg(feature = "lua")]
    fn script_notes(&mut self) -> Vec<String> {
        self.world.script_notes()
    }

    #[cfg(not(feature = "lua"))]
    fn script_notes(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn note_problems(&mut self, now: f64) {
        // Not those of the tick alone: what an event did wrong came up before it.
        let new = self.world.all_problems().iter().skip(self.problems.len());
        self.problems.extend(new.map(|problem| (now, problem.clone())));
    }
}

/// Lets agents walk by the ways of a mesh, if the scenario has one.
#[cfg(feature = "navmesh")]
fn set_mesh(world: &mut World, scenario: &Scenario) -> Result<()> {
    let walkers = scenario.squads.iter().filter(|squad| !squad.flies);
    let radii: Vec<f32> = walkers.map(|squad| squad.limits.radius).collect();
    if let Some(ground) = scenario.ground.as_ref().filter(|ground| ground.navmesh && !radii.is_empty()) {
        let mesh = crate::nav::NavMesh::new(&ground.outline, &scenario.walls, &radii);
        world.set_navigation(mesh.map_err(|error| error.at(ground.place.clone()).on_path("ground"))?);
    }
    Ok(())
}

fn squad_desc(spec: &SquadSpec) -> SquadDesc {
    SquadDesc {
        name: spec.name.clone(),
        faction: spec.faction.clone(),
        team: spec.team.clone(),
        route: spec.route.clone(),
        route_order: spec.route_order,
        stops: spec.stops.clone(),
        grace: spec.grace,
        forget: spec.forget,
        target_margin: spec.target_margin,
        target_hold: spec.target_hold,
        key: None,
        tokens: spec.tokens.clone(),
    }
}
