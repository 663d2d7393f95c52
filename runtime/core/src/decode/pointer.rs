//! JSON Pointers (RFC 6901) to values that do not decode.

use crate::secret::conceal::concealed;

/// Where and why a decode failed. Both may be as long as the body: they are shortened once they are free of the key.
#[derive(Debug)]
pub(crate) struct Located {
    /// Pointer to the value that does not decode; empty for the complete body.
    pub(crate) pointer: String,
    pub(crate) message: String,
}

impl Located {
    /// Makes the failure of a complete body.
    pub(crate) fn of_the_whole(message: String) -> Self {
        Self {
            pointer: String::new(),
            message,
        }
    }
}

/// One step into a value.
pub(crate) enum Step {
    Element(usize),
    Member(String),
}

/// Returns the pointer along these steps, without the API key.
pub(crate) fn pointer(path: &[Step]) -> String {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        match step {
            Step::Element(index) => pointer.push_str(&index.to_string()),
            Step::Member(name) => pointer.push_str(&escape(name)),
        }
    }
    pointer
}

/// Escapes a name as a step of a pointer, without the API key.
pub(crate) fn escape(name: &str) -> String {
    let name = concealed(name);
    name.replace('~', "~0").replace('/', "~1")
}
