//! Scenarios: a world described in TOML, to be run without a game.
//!
//! Stands above the world and drives it like any game would; the world does not know it. [`Scenario::load`] reads a file,
//! [`Run`] runs it, [`Run::report`] tells what happened, and [`Recording`] draws it.
//!
//! # The file
//! Points are `[x, z]` on the ground or `[x, y, z]`; y is up. Lengths are in metres, times in seconds, angles in degrees.
//! A field that is not listed here is an error, as is a number out of its range (lengths, speeds and coordinates: up to
//! 1e9); all mistakes are told at once.
//!
//! | field | what | default |
//! | --- | --- | --- |
//! | `name`, `about` | what it is called, and what it shows | the file's name, nothing |
//! | `seed` | the seed of all dice, and of all clumps | 0 |
//! | `dt` | the length of a tick, 0.0001 to 1: a number or a fraction, `"1/60"` | 1/60 |
//! | `seconds` | how long it runs, up to a day | 20 |
//! | `script_root` | the folder below which scripts are found, relative to that of the file | that of the file |
//! | `scripts` | the scripts to load, relative to the root | none |
//! | `wall_muffles`, `noise_round_walls` | how far noises carry through a wall, 0 to 1, and whether they go round | 0.5, false |
//! | `collide` | whether bodies push each other apart | true |
//! | `[ground]` | what bodies cannot leave: `low` and `high`, two corners of a rectangle, or `outline`, the corners of a polygon of any form; with `navmesh = true` agents walk round what is in the way (feature `navmesh`) | no edge |
//! | `[[wall]]` | `segment = [from, to]`, `circle = { at, radius }` or `polygon = [corners]` (convex); `foot`, `height`, `see_through`, `walk_through` | endlessly high, stops all |
//! | `[[key]]` | a blackboard key: `name`, `scope`, `type`, `default`, `ttl` | |
//! | `[[route]]` | `name`, `points` (one is a post), `order` (`loop`, `ping_pong`, `once` or `random`), `stops` (`{ at, wait, look, sweep }`: at which waypoint, from 0, it stands for how long, looks in which direction from +x towards +z, and over what angle it looks about) | `loop` |
//! | `[[attitude]]` | how the faction `of` regards the faction `to`: `is` (`hostile`, `neutral` or `friendly`), `mutual` | hostile |
//! | `[[actor]]` | a body that follows a path: `name`, `at`, `faction`, `radius`, `eyes`, `tokens`, `speed`, `path`, `loop` | `"hero"`, 0.5, 1.6, 3 m/s |
//! | `[[squad]]` | see below | |
//! | `[[event]]` | `at` (when), and one of those below | |
//!
//! The steps of a `path` are `{ walk = point, speed }`, `{ wait = seconds }`, `{ teleport = point }`, `{ vanish = true }` and
//! `{ return = true }`. With `at_time` a step begins at that time of the scenario, and the actor stands until then.
//!
//! A squad has `name`, `tree`, and either `count` with `at` and `spread` (a clump of that radius, another one for each
//! seed; 4 m) or `positions`; then `facing` (a direction; +x), `faction` (`"wolves"`), `team`, `flies`, `route` (the name
//! of one, or `{ points, order, stops }`), `tokens`, `grace`, `forget`, `body` (`radius`, `max_speed`, `max_acceleration`, `response`,
//! `tolerance`, `neighbour_radius`, `turn_rate`, `max_turn`; `speed_up` and `turn_round`, the seconds to top speed and to turn
//! round, from which those follow that are left out: see [`Limits`](crate::steer::Limits)) and `senses` (`range`,
//! `lose_range`, `angle`, `eyes`, `near`, `hearing`, `extent`, `vertical`: see [`Senses`](crate::sense::Senses); `awareness` =
//! `{ seconds, far, side, fade, suspicion }`: see [`Awareness`](crate::sense::Awareness)), `target_margin`, `target_hold`, `avoid`,
//! `collide` (both `true`) and `priority` (0, see [`AgentDesc`](crate::AgentDesc::priority)). With `copies = 25` and `apart`
//! (20 m) there are as many squads, in a square lattice round the first, called `name-1` to `name-25`.
//!
//! The `tokens` of a squad, as in `tokens = { melee = 2 }`, are for its members, those of an actor for all who hunt it:
//! each with how many may hold it at once, 0 to 10,000.
//!
//! | event | what happens |
//! | --- | --- |
//! | `kill = "wolves/3"` | a member (its number from 0, in the order of spawning) or an actor is gone for good |
//! | `set = { key, value, on = "wolves" }` | a key gets a value; `on` a squad or member, `team` for a team, neither for the world |
//! | `noise = { at, reach, by = "player" }` | something is heard |
//! | `hit = { who = "wolves/3", by = "player", from }` | a member is hit: its squad knows by whom |
//! | `attitude = { of, to, is, mutual }` | a faction regards another in another way |
//! | `light = { who, is }`, `eyes = { who, is }` | a body is lit by so much (0 to 1), or has its eyes so high: it crouches |
//! | `swap = { script, text }` | a script is replaced; `with` takes the text from a file |
//! | `spawn = { squad, at }` | a squad gets a further member |
//! | `teleport = { who = "wolves/3", to }` | a member is put somewhere else |
//! | `answer = { command = "open", success, value, after }` | from now on whoever waits for the answer to that command, or will, gets it: whether it was done (`true`), what came of it (nothing), and how long after the question (0 s, which is the next tick). A later one for the same command takes its place |
//!
//! An event happens in the first tick that ends then or later, before anybody perceives.

mod answers;
mod arrows;
mod canvas;
mod clump;
mod figures;
mod model;
mod parse;
mod path;
mod picture;
mod recording;
mod report;
mod run;
mod trace;

pub use figures::{Best, Figures, Spread, StageMs, Worst};
pub use model::{
    ActorSpec, EventSpec, Ground, Happening, Outline, Owner, Regard, Scenario, SquadSpec, Start, Who,
};
pub use parse::parse_dt;
pub use path::{Path, Stand, Step};
pub use recording::Recording;
pub use report::{Entry, ProblemEntry, Report, Standing, Unanswered};
pub use run::Run;
pub use trace::{Frame, FrameActor, FrameAgent, TraceHead};
