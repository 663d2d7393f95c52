//! The reader of JSON. It reads the text of a body once, from its start to its end, and keeps what a decode has to know on the way: how
//! strict it is, how much memory is left, and which values were set aside.
//!
//! It is tolerant: whole numbers in any spelling (`37.0`, `1e2`, `-0`), a number or a boolean where a string is expected, a string that is a
//! JSON number where a number is expected, and a string that is `true` or `false`, in any casing, where a boolean is expected. A strict
//! attempt reads none of them. Nothing else is read differently: a number in place of an enum value is an error, and so is 0 or 1 in place of
//! a boolean, which may be a count.

use std::fmt;
use std::mem;

use serde_json::value::RawValue;

use super::allowance::{Allowance, draw};
use super::failure::{Failure, Found};
use super::set_aside::{Aside, set_aside};

/// The limit of nested objects and lists; each takes some of the stack.
pub(super) const DEEPEST: usize = 127;

/// How a value is read that does not match its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    /// By another deserializer, outside of a client: nothing is tolerated, and records are rejected.
    Outside,
    /// Optional values and elements are set aside, and records are rejected. So is a body read.
    Open,
    /// Nothing is set aside: another type may read the value as a whole. Records are rejected.
    Whole,
    /// Nothing is tolerated.
    Strict,
}

/// What a decode keeps, apart from the text.
#[derive(Debug)]
pub(crate) struct State {
    pub(super) mode: Mode,
    pub(super) depth: usize,
    pub(super) allowance: Allowance,
    pub(super) asides: Vec<Aside>,
    /// True if records are kept as raw JSON.
    pub(super) is_unread: bool,
    /// How deep unions are nested, and the bytes that may still be read in them.
    pub(super) unions: (usize, usize),
}

impl State {
    pub(crate) fn new(mode: Mode, allowance: Allowance) -> Self {
        Self {
            mode,
            depth: 0,
            allowance,
            asides: Vec::new(),
            is_unread: false,
            unions: (0, 0),
        }
    }
}

/// Reads JSON, for generated code.
pub struct Reader<'b> {
    pub(super) text: &'b str,
    /// The index of the next byte.
    pub(super) at: usize,
    pub(super) state: State,
}

/// Shows no text: it is the body of a response.
impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reader(at byte {} of {})", self.at, self.text.len())
    }
}

/// A position to which a reader can return.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    at: usize,
    depth: usize,
    allowance: Allowance,
    asides: usize,
}

impl<'b> Reader<'b> {
    pub(crate) fn new(text: &'b str, state: State) -> Self {
        Self { text, at: 0, state }
    }

