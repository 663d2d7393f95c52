use std::fmt;

use crate::document::api::Operation;

/// An argument that cannot be sent; the message says why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentError {
    operation: &'static Operation,
    argument: String,
    problem: String,
}

impl ArgumentError {
    pub(crate) fn new(
        operation: &'static Operation,
        argument: &str,
        problem: impl Into<String>,
    ) -> Self {
        Self {
            operation,
            argument: argument.to_owned(),
            problem: problem.into(),
        }
    }

    /// Returns the operation that was to be called.
    pub fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Returns the argument's name on the wire.
    pub fn argument(&self) -> &str {
        &self.argument
    }
}

/// ``getThings: `limit` is 101, above its maximum 100``
impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            operation,
            argument,
            problem,
        } = self;
        write!(f, "{}: `{argument}` {problem}", operation.id)
    }
}

impl std::error::Error for ArgumentError {}
