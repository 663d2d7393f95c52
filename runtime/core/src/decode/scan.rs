//! Strings and numbers in the text, and values that are skipped.

use std::borrow::Cow;

use super::allowance::Allowance;
use super::failure::Failure;
use super::reader::{Mode, Reader, State};

/// A number as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number<'b> {
    pub(super) text: &'b str,
    /// True if it has neither a fraction nor an exponent.
    pub(super) is_plain: bool,
}

impl<'t> Number<'t> {
    /// Reads a complete text as a number.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let mut reader = Reader::new(text, State::new(Mode::Strict, Allowance::UNBOUNDED));
        let number = reader.number().ok()?;
        (number.text.len() == text.len()).then_some(number)
    }
}

impl<'b> Reader<'b> {
    /// Reads a string; the next byte is its quotation mark.
    pub(super) fn string(&mut self) -> Result<Cow<'b, str>, Failure> {
        let start = self.at + 1;
        let end = plain_until(self.text.as_bytes(), start);
        if self.text.as_bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            let text = self.text.get(start..end).unwrap_or_default();
            return Ok(Cow::Borrowed(text));
        }
        self.escaped_string().map(Cow::Owned)
    }

    /// Reads a string that has escapes.
    #[cold]
    fn escaped_string(&mut self) -> Result<String, Failure> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut strings = serde_json::Deserializer::from_str(rest).into_iter();
        if let Some(Ok(text)) = strings.next() {
            self.at += strings.byte_offset();
            return Ok(text);
        }
        self.skip_string()?;
        Err(self.broken("lone surrogate in hex escape"))
    }

    /// Skips the four digits of an escape.
    fn four_digits(&mut self) -> Result<(), Failure> {
        let Some(digits) = self.text.as_bytes().get(self.at..self.at + 4) else {
            return Err(self.broken("EOF while parsing a string"));
        };
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(self.broken("invalid escape"));
        }
        self.at += 4;
        Ok(())
    }

    /// Reads a number; the next byte is a minus sign or a digit.
    pub(super) fn number(&mut self) -> Result<Number<'b>, Failure> {
        let (bytes, start) = (self.text.as_bytes(), self.at);
        let digits_from = |from: usize| {
            let rest = bytes.get(from..).unwrap_or_default();
            from + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
        };
        let whole = start + usize::from(bytes.get(start) == Some(&b'-'));
        let mut at = digits_from(whole);
        let is_padded = at > whole + 1 && bytes.get(whole) == Some(&b'0');
        if at == whole || is_padded {
            self.at = at;
            return Err(self.broken("invalid number"));
        }
        let mut is_plain = true;
        if bytes.get(at) == Some(&b'.') {
            is_plain = false;
            let end = digits_from(at + 1);
            if end == at + 1 {
                self.at = end;
                return Err(self.broken("invalid number"));
            }
            at = end;
        }
        if matches!(bytes.get(at), Some(b'e' | b'E')) {
            is_plain = false;
            let digits = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
            let end = digits_from(digits);
            if end == digits {
                self.at = end;
                return Err(self.broken("invalid number"));
            }
            at = end;
        }
        self.at = at;
        let text = self.text.get(start..at).unwrap_or_default();
        Ok(Number { text, is_plain })
    }

    /// Skips the next value, and checks that it is JSON. It may be nested to any depth.
    pub(crate) fn skip(&mut self) -> Result<(), Failure> {
        // For each open list or object, whether it is an object.
        let mut open: Vec<bool> = Vec::new();
        loop {
            match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    self.at += 1;
                    let is_object = bracket == b'{';
                    if !self.closes(is_object) {
                        open.push(is_object);
                        if is_object {
                            self.skip_name()?;
                        }
                        continue;
                    }
                }
                Some(b'"') => self.skip_string()?,
                Some(b'-' | b'0'..=b'9') => _ = self.number()?,
                Some(b't' | b'f') => _ = self.boolean()?,
                Some(b'n') => _ = self.null()?,
                Some(_) => return Err(self.broken("expected value")),
                None => return Err(self.broken("EOF while parsing a value")),
            }
            // After a value: the end of those around it, or the next one.
            loop {
                let Some(is_object) = open.last().copied() else {
                    return Ok(());
                };
                if self.closes(is_object) {
                    open.pop();
                    continue;
                }
                if !self.skip_sign(b',') {
                    let next = self.peek();
                    return Err(self.broken(match (next, is_object) {
                        (None, true) => "EOF while parsing an object",
                        (None, false) => "EOF while parsing a list",
                        (Some(_), true) => "expected `,` or `}`",
                        (Some(_), false) => "expected `,` or `]`",
                    }));
                }
                if is_object {
                    self.skip_name()?;
                }
                break;
            }
        }
    }

    fn closes(&mut self, is_object: bool) -> bool {
        self.skip_sign(if is_object { b'}' } else { b']' })
    }

    /// Skips a string; the next byte is its quotation mark.
    fn skip_string(&mut self) -> Result<(), Failure> {
        self.at = plain_until(self.text.as_bytes(), self.at + 1);
        if self.text.as_bytes().get(self.at) == Some(&b'"') {
            self.at += 1;
            return Ok(());
        }
        self.escapes()
    }

    /// Skips the rest of a string that has escapes. Half of a surrogate pair is JSON, though no text.
    #[cold]
    fn escapes(&mut self) -> Result<(), Failure> {
        loop {
            self.at = plain_until(self.text.as_bytes(), self.at);
            match self.text.as_bytes().get(self.at..) {
                Some([b'"', ..]) => {
                    self.at += 1;
                    return Ok(());
                }
                Some([b'\\', b'u', ..]) => {
                    self.at += 2;
                    self.four_digits()?;
                }
                Some([b'\\', byte, ..]) => {
                    self.at += 2;
                    if !b"\"\\/bfnrt".contains(byte) {
                        return Err(self.broken("invalid escape"));
                    }
                }
                None | Some([] | [b'\\']) => return Err(self.broken("EOF while parsing a string")),
                Some([_, ..]) => {
                    return Err(self.broken(
                        "control character (\\u0000-\\u001F) found while parsing a string",
                    ));
                }
            }
        }
    }

    /// Skips the name of a member and its colon.
    pub(super) fn skip_name(&mut self) -> Result<(), Failure> {
        match self.peek() {
            Some(b'"') => self.skip_string()?,
            Some(b'}') => return Err(self.broken("trailing comma")),
            Some(_) => return Err(self.broken("key must be a string")),
            None => return Err(self.broken("EOF while parsing an object")),
        }
        self.colon()
    }

    #[inline]
    pub(super) fn colon(&mut self) -> Result<(), Failure> {
        if self.skip_sign(b':') {
            return Ok(());
        }
        let next = self.peek();
        Err(self.broken(match next {
            Some(_) => "expected `:`",
            None => "EOF while parsing an object",
        }))
    }
}

/// Returns the index of the next quotation mark, escape or control character.
#[inline]
fn plain_until(bytes: &[u8], from: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let mut at = from;
    while let Some(eight) = bytes
        .get(at..at + 8)
        .and_then(|eight| eight.try_into().ok())
    {
        let eight = u64::from_ne_bytes(eight);
        let equal = |byte: u64| {
            let differs = eight ^ (ONES * byte);
            differs.wrapping_sub(ONES) & !differs
        };
        let control = eight.wrapping_sub(ONES * 0x20) & !eight;
        if (equal(0x22) | equal(0x5C) | control) & HIGH != 0 {
            break;
        }
        at += 8;
    }
    while let Some(byte) = bytes.get(at) {
        if matches!(byte, b'"' | b'\\' | 0..=0x1F) {
            break;
        }
        at += 1;
    }
    at
}
