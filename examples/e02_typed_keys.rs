//! Blackboard keys are declared before they are used, each with a scope and a type. A [`Key`] is looked up once and
//! carries its Rust type; a misspelt name, another type or another board is refused where it happens, and the old
//! value stays. An observer is told once when the value became another.
//!
//! ```text
//! alarm is Some(false), smell_at is None
//! refused: unknown key 'alrm' (did you mean 'alarm'?)
//! refused: key 'steps' is integer, not bool
//! refused: key 'alarm' is bool, got string "loud" (the old value stays)
//! refused: key 'alarm' belongs to the squad, not to the world
//! refused: key 'smell_at' is vec3, got vec3 (NaN, NaN, NaN) (the old value stays)
//! refused: key 'alarm' is declared as team bool here and as squad bool before (use one declaration, or make type, scope, default and ttl agree)
//! tick 3: alarm changed to Bool(true)
//! tick 4: smell_at changed to Vec3(Vec3(1.0, 0.0, 0.0))
//! tick 8: smell_at changed to Nothing
//! the wolf's steps: Some(10)
//! ```
use warband::{
    AgentDesc, BoardOf, Config, Key, KeyDecl, Result, Scope, Spec, SquadDesc, ValueType, Vec3, World,
};

fn main() -> Result<()> {
    let mut world = World::new(Config::default());
    world.declare(KeyDecl::new("alarm", Scope::Squad, ValueType::Bool).default(false))?;
    world.declare(KeyDecl::new("smell_at", Scope::Squad, ValueType::Vec3).ttl(0.5))?;
    world.declare(KeyDecl::new("steps", Scope::Agent, ValueType::Integer).default(0_i64))?;
    let alarm: Key<bool> = world.key("alarm")?;
    let smell_at: Key<Vec3> = world.key("smell_at")?;
    let steps: Key<i64> = world.key("steps")?;

    world.add_tree("counter", &Spec::new("increment").set("key", "steps"))?;
    let pack = world.add_squad(SquadDesc { name: "pack".into(), ..SquadDesc::default() })?;
    let wolf = world.spawn(pack, AgentDesc { tree: "counter".into(), ..AgentDesc::default() })?;
    let board = BoardOf::Squad(pack);

    println!("alarm is {:?}, smell_at is {:?}", world.get(board, alarm)?, world.get(board, smell_at)?);
    for refused in [
        world.key::<bool>("alrm").map(|_| ()),
        world.key::<bool>("steps").map(|_| ()),
        world.set_value(board, "alarm", "loud"),
        world.set(BoardOf::World, alarm, true),
        world.set(board, smell_at, Vec3::NAN),
        world.declare(KeyDecl::new("alarm", Scope::Team, ValueType::Bool)).map(|_| ()),
    ] {
        if let Err(error) = refused {
            println!("refused: {error}");
        }
    }

    let watched =
        [("alarm", world.observe(board, "alarm")?), ("smell_at", world.observe(board, "smell_at")?)];
    for tick in 1..=10 {
        if tick >= 3 {
            world.set(board, alarm, true)?; // eight equal writes: one change
        }
        if tick == 4 {
            world.set(board, smell_at, Vec3::X)?; // it fades by itself after half a second
        }
        world.tick(0.1);
        for (name, observer) in watched {
            if world.changed().contains(&observer) {
                println!("tick {tick}: {name} changed to {:?}", world.value(board, name)?);
            }
        }
    }
    println!("the wolf's steps: {:?}", world.get(BoardOf::Agent(wolf), steps)?);
    Ok(())
}
