//! What generated code says of an argument, as a constant.

/// An argument of an operation.
#[derive(Debug)]
pub struct Argument {
    /// Its name: that of the setter, with hyphens.
    pub name: &'static str,
    /// What the document says of it.
    pub help: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether it can be given several times.
    pub is_list: bool,
    /// Whether the operation cannot be called without it.
    pub is_required: bool,
    /// Whether it is given by position.
    pub is_positional: bool,
    /// All values that the document has; empty where it does not list them.
    pub values: &'static [&'static str],
}

impl Argument {
    /// An optional argument of one value, which is given by its name.
    pub const fn new(name: &'static str, help: &'static str, kind: Kind) -> Self {
        Self {
            name,
            help,
            kind,
            is_list: false,
            is_required: false,
            is_positional: false,
            values: &[],
        }
    }

    /// The same as one that can be given several times.
    #[must_use]
    pub const fn list(self) -> Self {
        Self {
            is_list: true,
            ..self
        }
    }

    /// The same as one that the operation cannot be called without.
    #[must_use]
    pub const fn required(self) -> Self {
        Self {
            is_required: true,
            ..self
        }
    }

    /// The same as a required one that is given by position.
    #[must_use]
    pub const fn positional(self) -> Self {
        Self {
            is_positional: true,
            ..self.required()
        }
    }

    /// The same with all values that the document has.
    #[must_use]
    pub const fn values(self, values: &'static [&'static str]) -> Self {
        Self { values, ..self }
    }
}

/// What an argument holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Any JSON: the text itself, or `@` and the name of a file.
    Json,
    /// The bytes of a file, which is named.
    File,
    /// A text that nobody is to see: a file is named that holds it.
    Secret,
}
