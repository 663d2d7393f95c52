//! Description of an argument, which generated code declares as a constant.

/// An argument of an operation.
#[derive(Debug)]
pub struct Argument {
    /// Its name: that of the setter, with hyphens.
    pub name: &'static str,
    /// The description in the document.
    pub help: &'static str,
    /// The kind of value it takes.
    pub kind: Kind,
    /// True if it can be given several times.
    pub is_list: bool,
    /// True if the operation requires it.
    pub is_required: bool,
    /// True if it is given by position.
    pub is_positional: bool,
    /// All values that the document has; empty where it does not list them.
    pub values: &'static [&'static str],
    /// True if it may be sent as null.
    pub is_nullable: bool,
    /// The member of the body that it is.
    pub member: Option<&'static str>,
    /// True if it is the whole body, whose members are arguments too.
    pub is_body: bool,
    /// True if spellings of one website are equal.
    pub is_website: bool,
}

impl Argument {
    /// Returns an optional argument of one value, which is given by its name.
    pub const fn new(name: &'static str, help: &'static str, kind: Kind) -> Self {
        Self {
            name,
            help,
            kind,
            is_list: false,
            is_required: false,
            is_positional: false,
            values: &[],
            is_nullable: false,
            member: None,
            is_body: false,
            is_website: false,
        }
    }

    /// Returns the argument as one that can be given several times.
    #[must_use]
    pub const fn list(self) -> Self {
        Self {
            is_list: true,
            ..self
        }
    }

    /// Returns the argument as a required one.
    #[must_use]
    pub const fn required(self) -> Self {
        Self {
            is_required: true,
            ..self
        }
    }

    /// Returns the argument as a required one that is given by position.
    #[must_use]
    pub const fn positional(self) -> Self {
        Self {
            is_positional: true,
            ..self.required()
        }
    }

    /// Returns the argument as a member of the body, by its name there.
    #[must_use]
    pub const fn member(self, name: &'static str) -> Self {
        Self {
            member: Some(name),
            ..self
        }
    }

    /// Returns the argument as one that may be sent as null.
    #[must_use]
    pub const fn nullable(self) -> Self {
        Self {
            is_nullable: true,
            ..self
        }
    }

    /// Returns the argument as the whole body, whose members are arguments too.
    #[must_use]
    pub const fn body(self) -> Self {
        Self {
            is_body: true,
            ..self
        }
    }

    /// Returns the argument as one whose values name websites, in any spelling.
    #[must_use]
    pub const fn website(self) -> Self {
        Self {
            is_website: true,
            ..self
        }
    }

    /// Returns the argument with all values that the document has.
    #[must_use]
    pub const fn values(self, values: &'static [&'static str]) -> Self {
        Self { values, ..self }
    }
}

/// The kind of value that an argument takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A string.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Any JSON: inline, or `@` and the name of a file.
    Json,
    /// The bytes of a file, which is named.
    File,
    /// A secret string, read from the named file.
    Secret,
}
