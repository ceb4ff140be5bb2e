//! The `warband` command: run scenarios, check scripts, print the reference.
//!
//! Machine output goes to stdout, everything else to stderr. Exit codes: 0 good, 1 something wrong was found, 2 the input
//! could not be used.

mod arguments;
mod check;
mod defaults;
mod init;
mod nodes;
mod outputs;
mod png;
mod run;
mod story;
mod types;
mod watch;

use arguments::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

/// How a command ended.
enum Outcome {
    /// All is good.
    Good,
    /// The run or check found something wrong.
    Wrong,
}

/// The input could not be used: why, in the words of an error or in one's own.
type Result<T> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Run(options) => run::run(&options),
        Command::Check(options) => check::check(&options),
        Command::Nodes(options) => nodes::nodes(&options),
        Command::Types(options) => types::types(&options),
        Command::Init(options) => init::init(&options),
        Command::Watch(options) => watch::watch(&options),
    };
    match outcome {
        Ok(Outcome::Good) => ExitCode::SUCCESS,
        Ok(Outcome::Wrong) => ExitCode::from(1),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// Prints to stdout. A reader that has gone away, as `| head` does, is no fault; a full disk is one.
fn print(text: &str) -> Result<()> {
    use std::io::{ErrorKind, Write};
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("stdout cannot be written: {error}"))
        }
        _ => Ok(()),
    }
}
