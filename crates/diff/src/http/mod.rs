//! Operations of two documents: paths, parameters, bodies, responses, credentials, servers, and components.

mod base;
mod body;
mod components;
mod content;
mod documents;
mod elsewhere;
mod encodings;
mod flags;
mod headers;
mod moves;
mod operation;
mod parameters;
mod paths;
mod responses;
mod schemes;
mod scope;
mod security;
mod servers;
mod statuses;
mod template;
mod version;
mod written;

pub(crate) use components::surroundings;
pub(crate) use documents::Documents;
pub(crate) use elsewhere::elsewhere;
pub use moves::{PathMove, moves};
pub(crate) use paths::{documents, operations};
pub(crate) use version::version;
