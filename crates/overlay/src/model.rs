//! A valid Overlay.

use serde_json::{Map, Value};
use serde_json_path::JsonPath;

/// A valid Overlay.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// `info.title`.
    pub title: String,
    /// The actions, in the order in which they apply.
    pub actions: Vec<Action>,
    /// The root object's extensions (`x-…`).
    pub extensions: Map<String, Value>,
}

/// One action of an Overlay.
#[derive(Clone, Debug)]
pub struct Action {
    /// The location of the action in its file.
    pub pointer: String,
    /// The location of its `update` or `copy`: the action, or the reusable action that it refers to.
    pub fields: String,
    /// The RFC 9535 query, unchanged.
    pub target: String,
    /// The query.
    pub query: JsonPath,
    /// The effect on the selected nodes.
    pub effect: Effect,
    /// `x-expect`: the fragment of the targets that the action was written against.
    pub guard: Option<Value>,
}

/// The effect of an action on the nodes that it selects.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Merges this value into them.
    Update(Value),
    /// Merges a copy of the one node that this query selects into them.
    Copy(JsonPath),
    /// Removes them.
    Remove,
    /// No effect at all, or `remove: false`: the specification allows it, and it does nothing.
    Nothing,
}

impl Effect {
    /// Returns the value of an update.
    pub fn update(&self) -> Option<&Value> {
        match self {
            Self::Update(update) => Some(update),
            Self::Copy(_) | Self::Remove | Self::Nothing => None,
        }
    }
}
