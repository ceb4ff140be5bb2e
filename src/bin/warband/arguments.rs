//! What the command takes, and the help that teaches it.

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  warband run examples/scenarios/encircle.toml                    what happened, and figures
  warband run examples/scenarios/encircle.toml --picture hunt.png a picture of it
  warband run examples/scenarios/encircle.toml --json | jq .figures
  warband watch examples/scenarios/encircle.toml                  edit scripts/*.lua meanwhile
  warband check scripts/*.lua                                     mistakes in trees and keys, with file and line
  warband nodes formation                                         what a node takes and does
  warband init ai                                                 a folder of scripts to begin with

Exit codes: 0 good, 1 the run or check found something wrong, 2 the input could not be used.";

/// Run squads of behaviour trees without a game.
///
/// A scenario (a TOML file) describes a world: walls, actors that follow a path, squads of agents that run
/// the trees of Lua scripts, and events. `run` runs it as fast as it can; `watch` runs it in real time and
/// takes over scripts as you save them.
#[derive(Parser)]
#[command(name = "warband", version, after_help = EXAMPLES, max_term_width = 110)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Run a scenario as fast as possible and tell what happened
    Run(RunOptions),
    /// Load scripts and tell what is wrong with their trees and keys; bodies of functions are first run by `run`
    Check(CheckOptions),
    /// Print the reference of nodes
    Nodes(NodesOptions),
    /// Print the types of all that scripts can use, for the language server of an editor
    Types(TypesOptions),
    /// Lay a folder of scripts that runs, and that an editor completes and checks
    Init(InitOptions),
    /// Run a scenario in real time and take over scripts as they are saved
    Watch(WatchOptions),
}

/// What `run` and `watch` have in common.
#[derive(Args)]
pub struct ScenarioOptions {
    /// Use other dice, and another clump of every squad
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Run for another time, in seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub seconds: Option<f64>,
    /// Tick in other steps, in seconds or as a fraction: 0.02, 1/60
    #[arg(long, value_name = "S", value_parser = dt)]
    pub dt: Option<f64>,
    /// Look for scripts below this folder
    #[arg(long, value_name = "DIR")]
    pub scripts: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  warband run hunt.toml --seed 3 --seconds 60
  warband run hunt.toml --json > hunt.json
  warband run hunt.toml --picture hunt.svg --trace hunt.jsonl
  warband run --defaults                            what follows from a body's four numbers

The digest is the same with and without --json, --picture and --trace.")]
pub struct RunOptions {
    /// The scenario, a TOML file
    #[arg(value_name = "SCENARIO", required_unless_present = "defaults")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub scenario: ScenarioOptions,
    /// Run nothing: print every number that follows from radius, top speed, time to top speed and turn time, for the bodies of
    /// the scenario, or for the default body without one
    #[arg(long, conflicts_with_all = ["json", "picture", "trace"])]
    pub defaults: bool,
    /// Print all of it as one JSON object
    #[arg(long)]
    pub json: bool,
    /// Draw what happened, as .svg or .png
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
    /// Record every tick, as .jsonl: one JSON object in each line
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  warband check scripts/encircle.lua
  warband check --scripts scripts ai/*.lua ai/boss        folders are searched for .lua files

What `require` asks for is looked for below --scripts, or else below the folder of each script. Mistakes are printed to
stdout, one in each line: file:line: what (what to do).")]
pub struct CheckOptions {
    /// Scripts, or folders of scripts
    #[arg(required = true, value_name = "SCRIPT")]
    pub paths: Vec<PathBuf>,
    /// The folder below which `require` looks
    #[arg(long, value_name = "DIR")]
    pub scripts: Option<PathBuf>,
}

#[derive(Args)]
pub struct NodesOptions {
    /// Only these nodes, with all there is to know
    #[arg(value_name = "NODE")]
    pub names: Vec<String>,
    /// Print the whole reference as Markdown
    #[arg(long)]
    pub markdown: bool,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  warband types > warband.d.luau              luau-lsp: --definitions:@warband=warband.d.luau
  warband types --lua > library/warband.lua   LuaLS: add the folder to Lua.workspace.library
  warband types --docs > warband.docs.json    luau-lsp: --docs=warband.docs.json

`warband init` lays all of them, with the settings that make an editor find them.")]
pub struct TypesOptions {
    /// Definitions for luau-lsp (the default)
    #[arg(long, conflicts_with_all = ["lua", "docs"])]
    pub luau: bool,
    /// Annotations for LuaLS
    #[arg(long, conflicts_with = "docs")]
    pub lua: bool,
    /// What luau-lsp shows of them: nodes with their parameters, units, ranges and defaults
    #[arg(long)]
    pub docs: bool,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  warband init ai                     a behaviour, a scenario, and the settings of editors, in the folder ai
  cd ai && warband run scenario.toml  then open the folder in an editor, and `warband watch scenario.toml`

A file that is there and differs is never written over: it is named, and nothing is laid. Run twice, it changes nothing.")]
pub struct InitOptions {
    /// The folder, which is made where there is none
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Write over files that differ
    #[arg(long)]
    pub force: bool,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  warband watch hunt.toml                  save a script in an editor, and see the squad change its mind
  warband watch hunt.toml --seconds 600

A saved script takes over at the next tick. A broken one changes nothing: what runs goes on, and the mistake is printed.")]
pub struct WatchOptions {
    /// The scenario, a TOML file
    #[arg(value_name = "SCENARIO")]
    pub file: PathBuf,
    #[command(flatten)]
    pub scenario: ScenarioOptions,
    /// Look at the files themselves at this interval instead of waiting for notices, in milliseconds: for network folders
    #[arg(long, value_name = "MS")]
    pub poll: Option<u64>,
}

fn dt(text: &str) -> Result<f64, String> {
    warband::scenario::parse_dt(text).map_err(|error| error.to_string())
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("seconds must be between 0.001 and 86400".to_owned()),
    }
}
