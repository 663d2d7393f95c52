//! The commands as the person has them: messages say what to type next.

use std::fmt;
use std::sync::OnceLock;

/// How the program is started, and what its command is called that generates.
static STARTED: OnceLock<[&str; 2]> = OnceLock::new();

/// Says how the program is started, as `cargo xtask`, and which of its commands generates. The first word of a program's `main` counts; without one
/// messages are about `openapi-crate`.
pub fn started_as(program: &'static str, generate: &'static str) {
    let _ = STARTED.set([program, generate]);
}

/// A command of the program as a person types it.
pub fn command(arguments: impl fmt::Display) -> String {
    let [program, _] = started();
    format!("{program} {arguments}")
}

/// The command that generates.
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
