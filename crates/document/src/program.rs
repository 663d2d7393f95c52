//! The names of the commands, for messages about the next step.

use std::fmt;
use std::sync::OnceLock;

/// The command line that starts the program, and the name of its command that generates.
static STARTED: OnceLock<[&str; 2]> = OnceLock::new();

/// Sets the command line that starts the program, such as `cargo xtask`, and its command that generates. Only the first call has an effect;
/// without one, messages name `openapi-crate`.
pub fn started_as(program: &'static str, generate: &'static str) {
    let _ = STARTED.set([program, generate]);
}

/// The crate that the commands of this process are about, of several in one file.
static CRATE: OnceLock<String> = OnceLock::new();

/// Names the crate that all commands in messages are about. Only the first call has an effect.
pub fn about_crate(name: &str) {
    let _ = CRATE.set(name.to_owned());
}

/// Returns a command as a user types it.
pub fn command(arguments: impl fmt::Display) -> String {
    let [program, _] = started();
    match CRATE.get() {
        Some(name) => format!("{program} --crate {name} {arguments}"),
        None => format!("{program} {arguments}"),
    }
}

/// Returns the command that generates.
pub fn generate() -> String {
    let [program, generate] = started();
    format!("{program} {generate}")
}

fn started() -> [&'static str; 2] {
    STARTED
        .get()
        .copied()
        .unwrap_or(["openapi-crate", "generate"])
}
