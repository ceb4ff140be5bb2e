//! Tokens of a target, shared by all squads that hunt it: given between two ticks to those who asked first, returned
//! however their holder ends, and lost when the target is.

use warband::rng::Dice;
use warband::{
    ActorDesc, ActorId, AgentDesc, AgentId, Config, Error, ErrorKind, Spec, SquadDesc, SquadId, Vec3, World,
    vec3,
};

const DT: f64 = 1.0 / 60.0;

fn wait(seconds: f64) -> Spec {
    Spec::new("wait").set("seconds", seconds)
}

fn lease_of(of: &str, child: Spec) -> Spec {
    let attack = Spec::new("mode").set("name", "attack").with(child);
    Spec::new("lease").set("token", "melee").set("of", of).with(attack)
}

fn lease(child: Spec) -> Spec {
    lease_of("target", child)
}

fn idle() -> Spec {
    Spec::new("mode").set("name", "idle").with(wait(1000.0))
}

/// Attacks whenever there is somebody to attack and a token, and else does nothing.
fn hunter(lease: Spec) -> Spec {
    Spec::new("reactive_selector")
        .with(Spec::new("guard").when(Spec::new("sees_target")).with(lease))
        .with(idle())
}

struct Hunt {
    world: World,
    player: ActorId,
    squads: Vec<SquadId>,
}

fn seat(squad: u32, key: u32) -> Vec3 {
    let angle = (squad * 16 + key) as f32 * 0.37;
    vec3(libm::cosf(angle), 0.0, libm::sinf(angle)) * (12.0 + squad as f32 * 3.0)
}

fn agent(squad: u32, key: u32) -> AgentDesc {
    let place = seat(squad, key);
    AgentDesc { tree: "tree".into(), key: Some(key), facing: -place, ..AgentDesc::at(place) }
}

fn add_squad(world: &mut World, key: u32) -> SquadId {
    let desc =
        SquadDesc { name: format!("pack{key}"), key: Some(key), forget: Some(0.5), ..SquadDesc::default() };
    world.add_squad(desc).expect("a new squad")
}

/// So many hunters in each squad, round a player at the origin who offers so many tokens.
fn hunt_with(tree: &Spec, sizes: &[u32], capacity: Option<u32>, config: Config) -> Hunt {
    let mut world = World::new(config);
    world.add_tree("tree", tree).expect("the tree is right");
    let tokens = capacity.map(|capacity| ("melee".to_owned(), capacity)).into_iter().collect();
    let player = world.add_actor(ActorDesc { tokens, ..ActorDesc::at(Vec3::ZERO) });
    let mut squads = Vec::new();
    for (squad, size) in (0..).zip(sizes) {
        squads.push(add_squad(&mut world, squad));
        for key in 0..*size {
            world.spawn(squads[squad as usize], agent(squad, key)).expect("a new agent");
        }
    }
    Hunt { world, player, squads }
}

fn hunt(tree: &Spec, sizes: &[u32], capacity: Option<u32>) -> Hunt {
    hunt_with(tree, sizes, capacity, Config { seed: 3, ..Config::default() })
}

