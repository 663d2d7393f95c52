//! `cargo xtask overrides`: what they are, how they stand against a document, and writing them.

mod check;
mod list;
mod write;

use super::Layout;
use crate::finding::Stop;
use crate::overrides::OverrideSet;
use crate::source::Source;

pub use check::check;
pub use list::{Format, list};
pub use write::{guard, new};

/// The two inputs of every one of these commands.
struct Loaded {
    published: Source,
    set: OverrideSet,
}

fn load(layout: &Layout, document: Option<&str>) -> Result<Loaded, Stop> {
    Ok(Loaded {
        published: Source::read(&layout.root, document.unwrap_or(&layout.document))?,
        set: OverrideSet::load(&layout.root, &layout.overrides)?,
    })
}
