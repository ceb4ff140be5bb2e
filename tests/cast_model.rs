//! Adding and removing squads, agents and actors in any order, against the slow way: what the world answers about who is
//! there is what a map of maps answers.

use proptest::prelude::*;
use std::collections::BTreeMap;
use warband::{
    ActorDesc, ActorId, AgentDesc, AgentId, BoardOf, Config, Drive, Snapshot, Spec, SquadDesc, SquadId, Vec3,
    World,
    blackboard::{KeyDecl, Scope, Value, ValueType},
    vec3,
};

#[derive(Clone, Debug)]
enum Act {
    /// A squad of that name, and its key.
    Squad(u8, Option<u32>),
    /// An agent of one of the squads, and its key.
    Agent(usize, Option<u32>),
    Actor(Option<u32>),
    Remove(usize),
    RemoveActor(usize),
    Tick,
    Save,
}

fn act() -> impl Strategy<Value = Act> {
    let key = || prop_oneof![3 => Just(None), 2 => (0_u32..40).prop_map(Some)];
    prop_oneof![
        4 => (0_u8..60, key()).prop_map(|(name, key)| Act::Squad(name, key)),
        8 => (any::<usize>(), key()).prop_map(|(squad, key)| Act::Agent(squad, key)),
        2 => key().prop_map(Act::Actor),
        2 => any::<usize>().prop_map(Act::Remove),
        1 => any::<usize>().prop_map(Act::RemoveActor),
        1 => Just(Act::Tick),
        1 => Just(Act::Save),
    ]
}

/// A squad as the map has it.
#[derive(Default)]
struct Pack {
    id: SquadId,
    name: String,
    next: u32,
    members: BTreeMap<u32, (AgentId, Vec3)>,
}

struct Both {
    world: World,
    packs: BTreeMap<u32, Pack>,
    actors: Vec<ActorId>,
    places: u32,
}

fn world() -> World {
    let mut world = World::new(Config { drive: Drive::Game, ..Config::default() });
    world.declare(KeyDecl::new("mark", Scope::Squad, ValueType::Integer)).expect("legal");
    world.add_tree("wait", &Spec::new("wait").set("seconds", 1e6)).expect("right");
    world
}

impl Both {
    fn new() -> Self {
        Self { world: world(), packs: BTreeMap::new(), actors: Vec::new(), places: 0 }
    }

    fn place(&mut self) -> Vec3 {
        self.places += 1;
        vec3(self.places as f32 * 3.0, 0.0, 0.0)
    }

    fn squad(&mut self, name: u8, key: Option<u32>) {
        let name = format!("pack {name}");
        let made = self.world.add_squad(SquadDesc { name: name.clone(), key, ..SquadDesc::default() });
        let key = key.unwrap_or_else(|| self.packs.keys().max().map_or(0, |key| key + 1));
        let taken = self.packs.contains_key(&key) || self.packs.values().any(|pack| pack.name == name);
        assert_eq!(made.is_err(), taken, "{made:?}");
        if let Ok(id) = made {
            self.world.set_value(BoardOf::Squad(id), "mark", i64::from(key)).expect("a key");
            self.packs.insert(key, Pack { id, name, ..Pack::default() });
        }
    }

    fn agent(&mut self, number: usize, key: Option<u32>) {
        let place = self.place();
        let Some(at) = number.checked_rem(self.packs.len()) else { return };
        let pack = self.packs.values_mut().nth(at).expect("one of them");
        let desc = AgentDesc { tree: "wait".into(), key, ..AgentDesc::at(place) };
        let made = self.world.spawn(pack.id, desc);
        let key = key.unwrap_or(pack.next);
        assert_eq!(made.is_err(), pack.members.contains_key(&key), "{made:?}");
        if let Ok(id) = made {
            pack.next = pack.next.max(key + 1);
            pack.members.insert(key, (id, place));
        }
    }

    fn remove(&mut self, number: usize) {
        let count = self.packs.values().map(|pack| pack.members.len()).sum::<usize>();
        let Some(at) = number.checked_rem(count) else { return };
        let all = self.packs.values().flat_map(|pack| pack.members.values());
        let (id, _) = *all.clone().nth(at).expect("one of them");
        self.world.remove(id);
        self.packs.values_mut().for_each(|pack| pack.members.retain(|_, (other, _)| *other != id));
        assert!(!self.world.exists(id));
    }

    fn save(&mut self) {
        let (digest, bytes) =
            (self.world.digest(), self.world.snapshot().to_bytes().expect("it can be encoded"));
        self.world = world();
        self.world.restore(&Snapshot::from_bytes(&bytes).expect("it is whole")).expect("of this world");
        assert_eq!(self.world.digest(), digest);
    }

    fn act(&mut self, act: &Act) {
        match *act {
            Act::Squad(name, key) => self.squad(name, key),
            Act::Agent(squad, key) => self.agent(squad, key),
            Act::Actor(key) => {
                let place = self.place();
                let desc = ActorDesc { faction: "wolves".into(), key, ..ActorDesc::at(place) };
                self.actors.push(self.world.add_actor(desc));
            }
            Act::Remove(number) => self.remove(number),
            Act::RemoveActor(number) => {
                if let Some(at) = number.checked_rem(self.actors.len()) {
                    self.world.remove(self.actors.swap_remove(at));
                }
            }
            Act::Tick => self.world.tick(1.0 / 60.0),
            Act::Save => self.save(),
        }
    }

    fn check(&self) {
        let world = &self.world;
        assert!(world.squads().eq(self.packs.values().map(|pack| pack.id)), "squads by key");
        for (key, pack) in &self.packs {
            assert_eq!(world.squad_named(&pack.name), Some(pack.id));
            assert_eq!(world.value(BoardOf::Squad(pack.id), "mark"), Ok(Value::Integer(i64::from(*key))));
            assert!(world.members(pack.id).eq(pack.members.values().map(|(id, _)| *id)), "members by key");
        }
        let there = world.outputs().map(|out| (out.squad, out.key, out.agent, out.position));
        let known = self
            .packs
            .values()
            .flat_map(|pack| pack.members.iter().map(|(key, (id, place))| (pack.id, *key, *id, *place)));
        assert!(there.eq(known), "each agent in its squad, under its key, at its place");
        assert!(self.actors.iter().all(|actor| world.exists(*actor)));
        assert!(world.all_problems().is_empty(), "{:?}", world.all_problems());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn who_is_there_is_what_a_map_of_maps_says(acts in prop::collection::vec(act(), 1..80)) {
        let mut both = Both::new();
        for act in &acts {
            both.act(act);
            both.check();
        }
    }
}
