//! Groups of operations, of which callers choose some.

/// Operations of one tag, which a feature of the crate has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Its name in Rust.
    pub name: String,
    /// Name of the Cargo feature.
    pub feature: String,
    /// The tags of the document, several where they have the same name in Rust.
    pub tags: Vec<String>,
}
