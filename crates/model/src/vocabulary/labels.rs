//! Names of enumeration values, beside their form on the wire.

/// The label of one value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// `x-enum-varnames`: what the value is called in code.
    pub name: Option<String>,
    /// `x-enum-descriptions`.
    pub text: Option<String>,
}
