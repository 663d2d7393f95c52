//! Handles: the operations of one tag, behind a method of the client.

/// The operations of one tag, which callers reach by a method of the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handle {
    /// The method of the client, and the module of the handle.
    pub name: String,
    /// The type of the handle.
    pub type_name: String,
    /// The tags of the document, several where they have the same name in Rust.
    pub tags: Vec<String>,
    /// The description of the first tag.
    pub description: Option<String>,
}
