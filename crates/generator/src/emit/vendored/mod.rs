//! The runtime as modules of the emitted crate: all of its dependencies are on a registry, and none in this repository.
//!
//! The sources of the runtime come as data, with the [packaging](super::packaging). Their paths are rewritten, and modules of features
//! that the crate has not are left out, as tests are; comments stay.

mod conditions;
mod edits;
mod files;
mod manifest;
mod paths;
mod pruned;

use openapi_model::Model;

pub(super) use files::insert;
pub(super) use manifest::{Merged, dependencies};
pub(super) use paths::emitted;

/// The modules that hold the runtime, each with the folder of its sources. They are as public as the crates, and no list of what the crate
/// itself offers reads them.
const MODULES: [(&str, &str); 2] = [("generated_cli", "cli"), ("generated_client", "core")];

/// The module that only the command line needs.
const OF_CLI: &str = "generated_cli";

/// The modules that a crate needs.
fn needed(model: &Model) -> impl Iterator<Item = (&'static str, &'static str)> {
    let has_cli = model.package.cli;
    let needed = MODULES.into_iter();
    needed.filter(move |(module, _)| has_cli || *module != OF_CLI)
}

/// The declarations of the modules, for the root of the crate.
pub(super) fn declarations(model: &Model) -> String {
    let declarations = needed(model).map(|(module, _)| {
        let condition = if module == OF_CLI {
            "#[cfg(feature = \"cli\")]\n"
        } else {
            ""
        };
        // `#[rustfmt::skip]` alone makes the compiler take the macros of the module for ones that a macro has made, which have no paths.
        format!(
            "{condition}#[allow(\n    clippy::deprecated_cfg_attr,\n    dead_code,\n    unreachable_patterns,\n    unused_imports,\n    unused_macros,\n    reason = \"a part serves several documents\"\n)]\n#[cfg_attr(rustfmt, rustfmt::skip)]\npub mod {module};\n"
        )
    });
    declarations.collect()
}