impl Hunt {
    fn ticks(&mut self, count: u32) {
        (0..count).for_each(|_| self.world.tick(DT));
    }
    /// Squad and key.
    fn name(&self, agent: AgentId) -> (usize, u32) {
        let out = self.world.output(agent).unwrap_or_else(|| panic!("{agent:?} is gone and holds or waits"));
        (self.squads.iter().position(|squad| *squad == out.squad).expect("a squad"), out.key)
    }
    fn list(&self, of: impl Into<warband::Entity>) -> [Vec<(usize, u32)>; 2] {
        let token = self.world.token_of(of, "melee");
        let names = |list: Vec<AgentId>| list.into_iter().map(|agent| self.name(agent)).collect();
        token.map_or([Vec::new(), Vec::new()], |token| {
            [names(token.holders().collect()), names(token.queue().collect())]
        })
    }
    fn holders(&self) -> Vec<(usize, u32)> {
        let [holders, _] = self.list(self.player);
        holders
    }
    fn queue(&self) -> Vec<(usize, u32)> {
        let [_, queue] = self.list(self.player);
        queue
    }
    /// Those whose lease has begun, in the order of squads and keys.
    fn attackers(&self) -> Vec<(usize, u32)> {
        let agents = self.world.outputs().map(|out| out.agent);
        let below = |agent: &AgentId| {
            let running = self.world.why(*agent).map_or(Vec::new(), |why| why.running);
            running.iter().any(|path| path.contains("lease/"))
        };
        agents.filter(below).map(|agent| self.name(agent)).collect()
    }
    fn agent(&self, squad: usize, key: u32) -> AgentId {
        let mut members = self.world.members(self.squads[squad]);
        members.find(|agent| self.name(*agent).1 == key).expect("a member")
    }
    fn faults(&self) -> Vec<&Error> {
        self.world.all_problems().iter().map(|problem| &problem.error).collect()
    }
}

#[test]
fn two_squads_share_the_places_of_one_target() {
    let mut hunt = hunt(&hunter(lease(wait(9.0))), &[3, 3], Some(2));
    hunt.ticks(1);
    // Asked for in the first tick, settled after it, begun in the second.
    assert_eq!((hunt.holders(), hunt.attackers()), (vec![(0, 0), (0, 1)], vec![]));
    hunt.ticks(1);
    assert_eq!(hunt.attackers(), [(0, 0), (0, 1)]);
    let refused = hunt.world.outputs().filter(|out| out.mode == "idle").count();
    assert_eq!(refused, 4, "who does not wait does something else");
    assert_eq!(hunt.queue(), []);
}

#[test]
fn one_queue_for_both_squads_is_served_in_the_order_of_asking() {
    let mut hunt = hunt(&hunter(lease(wait(0.5)).set("wait", true)), &[5, 3], Some(2));
    let mut turns = std::collections::BTreeMap::new();
    let mut before = Vec::new();
    for _ in 0..1200 {
        hunt.ticks(1);
        let now = hunt.holders();
        assert!(now.len() <= 2 && hunt.attackers().len() <= 2, "{now:?}");
        now.iter().filter(|one| !before.contains(*one)).for_each(|one| *turns.entry(*one).or_insert(0) += 1);
        before = now;
    }
    let (least, most) = (turns.values().min().expect("eight"), turns.values().max().expect("eight"));
    assert!(turns.len() == 8 && most - least <= 1 && *least >= 8, "all have their turn: {turns:?}");
    assert!(hunt.faults().is_empty(), "{:?}", hunt.faults());
}

