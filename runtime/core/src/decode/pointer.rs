//! JSON Pointers to values in a text, from the index of their first byte.

use super::allowance::Allowance;
use super::failure::Failure;
use super::reader::{DEEPEST, Mode, Reader, State};
use crate::secret::conceal::concealed;
use crate::secret::quotation::{POINTER, escaped};

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

    /// Makes the failure of a decode that kept no value.
    pub(crate) fn no_value() -> Self {
        Self::of_the_whole("no value".to_owned())
    }
}

/// One step into a value.
enum Step {
    Element(usize),
    Member(String),
}

/// Returns the pointer to the value that begins at this index, or the innermost one around it; without the API key.
pub(super) fn pointer_to(text: &str, at: usize) -> String {
    pointers_to(text, &[at], |whole| whole)
        .pop()
        .unwrap_or_default()
}

/// Returns the pointers to the values that begin at these indexes, in the order of the text.
pub(super) fn pointers_to(
    text: &str,
    places: &[usize],
    shown: fn(String) -> String,
) -> Vec<String> {
    let mut walk = Walk {
        reader: Reader::new(text, State::new(Mode::Strict, Allowance::UNBOUNDED)),
        places,
        shown,
        path: Vec::new(),
        found: Vec::new(),
    };
    // Where the text is no JSON, the walk ends as the decode did.
    if walk.value().is_err() {
        walk.note(usize::MAX);
    }
    walk.path.clear();
    walk.note(usize::MAX);
    walk.found
}

/// A walk through a text, up to the last of the places.
struct Walk<'t> {
    reader: Reader<'t>,
    /// Those that were not found yet.
    places: &'t [usize],
    /// Shortens each pointer at once: the names around many values may be long.
    shown: fn(String) -> String,
    path: Vec<Step>,
    found: Vec<String>,
}

impl Walk<'_> {
    /// Notes the path for all places up to this index.
    fn note(&mut self, at: usize) {
        while let Some((first, rest)) = self.places.split_first()
            && *first <= at
        {
            self.places = rest;
            let pointer = (self.shown)(self.pointer());
            self.found.push(pointer);
        }
    }

    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in &self.path {
            pointer.push('/');
            match step {
                Step::Element(index) => pointer.push_str(&index.to_string()),
                Step::Member(name) => pointer.push_str(name),
            }
        }
        pointer
    }

    /// Walks through the next value.
    fn value(&mut self) -> Result<(), Failure> {
        let next = self.reader.peek();
        self.note(self.reader.at);
        match next {
            _ if self.places.is_empty() => {}
            // Nothing is set aside deeper, where only skipped values are.
            Some(b'[') if self.path.len() < DEEPEST => self.inside(b']')?,
            Some(b'{') if self.path.len() < DEEPEST => self.inside(b'}')?,
            _ => self.reader.skip()?,
        }
        // serde_json names the last byte of a value.
        self.note(self.reader.at.saturating_sub(1));
        Ok(())
    }

    /// Reads the name of a member. One with half of a surrogate pair is JSON, though no text: the value was skipped.
    fn name(&mut self) -> Result<String, Failure> {
        let start = self.reader.at;
        self.reader.member_name().or_else(|_| {
            self.reader.at = start;
            self.reader.skip_name()?;
            Ok(char::REPLACEMENT_CHARACTER.to_string())
        })
    }

    /// Walks through the elements or members of the next value.
    fn inside(&mut self, end: u8) -> Result<(), Failure> {
        self.reader.enter()?;
        let mut index = 0;
        while self.reader.goes_on(index == 0, end)? {
            let step = if end == b']' {
                Step::Element(index)
            } else {
                Step::Member(step(&self.name()?))
            };
            self.path.push(step);
            self.value()?;
            if self.places.is_empty() {
                return Ok(());
            }
            self.path.pop();
            index += 1;
        }
        Ok(())
    }
}

/// Returns a name as a step. The middle of a long one is in no pointer.
fn step(name: &str) -> String {
    let step = escape(name);
    if step.len() > 8 * POINTER {
        escaped(&step, 4 * POINTER)
    } else {
        step
    }
}

/// Escapes a name as a step of a pointer, without the API key.
pub(crate) fn escape(name: &str) -> String {
    let name = concealed(name);
    name.replace('~', "~0").replace('/', "~1")
}
