//! OpenAPI Overlay 1.0, 1.1 and 1.2. Input: an Overlay and a document. Output: the changed document and the changed places.
//! Knows nothing of overrides, and reads no file.

mod apply;
mod form;
pub mod lists;
mod model;
mod parse;
mod query;
mod reader;
mod reusable;

pub use apply::{Change, ChangeKind, Selection, apply, apply_action};
pub use model::{Action, Effect, Overlay};
pub use parse::parse;
pub use query::{StrayStep, dead_target, nodes, parent, stray_step};
pub use serde_json_path::JsonPath;
