//! Services run on enter, and then once an interval at a time that is each agent's own: a thousand agents that enter
//! in one tick do not all run in the same later tick.

use std::cell::RefCell;
use warband::tree::{Arity, Control, Cx, Kind, NodeDef, Part, Step};
use warband::{AgentDesc, Config, Spec, SquadDesc, World, vec3};

const DT: f64 = 1.0 / 60.0;

thread_local! {
    static NEXT: RefCell<Vec<(u32, u64)>> = RefCell::default();
}

/// What the phase of each agent is, as a node of a game's own sees it.
static ASKS_PHASE: NodeDef = NodeDef {
    children: Arity::One,
    ..NodeDef::new("asks_phase", Kind::Decorator, "notes its agent's phase in a second", |_| {
        Part::control(AsksPhase)
    })
};

struct AsksPhase;

impl Control for AsksPhase {
    fn enter(&self, cx: &mut Cx<'_>) -> Step {
        let seen = (cx.view().key(), cx.view().phase(1_000_000_000));
        assert_eq!(cx.view().phase(0), 0);
        NEXT.with_borrow_mut(|next| next.push(seen));
        Step::Continue
    }
}

fn squads(world: &mut World, squads: u32, each: u32) {
    for number in 0..squads {
        let desc = SquadDesc { name: format!("pack{number}"), ..SquadDesc::default() };
        let squad = world.add_squad(desc).expect("a new squad");
        for at in 0..each {
            let place = vec3(at as f32 * 2.0, 0.0, number as f32 * 40.0);
            let desc = AgentDesc { tree: "tree".into(), ..AgentDesc::at(place) };
            world.spawn(squad, desc).expect("there is room");
        }
    }
}

#[test]
fn turns_are_spread_evenly_by_key_and_squad() {
    NEXT.with_borrow_mut(Vec::clear);
    let mut world = World::new(Config::default());
    world.register(&ASKS_PHASE).expect("the name is free");
    world.add_tree("tree", &Spec::new("asks_phase").with(Spec::new("patrol"))).expect("it is right");
    squads(&mut world, 125, 8);
    world.tick(DT);
    let mut tenths = [0; 10];
    NEXT.with_borrow(|next| {
        assert_eq!(next.len(), 1000);
        next.iter().for_each(|(_, phase)| tenths[(phase / 100_000_000) as usize] += 1);
        // The members of one squad are spread too.
        let mut first = next[..8].iter().map(|(_, phase)| *phase).collect::<Vec<_>>();
        first.sort_unstable();
        let nearest = first.windows(2).map(|pair| pair[1] - pair[0]).min().expect("pairs");
        assert!(nearest >= 50_000_000, "two of eight within {nearest} ns: {first:?}");
    });
    assert!(tenths.iter().all(|count| (80..=120).contains(count)), "{tenths:?}");
}

#[cfg(feature = "lua")]
mod lua {
    use super::*;

    /// Who ran the service in each tick.
    fn runs(interval: f64, dts: &[f64]) -> Vec<Vec<(u32, u32)>> {
        let mut world = World::new(Config::default());
        let script = format!(
            "return bt.tree(\"tree\", bt.service {{ interval = {interval}, run = function(self) self:say(\"\") end, bt.wait {{ seconds = 1000 }} }})"
        );
        world.reload("tree.lua", &script).expect("the script is right");
        squads(&mut world, 125, 8);
        let key = |world: &World, agent| world.output(agent).expect("it is there").key;
        let tick = |dt: &f64| {
            world.tick(*dt);
            world
                .said()
                .iter()
                .map(|(agent, _)| (agent.entity().pack() as u32, key(&world, *agent)))
                .collect()
        };
        dts.iter().map(tick).collect()
    }

    #[test]
    fn a_thousand_agents_that_enter_together_do_not_run_together() {
        let runs = runs(0.5, &[DT; 211]);
        assert_eq!(runs[0].len(), 1000, "all run on enter");
        // 1,000 agents in 30 ticks are 33.3 a tick.
        for (tick, who) in runs.iter().enumerate().skip(1) {
            assert!((28..=40).contains(&who.len()), "{} in tick {tick}", who.len());
        }
        // Each once in each interval, in each of seven.
        for round in 0..7 {
            let mut who = runs[1 + round * 30..31 + round * 30].concat();
            who.sort_unstable();
            let count = who.len();
            who.dedup();
            assert_eq!((count, who.len()), (1000, 1000), "round {round}");
        }
    }

    #[test]
    fn a_long_tick_does_not_bring_them_together() {
        let mut dts = vec![DT; 40];
        dts.extend([0.25; 3]);
        dts.extend([DT; 60]);
        let runs = runs(0.1, &dts);
        assert!(
            runs[40..43].iter().all(|who| who.len() == 1000),
            "each is due in a tick longer than its interval"
        );
        for (tick, who) in runs.iter().enumerate().skip(43) {
            assert!((150..=185).contains(&who.len()), "{} in tick {tick}, 166.7 are due", who.len());
        }
    }

    #[test]
    fn without_an_interval_it_runs_each_tick() {
        assert!(runs(0.0, &[DT; 5]).iter().all(|who| who.len() == 1000));
    }
}