#[test]
fn the_order_of_adding_is_not_felt() {
    let tree = hunter(lease(wait(0.3)).set("wait", true));
    let run = |backwards: bool| {
        let mut world = World::new(Config { seed: 3, ..Config::default() });
        world.add_tree("tree", &tree).expect("right");
        let turned = |count: u32| (0..count).map(move |at| if backwards { count - 1 - at } else { at });
        let mut squads = vec![SquadId::default(); 3];
        let tokens = vec![("melee".to_owned(), 2)];
        let player = ActorDesc { tokens, ..ActorDesc::at(Vec3::ZERO) };
        let before = (!backwards).then(|| world.add_actor(player.clone()));
        turned(3).for_each(|squad| squads[squad as usize] = add_squad(&mut world, squad));
        for (squad, key) in turned(3).flat_map(|squad| turned(4).map(move |key| (squad, key))) {
            world.spawn(squads[squad as usize], agent(squad, key)).expect("new");
        }
        let player = before.unwrap_or_else(|| world.add_actor(player));
        let mut hunt = Hunt { world, player, squads };
        let lists = |hunt: &mut Hunt| {
            hunt.ticks(1);
            hunt.list(hunt.player)
        };
        (0..200).map(|_| lists(&mut hunt)).collect::<Vec<_>>()
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn nobody_can_tell_who_thought_before_him() {
    // Who gives it back thinks before one of the squads and after the other: both learn of it in the same tick.
    let asks = |key: i32| {
        let turn = Spec::new("compare").set("key", "turn").set("is", "==").set("to", key);
        Spec::new("guard").when(turn)
    };
    let seen = Spec::new("sequence")
        .with(Spec::new("token_free").set("token", "melee").set("of", "target"))
        .with(Spec::new("log").set("text", "free"));
    let tree = Spec::new("reactive_selector")
        .with(asks(1).with(lease(wait(99.0))))
        .with(asks(2).with(seen))
        .with(idle());
    let mut hunt = hunt(&Spec::new("succeed"), &[1, 1, 1], Some(1));
    let decl =
        warband::KeyDecl::new("turn", warband::Scope::Squad, warband::ValueType::Integer).default(0_i64);
    hunt.world.declare(decl).expect("legal");
    hunt.world.add_tree("tree", &tree).expect("right");
    let set = |hunt: &mut Hunt, squad: usize, turn: i64| {
        hunt.world.set_value(warband::BoardOf::Squad(hunt.squads[squad]), "turn", turn).expect("right");
    };
    set(&mut hunt, 1, 1);
    hunt.ticks(2);
    assert_eq!(hunt.attackers(), [(1, 0)]);
    set(&mut hunt, 0, 2);
    set(&mut hunt, 2, 2);
    set(&mut hunt, 1, 0);
    hunt.ticks(1);
    assert!(hunt.holders().is_empty() && hunt.world.said().is_empty(), "{:?}", hunt.world.said());
    hunt.ticks(1);
    assert_eq!(hunt.world.said().len(), 2, "{:?}", hunt.world.said());
}

#[test]
fn it_is_returned_on_success_failure_death_halt_and_swap() {
    let whole = |child: Spec| hunter(lease(child).set("wait", true));
    let trees = ["other tree", "changed tree", "changed lease", "unchanged tree", "slot"];
    for end in ["success", "failure", "death", "halt"].into_iter().chain(trees) {
        let child = match end {
            "success" => wait(0.05),
            "failure" => Spec::new("invert").with(wait(0.05)),
            "slot" => Spec::new("slot").set("name", "attack").with(wait(99.0)),
            _ => wait(99.0),
        };
        let mut hunt = hunt(&whole(child.clone()), &[1, 2], Some(1));
        hunt.world.add_tree("other", &idle()).expect("right");
        hunt.ticks(2);
        assert_eq!((hunt.holders(), hunt.attackers()), (vec![(0, 0)], vec![(0, 0)]), "{end}");
        assert_eq!(hunt.queue(), [(1, 0), (1, 1)], "{end}");
        let first = hunt.agent(0, 0);
        match end {
            "death" => hunt.world.remove(first),
            "halt" => hunt.world.halt(first),
            "other tree" => hunt.world.set_tree(first, "other").expect("a tree"),
            "changed tree" => hunt.world.add_tree("tree", &whole(wait(3.0))).expect("right"),
            "changed lease" => {
                let tree = hunter(lease(child).set("wait", true).set("hold", 5.0));
                hunt.world.add_tree("tree", &tree).expect("right");
            }
            "unchanged tree" => hunt.world.add_tree("tree", &whole(child)).expect("right"),
            "slot" => hunt.world.set_slot("attack", &wait(3.0)).expect("right"),
            _ => hunt.ticks(5),
        }
        // At once to who waits longest: what he waits in has not changed, unless it is the lease itself. A change below
        // the lease leaves it where it is.
        let wanted = match end {
            "changed lease" => vec![],
            "unchanged tree" | "changed tree" | "slot" => vec![(0, 0)],
            _ => vec![(1, 0)],
        };
        assert_eq!(hunt.holders(), wanted, "{end}");
        hunt.ticks(1);
        assert_eq!(hunt.holders().len(), 1, "{end}");
        assert!(hunt.faults().is_empty(), "{end}: {:?}", hunt.faults());
    }
}

#[test]
fn who_is_lost_takes_his_tokens_with_him_and_the_reason_is_told() {
    let reasons = [
        ("removed", "whose token it is is gone"),
        ("hidden", "whose token it is is gone"),
        ("taken back", "the token was taken back"),
        ("another", "the squad is after somebody else than whose token it is"),
    ];
    for (end, reason) in reasons {
        // Without a guard above it: the lease itself has to see it.
        let tree = Spec::new("selector").with(lease(wait(99.0)).set("wait", true)).with(idle());
        let mut hunt = hunt(&tree, &[1, 2], Some(1));
        let second = (end == "another").then(|| hunt.world.add_actor(ActorDesc::at(vec3(900.0, 0.0, 0.0))));
        let (first, late) = (hunt.agent(0, 0), hunt.agent(1, 1));
        [first, late].iter().for_each(|agent| hunt.world.set_history(*agent, 32));
        hunt.ticks(2);
        assert_eq!((hunt.holders(), hunt.queue()), (vec![(0, 0)], vec![(1, 0), (1, 1)]), "{end}");
        match end {
            "removed" => hunt.world.remove(hunt.player),
            "hidden" => hunt.world.set_present(hunt.player, false),
            "taken back" => {
                hunt.world.set_present(hunt.player, false);
                hunt.world.set_present(hunt.player, true);
            }
            _ => {
                // Out of sight for longer than the squads remember, and somebody else stands there.
                hunt.world.set_actor(hunt.player, vec3(900.0, 0.0, 30.0), Vec3::ZERO);
                hunt.world.set_actor(second.expect("there are two"), Vec3::ZERO, Vec3::ZERO);
            }
        }
        let still = hunt.list(hunt.player);
        assert_eq!(still == [vec![], vec![]], end != "another", "{end}: {still:?}");
        hunt.ticks(if end == "another" { 40 } else { 1 });
        assert_eq!((hunt.holders(), hunt.queue()), (vec![], vec![]), "{end}");
        assert_eq!(hunt.attackers(), [], "{end}");
        let told = hunt.world.history(first);
        let aborted = told.iter().find(|moment| moment.what == "aborted (its token was gone)");
        let aborted = aborted.unwrap_or_else(|| panic!("{end}: {told:?}"));
        assert_eq!(aborted.reason.because, reason, "{end}");
        assert_eq!(aborted.reason.path, "selector/1.lease", "{end}");
        assert!(hunt.faults().is_empty(), "{end}: {:?}", hunt.faults());
    }
}

#[test]
fn a_target_that_comes_back_has_its_tokens_and_no_old_holders() {
    let mut hunt = hunt(&hunter(lease(wait(99.0)).set("wait", true)), &[2, 2], Some(2));
    hunt.ticks(2);
    hunt.world.set_present(hunt.player, false);
    hunt.ticks(3);
    assert_eq!((hunt.attackers(), hunt.holders()), (vec![], vec![]));
    hunt.world.set_present(hunt.player, true);
    hunt.ticks(2);
    assert_eq!(hunt.attackers(), [(0, 0), (0, 1)]);
    assert_eq!(hunt.world.token_of(hunt.player, "melee").map(|token| token.capacity()), Some(2));
}

#[test]
fn a_second_child_is_what_is_done_until_the_token_is_there() {
    let meanwhile = |seconds: f64| Spec::new("mode").set("name", "circle").with(wait(seconds));
    for of in ["target", "squad"] {
        let lease = lease_of(of, wait(0.5)).set("wait", true);
        let mut hunt = hunt(&hunter(lease.clone().with(meanwhile(99.0))), &[2], Some(1));
        let modes = |hunt: &Hunt| hunt.world.outputs().map(|out| out.mode.to_owned()).collect::<Vec<_>>();
        hunt.ticks(2);
        assert_eq!(modes(&hunt), ["attack", "circle"], "{of}");
        let second = hunt.agent(0, 1);
        let path = hunt.world.running(second).expect("it runs").to_owned();
        assert!(path.contains("lease/2.mode"), "{of}: {path}");
        // The first is through after half a second, and then waits in his turn.
        hunt.ticks(33);
        assert_eq!(modes(&hunt), ["circle", "attack"], "{of}");
        // One that ends leaves the waiting to the lease.
        let mut hunt = self::hunt(&hunter(lease.with(meanwhile(0.1))), &[2], Some(1));
        hunt.ticks(20);
        let path = hunt.world.running(hunt.agent(0, 1)).expect("it runs").to_owned();
        assert!(path.ends_with("lease"), "{of}: {path}");
        hunt.ticks(15);
        assert!(hunt.world.running(hunt.agent(0, 1)).expect("it runs").contains("lease/1.mode"), "{of}");
    }
}

/// A parallel of two leases of one agent, each with its own switch.
fn two_nodes() -> Spec {
    let on = |key: &str| Spec::new("has_value").set("key", key);
    let half = |key: &str| {
        let lease = Spec::new("guard").when(on(key)).with(lease(wait(99.0)).set("wait", true));
        Spec::new("reactive_selector").with(lease).with(wait(1000.0))
    };
    Spec::new("parallel").with(half("one")).with(half("two"))
}

fn with_switches(sizes: &[u32], capacity: u32) -> Hunt {
    let mut hunt = hunt(&idle(), sizes, Some(capacity));
    for key in ["one", "two"] {
        let decl = warband::KeyDecl::new(key, warband::Scope::Agent, warband::ValueType::Bool);
        hunt.world.declare(decl).expect("legal");
    }
    hunt.world.add_tree("tree", &two_nodes()).expect("right");
    hunt
}

fn switch(hunt: &mut Hunt, squad: usize, key: u32, name: &str, on: bool) {
    let agent = hunt.agent(squad, key);
    hunt.world.set_value(warband::BoardOf::Agent(agent), name, on).expect("right");
    hunt.ticks(2);
}

#[test]
fn two_nodes_of_one_agent_take_one_place_and_return_it_with_the_last() {
    let mut hunt = with_switches(&[1, 1], 1);
    switch(&mut hunt, 0, 0, "one", true);
    switch(&mut hunt, 0, 0, "two", true);
    switch(&mut hunt, 1, 0, "one", true);
    assert_eq!((hunt.holders(), hunt.queue()), (vec![(0, 0)], vec![(1, 0)]));
    switch(&mut hunt, 0, 0, "one", false);
    assert_eq!((hunt.holders(), hunt.queue()), (vec![(0, 0)], vec![(1, 0)]));
    switch(&mut hunt, 0, 0, "two", false);
    assert_eq!((hunt.holders(), hunt.queue()), (vec![(1, 0)], vec![]));
    // Two that wait take one place in the queue, and keep it until both have left.
    switch(&mut hunt, 0, 0, "one", true);
    switch(&mut hunt, 0, 0, "two", true);
    assert_eq!(hunt.queue(), [(0, 0)]);
    switch(&mut hunt, 0, 0, "one", false);
    assert_eq!(hunt.queue(), [(0, 0)]);
    switch(&mut hunt, 1, 0, "one", false);
    assert_eq!((hunt.holders(), hunt.attackers()), (vec![(0, 0)], vec![(0, 0)]));
    switch(&mut hunt, 0, 0, "two", false);
    assert_eq!((hunt.holders(), hunt.queue()), (vec![], vec![]));
    // Both at once: both are given it.
    let agent = hunt.agent(0, 0);
    ["one", "two"].iter().for_each(|key| {
        hunt.world.set_value(warband::BoardOf::Agent(agent), key, true).expect("right");
    });
    hunt.ticks(2);
    assert_eq!(hunt.holders(), [(0, 0)]);
    let running = hunt.world.why(agent).expect("there").running;
    assert_eq!(running.iter().filter(|path| path.contains("lease")).count(), 2, "{running:?}");
    hunt.world.halt(agent);
    assert_eq!(hunt.holders(), []);
}

#[test]
fn a_long_holder_gives_way_to_the_other_squad_and_keeps_it_while_nobody_waits() {
    let tree = hunter(lease(wait(99.0)).set("wait", true).set("hold", 0.5));
    let mut hunt = hunt(&tree, &[1, 0], Some(1));
    hunt.ticks(120);
    assert_eq!(hunt.attackers(), [(0, 0)], "nobody waits");
    assert_eq!(hunt.world.asleep(), 1, "and nobody is asked");
    let holder = hunt.agent(0, 0);
    hunt.world.set_history(holder, 8);
    hunt.world.spawn(hunt.squads[1], agent(1, 5)).expect("new");
    hunt.ticks(3);
    assert_eq!((hunt.attackers(), hunt.queue()), (vec![(1, 5)], vec![(0, 0)]));
    let told = hunt.world.history(holder);
    let because =
        &told.iter().find(|moment| moment.what.starts_with("aborted")).expect("it was").reason.because;
    assert!(
        because.starts_with("the token was held for 2.0") && because.ends_with("s, and others wait"),
        "{because}"
    );
    // From now on they change places every half second.
    let mut changes = 0;
    for _ in 0..10 {
        let before = hunt.attackers();
        hunt.ticks(32);
        changes += u32::from(before != hunt.attackers());
    }
    assert!((8..=10).contains(&changes), "{changes}");
}

#[test]
fn the_capacity_can_be_changed_while_it_is_held() {
    let mut hunt = hunt(&hunter(lease(wait(99.0)).set("wait", true).set("capacity", 5)), &[2, 2], Some(1));
    hunt.ticks(2);
    assert_eq!(hunt.holders(), [(0, 0)], "what the target says stands");
    hunt.world.offer_token(hunt.player, "melee", 3);
    assert_eq!(hunt.holders(), [(0, 0), (0, 1), (1, 0)], "at once, in the order of asking");
    hunt.ticks(1);
    assert_eq!(hunt.attackers().len(), 3);
    hunt.world.offer_token(hunt.player, "melee", 1);
    hunt.ticks(5);
    assert_eq!(hunt.holders().len(), 3, "who has it keeps it");
    let (first, second) = (hunt.agent(0, 0), hunt.agent(0, 1));
    hunt.world.remove(first);
    hunt.world.remove(second);
    assert_eq!((hunt.holders(), hunt.queue()), (vec![(1, 0)], vec![(1, 1)]));
    hunt.world.offer_token(hunt.player, "melee", 0);
    let third = hunt.agent(1, 0);
    hunt.world.remove(third);
    hunt.ticks(5);
    assert_eq!((hunt.holders(), hunt.queue()), (vec![], vec![(1, 1)]), "closed");
    hunt.world.remove(hunt.player);
    assert!(hunt.world.token_of(hunt.player, "melee").is_none());
    assert!(hunt.faults().is_empty());
    hunt.world.offer_token(hunt.player, "melee", 1);
    assert_eq!(hunt.faults()[0].kind(), ErrorKind::Gone);
    assert!(hunt.faults()[0].to_string().contains("cannot offer the token 'melee'"), "{}", hunt.faults()[0]);
    // A squad's token is offered in the same way.
    hunt.world.offer_token(hunt.squads[1], "horn", 4);
    assert_eq!(hunt.world.token(hunt.squads[1], "horn").map(|token| token.capacity()), Some(4));
}

#[test]
fn what_a_target_does_not_offer_is_offered_by_who_asks() {
    let mut hunt = hunt(&hunter(lease(wait(99.0))), &[2, 2], None);
    hunt.ticks(2);
    assert_eq!(hunt.attackers(), [(0, 0)], "one, if nobody says how many");
    let mut hunt = self::hunt(&hunter(lease(wait(99.0)).set("capacity", 3)), &[2, 2], None);
    hunt.ticks(2);
    assert_eq!(hunt.attackers(), [(0, 0), (0, 1), (1, 0)]);
    // An agent is a target like any other.
    let other = hunt.agent(0, 0);
    hunt.world.offer_token(other, "melee", 2);
    assert_eq!(hunt.world.token_of(other, "melee").map(|token| token.capacity()), Some(2));
}

#[test]
fn who_thinks_seldom_or_waits_for_the_budget_holds_no_more_than_the_others() {
    let tree = hunter(lease(wait(0.2)).set("wait", true));
    let config = Config { seed: 3, think_budget: Some(20), ..Config::default() };
    let mut hunt = hunt_with(&tree, &[4, 4], Some(2), config);
    for key in 10..14 {
        hunt.world.spawn(hunt.squads[1], AgentDesc { think_interval: 0.3, ..agent(1, key) }).expect("new");
    }
    let mut served = std::collections::BTreeSet::new();
    for _ in 0..1500 {
        hunt.ticks(1);
        assert!(hunt.holders().len() <= 2 && hunt.attackers().len() <= 2);
        served.extend(hunt.attackers());
    }
    assert_eq!(served.len(), 12, "{served:?}");
}

#[test]
fn waiting_in_the_queue_costs_nothing() {
    let mut hunt = hunt(&hunter(lease(wait(1000.0)).set("wait", true)), &[4, 4], Some(1));
    hunt.ticks(10);
    assert_eq!((hunt.world.asleep(), hunt.world.visits()), (8, 0));
    let first = hunt.agent(0, 0);
    hunt.world.remove(first);
    hunt.ticks(1);
    assert_eq!(hunt.attackers(), [(0, 1)], "whoever gets it wakes in the next tick");
    hunt.ticks(3);
    assert_eq!(hunt.world.asleep(), 7);
}

/// A world with two players and three squads, in which the dice do what games do.
fn shaken(sleep: bool) -> (Hunt, ActorId) {
    let free = Spec::new("token_free").set("token", "melee").set("of", "target");
    let short = lease(wait(0.4)).set("hold", 0.2);
    let tree = Spec::new("reactive_selector")
        .with(Spec::new("guard").when(free).with(short))
        .with(
            Spec::new("guard").when(Spec::new("sees_target")).with(
                Spec::new("time_limit")
                    .set("seconds", 0.5)
                    .with(lease(wait(0.3)).set("wait", true).set("hold", 0.25)),
            ),
        )
        .with(idle());
    let config = Config { seed: 8, sleep, ..Config::default() };
    let mut hunt = hunt_with(&tree, &[3, 2, 3], Some(2), config);
    let waits = hunter(lease(wait(0.7)).set("wait", true).set("hold", 0.3));
    hunt.world.add_tree("waits", &waits).expect("right");
    hunt.world.add_tree("other", &Spec::new("parallel").with(waits.clone()).with(tree)).expect("right");
    let second = hunt.world.add_actor(ActorDesc::at(vec3(6.0, 0.0, 0.0)));
    (hunt, second)
}

fn shake(hunt: &mut Hunt, second: ActorId, tick: u64) {
    let mut dice = Dice::new(21, &[tick]);
    let player = if dice.below(2) == 0 { hunt.player } else { second };
    let agents: Vec<AgentId> = hunt.world.outputs().map(|out| out.agent).collect();
    let agent = agents[dice.below(agents.len() as u64) as usize];
    match dice.below(80) {
        0 => hunt.world.set_present(player, false),
        1 | 2 => hunt.world.set_present(player, true),
        3 => {
            hunt.world.set_present(player, false);
            hunt.world.set_present(player, true);
        }
        4 => hunt.world.set_actor(player, vec3(900.0, 0.0, 0.0), Vec3::ZERO),
        5 => hunt.world.set_actor(player, Vec3::ZERO, Vec3::ZERO),
        6 => hunt.world.halt(agent),
        7 => hunt.world.set_tree(agent, "waits").expect("a tree"),
        8 => hunt.world.set_tree(agent, "other").expect("a tree"),
        9 => hunt.world.set_tree(agent, "tree").expect("a tree"),
        10 if agents.len() > 4 => hunt.world.remove(agent),
        11 | 12 => {
            let squad = dice.below(3) as u32;
            let desc = AgentDesc { key: None, ..self::agent(squad, tick as u32 % 40) };
            hunt.world.spawn(hunt.squads[squad as usize], desc).expect("new");
        }
        _ => {}
    }
    hunt.world.tick(1.0 / 30.0);
}

#[test]
fn whatever_happens_nobody_holds_too_much_and_sleep_is_not_seen() {
    let ((mut one, second), (mut other, _)) = (shaken(true), shaken(false));
    let (mut slept, mut held, mut waited) = (0, 0, 0);
    for tick in 0..6000 {
        shake(&mut one, second, tick);
        shake(&mut other, second, tick);
        assert_eq!(one.world.digest(), other.world.digest(), "tick {tick}");
        assert_eq!(one.world.events(), other.world.events(), "tick {tick}");
        for (player, most) in [(one.player, 2), (second, 1)] {
            let [holders, queue] = one.list(player);
            assert!(holders.len() <= most, "tick {tick}: {holders:?}");
            let mut all = [holders.clone(), queue.clone()].concat();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), holders.len() + queue.len(), "tick {tick}: {holders:?} {queue:?}");
            (held, waited) = (held + holders.len(), waited + queue.len());
        }
        // Whoever attacks has the token of one of them.
        assert!(one.attackers().len() <= 3, "tick {tick}");
        slept += one.world.asleep();
    }
    assert!(one.faults().is_empty(), "{:?}", one.faults());
    assert!(slept > 6000 && held > 6000 && waited > 6000, "{slept} {held} {waited}");
    // Nothing is left behind when all trees are stopped.
    let agents: Vec<AgentId> = one.world.outputs().map(|out| out.agent).collect();
    agents.iter().for_each(|agent| one.world.halt(*agent));
    let left = [one.list(one.player), one.list(second)];
    assert!(left.iter().flatten().all(Vec::is_empty), "{left:?}");
}

