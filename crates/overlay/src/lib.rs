//! OpenAPI Overlay 1.0 and 1.1: an overlay and a document go in, the changed document and the touched places come out.
//! Knows nothing of overrides and never reads a file.

mod apply;
pub mod lists;
mod model;
mod query;

pub use apply::{Change, ChangeKind, Selection, apply, apply_action};
pub use model::{Action, Effect, Overlay};
pub use query::{StrayStep, nodes, parent, steps, stray_step};
