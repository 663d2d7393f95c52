//! Functions that take any bytes, and panic where a promise is broken. `tests/bounded.rs` calls them with changed seeds, `guided/` as targets of
//! cargo-fuzz.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a broken promise is a panic"
)]

mod client;
mod generator;

use std::fmt;

/// A function that takes any bytes, with bytes to begin with.
pub struct Target {
    /// The name of its file in `guided/fuzz_targets/`, too.
    pub name: &'static str,
    /// Panics where a promise is broken.
    pub check: fn(&[u8]),
    /// Returns bytes that lead far into the code.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// All targets.
pub const TARGETS: [Target; 8] = [
    Target {
        name: "body",
        check: client::body,
        seeds: client::bodies,
    },
    Target {
        name: "events",
        check: client::events,
        seeds: client::streams,
    },
    Target {
        name: "link",
        check: client::link,
        seeds: client::links,
    },
    Target {
        name: "journal",
        check: client::journal,
        seeds: client::journals,
    },
    Target {
        name: "source",
        check: generator::source,
        seeds: generator::sources,
    },
    Target {
        name: "overlay",
        check: generator::overlay,
        seeds: generator::overlays,
    },
    Target {
        name: "generate",
        check: generator::generate,
        seeds: generator::documents,
    },
    Target {
        name: "diff",
        check: generator::diff,
        seeds: generator::pairs,
    },
];

/// Calls a target by its name.
///
/// # Panics
///
/// There is no such target, or a promise is broken.
pub fn check(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    let Some(target) = target else {
        panic!("there is no target {name}");
    };
    (target.check)(data);
}