/// The same tree as [`hunter`] makes, and the same tick by tick.
#[cfg(feature = "lua")]
#[test]
fn from_lua_it_is_the_same() {
    let text = r#"
return bt.tree("tree", bt.reactive_selector {
  bt.guard {
    when = bt.sequence { bt.sees_target {}, bt.token_free { token = "melee", of = "target" } },
    bt.lease {
      token = "melee", of = "target", hold = 0.3, wait = true,
      bt.mode { name = "attack", bt.wait { seconds = 0.4 } },
      bt.mode { name = "circle", bt.wait { seconds = 0.1 } },
    },
  },
  bt.mode { name = "idle", bt.wait { seconds = 1000 } },
})
"#;
    let asked = Spec::new("token_free").set("token", "melee").set("of", "target");
    let circle = Spec::new("mode").set("name", "circle").with(wait(0.1));
    let lease = lease(wait(0.4)).set("hold", 0.3).set("wait", true).with(circle);
    let tree = Spec::new("reactive_selector")
        .with(
            Spec::new("guard")
                .when(Spec::new("sequence").with(Spec::new("sees_target")).with(asked))
                .with(lease),
        )
        .with(idle());
    let mut rust = hunt(&tree, &[2, 3], Some(2));
    let mut lua = hunt(&idle(), &[2, 3], Some(2));
    lua.world.reload("tree.lua", text).expect("the script is right");
    let mut attacks = 0;
    for tick in 0..400 {
        rust.ticks(1);
        lua.ticks(1);
        assert_eq!((rust.holders(), rust.queue()), (lua.holders(), lua.queue()), "tick {tick}");
        assert_eq!(rust.world.digest(), lua.world.digest(), "tick {tick}");
        attacks += lua.attackers().len();
    }
    assert!(attacks > 400, "{attacks}");
    assert!(lua.faults().is_empty(), "{:?}", lua.faults());
}
