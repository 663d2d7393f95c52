//! OpenAPI Overlay 1.0, 1.1 and 1.2. Input: an Overlay and a document. Output: the changed document and the changed places.
//! Knows nothing of overrides, and reads no file.

mod apply;
mod form;
mod growth;
pub mod lists;
mod model;
mod parse;
mod places;
mod query;
mod reader;
mod reusable;

pub use apply::{Change, ChangeKind, Selection, apply, apply_action};
pub use growth::{Growth, TooLarge};
pub use model::{Action, Effect, Overlay};
pub use parse::{JsonPath, parse};
pub use query::{StrayStep, dead_target, nodes, parent, steps, stray_step, targets};
