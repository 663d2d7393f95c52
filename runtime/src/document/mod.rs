//! What generated code declares of an API: its operations, their prices, and the shapes of their responses.

pub(crate) mod api;
pub(crate) mod price;
pub(crate) mod security;
pub(crate) mod shape;
