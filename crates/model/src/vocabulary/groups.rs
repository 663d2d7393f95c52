//! Groups of operations, of which callers choose some.

/// Operations of one tag. They are modules of the crate and a feature of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name of the modules.
    pub name: String,
    /// Name of the Cargo feature.
    pub feature: String,
    /// The tags of the document, several where they have the same name in Rust.
    pub tags: Vec<String>,
}