    #[inline]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space, and returns the byte with which the next value or sign begins.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                byte => return byte,
            }
        }
    }

    /// Skips this sign, if it is next.
    #[inline]
    pub(super) fn skip_sign(&mut self, sign: u8) -> bool {
        let is_next = self.peek() == Some(sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn skip_word(&mut self, word: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_next = rest.starts_with(word.as_bytes());
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// Reads `null`, if it is next.
    pub(crate) fn null(&mut self) -> Result<bool, Failure> {
        if self.peek() != Some(b'n') {
            return Ok(false);
        }
        if self.skip_word("null") {
            Ok(true)
        } else {
            Err(self.broken("expected value"))
        }
    }

    /// Reads `true` or `false`; the next byte is `t` or `f`.
    pub(super) fn boolean(&mut self) -> Result<bool, Failure> {
        if self.skip_word("true") {
            Ok(true)
        } else if self.skip_word("false") {
            Ok(false)
        } else {
            Err(self.broken("expected value"))
        }
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&mut self) -> Result<(), Failure> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.broken("trailing characters")),
        }
    }

    /// Begins a list or an object: the next byte is its bracket.
    pub(super) fn enter(&mut self) -> Result<(), Failure> {
        if self.state.depth >= DEEPEST {
            return Err(Failure::text(self.at, "nested too deeply"));
        }
        self.state.depth += 1;
        self.at += 1;
        Ok(())
    }

    /// Returns whether another element or member follows. Ends the list or object if none does.
    #[inline]
    pub(super) fn goes_on(&mut self, is_first: bool, end: u8) -> Result<bool, Failure> {
        match self.peek() {
            Some(byte) if byte == end => {
                self.at += 1;
                self.state.depth = self.state.depth.saturating_sub(1);
                Ok(false)
            }
            Some(_) if is_first => Ok(true),
            Some(b',') => {
                self.at += 1;
                if self.peek() == Some(end) {
                    return Err(self.broken("trailing comma"));
                }
                Ok(true)
            }
            Some(_) if end == b']' => Err(self.broken("expected `,` or `]`")),
            Some(_) => Err(self.broken("expected `,` or `}`")),
            None if end == b']' => Err(self.broken("EOF while parsing a list")),
            None => Err(self.broken("EOF while parsing an object")),
        }
    }

    /// Reads a list, by a function for each element.
    pub(crate) fn list(
        &mut self,
        each: &mut dyn FnMut(&mut Self) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.peek() != Some(b'[') {
            return Err(self.mismatch("an array"));
        }
        self.enter()?;
        let mut is_first = true;
        while self.goes_on(is_first, b']')? {
            is_first = false;
            each(self)?;
        }
        Ok(())
    }

    /// Makes the failure of a value of another type, which is next.
    #[cold]
    pub(crate) fn mismatch(&mut self, expected: &'static str) -> Failure {
        let found = match self.peek() {
            Some(b'"') => Found::String,
            Some(b'[') => Found::Array,
            Some(b'{') => Found::Object,
            Some(b'n') => Found::Null,
            Some(byte @ (b't' | b'f')) => Found::Boolean(byte == b't'),
            Some(b'-' | b'0'..=b'9') => Found::Number(self.number_text().into()),
            Some(_) => return self.broken("expected value"),
            None => return self.broken("EOF while parsing a value"),
        };
        Failure::of_type(self.at, found, expected)
    }

    /// The text of a number that is next, for a message.
    fn number_text(&self) -> &'b str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let is_in = |byte: &char| byte.is_ascii_alphanumeric() || "+-.".contains(*byte);
        let length: usize = rest
            .chars()
            .take_while(is_in)
            .take(40)
            .map(char::len_utf8)
            .sum();
        rest.get(..length).unwrap_or_default()
    }

    /// Makes the failure of text that is not JSON.
    #[cold]
    pub(super) fn broken(&self, what: &'static str) -> Failure {
        Failure::text(self.at, what)
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            at: self.at,
            depth: self.state.depth,
            allowance: self.state.allowance,
            asides: self.state.asides.len(),
        }
    }

    /// Returns to a mark, as if nothing had been read since.
    pub(crate) fn return_to(&mut self, mark: Mark) {
        self.at = mark.at;
        self.state.depth = mark.depth;
        self.state.allowance = mark.allowance;
        self.state.asides.truncate(mark.asides);
    }

    /// Returns whether only values of the documented type are read.
    #[inline]
    pub(super) fn is_strict(&self) -> bool {
        matches!(self.state.mode, Mode::Strict | Mode::Outside)
    }

    /// Reads the next value in a stricter mode. If it does not match, the reader is where it was, and there is no value.
    #[inline(never)]
    pub(crate) fn attempt<T>(
        &mut self,
        mode: Mode,
        read: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        let mark = self.mark();
        let outer = self.state.mode;
        self.state.mode = outer.max(mode);
        let read = read(self);
        self.state.mode = outer;
        match read {
            Ok(value) => Ok(Some(value)),
            Err(failure) if failure.is_final() => Err(failure),
            Err(_) => {
                self.return_to(mark);
                Ok(None)
            }
        }
    }

    /// Reads the next value without its records, which are kept as raw JSON.
    #[cfg(feature = "paging")]
    pub(crate) fn unread<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let outer = mem::replace(&mut self.state.is_unread, true);
        let read = read(self);
        self.state.is_unread = outer;
        read
    }

    /// Reads the next value into a place. A function that is not inlined: all places of a type share it.
    #[inline(never)]
    pub(crate) fn read_into<T, P: From<T>>(
        &mut self,
        place: &mut P,
        read: fn(&mut Self) -> Result<T, Failure>,
    ) -> Result<(), Failure> {
        match read(self) {
            Ok(value) => {
                *place = value.into();
                Ok(())
            }
            Err(failure) => Err(failure),
        }
    }

    /// Reads the next value into a place, and sets it aside if it does not match; the place has its default then. So it has for `null`, unless
    /// the type of the value has it.
    #[inline(never)]
    pub(super) fn or_aside<T, P: Default + From<T>>(
        &mut self,
        place: &mut P,
        has_null: bool,
        read: fn(&mut Self) -> Result<T, Failure>,
    ) -> Result<(), Failure> {
        let mark = self.mark_unless_null(has_null)?;
        *place = match mark {
            None => P::default(),
            Some(mark) => match read(self) {
                Ok(value) => value.into(),
                Err(failure) => match set_aside(self, mark, failure) {
                    Ok(()) => P::default(),
                    Err(failure) => return Err(failure),
                },
            },
        };
        Ok(())
    }

    /// Returns a mark at the next value; `None` for `null`, which is skipped, unless it is a value.
    fn mark_unless_null(&mut self, has_null: bool) -> Result<Option<Mark>, Failure> {
        let is_skipped = !has_null && self.null()?;
        Ok((!is_skipped).then(|| self.mark_value()))
    }

    /// Returns a mark at the next value.
    pub(super) fn mark_value(&mut self) -> Mark {
        self.peek();
        self.mark()
    }

    /// Skips the next value, and returns it.
    pub(crate) fn raw(&mut self) -> Result<&'b str, Failure> {
        self.peek();
        let start = self.at;
        self.skip()?;
        Ok(self.text.get(start..self.at).unwrap_or_default())
    }

    /// Skips the next value, and keeps a copy of it.
    pub(crate) fn kept(&mut self) -> Result<Box<RawValue>, Failure> {
        let at = self.at;
        let text = self.raw()?;
        draw(self, text.len())?;
        // It was checked when it was skipped.
        RawValue::from_string(text.to_owned()).map_err(|_| Failure::text(at, "expected value"))
    }
}
