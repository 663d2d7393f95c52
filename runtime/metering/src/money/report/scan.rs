//! Scans a body by RFC 8259 without storing it, and stops at the members of its top-level object. Large bodies consist mostly of strings,
//! so strings are skipped many bytes at a time.

/// Reason why a body is not a complete JSON document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// It ends too early; what is there may be the beginning of JSON.
    CutOff,
    /// It is not JSON, whatever follows.
    Broken,
}

/// A member of the top-level object of a body.
pub(super) struct Member<'b> {
    /// The raw name, with its quotes.
    pub(super) name: &'b [u8],
    /// The value; `None` where there is no whole one.
    pub(super) value: Option<&'b [u8]>,
    /// True if the body ends with the value, which may then be cut off.
    pub(super) is_last: bool,
}

/// Scans a body, and passes each member of its top-level object to a callback.
pub(super) fn scan<'b>(body: &'b [u8], member: &mut impl FnMut(Member<'b>)) -> Result<(), Flaw> {
    // Readers of JSON may ignore a byte order mark (RFC 8259, section 8.1).
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let mut scanner = Scanner { body, at: 0 };
    scanner.space();
    match scanner.peek()? {
        b'{' => scanner.object(member)?,
        _ => scanner.value()?,
    }
    scanner.space();
    match scanner.peek() {
        Ok(_) => Err(Flaw::Broken),
        Err(_) => Ok(()),
    }
}

/// Marks, by its highest bit, each byte that a string must escape: control characters, quotes, backslashes. Later bytes may be marked too.
fn not_plain(word: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGHEST: u64 = EACH * 0x80;
    let below = |word: u64, bound: u64| word.wrapping_sub(EACH * bound) & !word & HIGHEST;
    let is = |byte: u8| below(word ^ (EACH * u64::from(byte)), 1);
    below(word, 0x20) | is(b'"') | is(b'\\')
}

struct Scanner<'b> {
    body: &'b [u8],
    at: usize,
}

impl<'b> Scanner<'b> {
    fn peek(&self) -> Result<u8, Flaw> {
        self.body.get(self.at).copied().ok_or(Flaw::CutOff)
    }

    fn take(&mut self) -> Result<u8, Flaw> {
        let byte = self.peek()?;
        self.at += 1;
        Ok(byte)
    }

    fn since(&self, start: usize) -> &'b [u8] {
        self.body.get(start..self.at).unwrap_or_default()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Ok(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// Scans the outermost object.
    fn object(&mut self, member: &mut impl FnMut(Member<'b>)) -> Result<(), Flaw> {
        if !self.opens(b'}')? {
            return Ok(());
        }
        loop {
            let start = self.at;
            self.text()?;
            let name = self.since(start);
            let colon = self.colon();
            let start = self.at;
            let read = colon.and_then(|()| self.value());
            member(Member {
                name,
                value: read.is_ok().then(|| self.since(start)),
                is_last: self.at == self.body.len(),
            });
            read?;
            if !self.goes_on(b'}')? {
                return Ok(());
            }
        }
    }

    /// Skips the opening bracket; returns whether the object or list has content.
    fn opens(&mut self, close: u8) -> Result<bool, Flaw> {
        self.take()?;
        self.space();
        let is_empty = self.peek()? == close;
        self.at += usize::from(is_empty);
        Ok(!is_empty)
    }

    /// Skips the separator or closing bracket after an element; returns whether another element follows.
    fn goes_on(&mut self, close: u8) -> Result<bool, Flaw> {
        self.space();
        match self.take()? {
            b',' => self.space(),
            end if end == close => return Ok(false),
            _ => return Err(Flaw::Broken),
        }
        Ok(true)
    }

    fn colon(&mut self) -> Result<(), Flaw> {
        self.space();
        self.expect(b":")?;
        self.space();
        Ok(())
    }

    fn expect(&mut self, text: &[u8]) -> Result<(), Flaw> {
        for byte in text {
            if self.take()? != *byte {
                return Err(Flaw::Broken);
            }
        }
        Ok(())
    }

    /// Scans any value. Open brackets are kept in a list, because nesting may be arbitrarily deep.
    fn value(&mut self) -> Result<(), Flaw> {
        let mut closes: Vec<u8> = Vec::new();
        loop {
            let opened = match self.peek()? {
                b'{' => Some(b'}'),
                b'[' => Some(b']'),
                _ => None,
            };
            match opened {
                Some(close) if self.opens(close)? => {
                    closes.push(close);
                    self.name_in(close)?;
                    continue;
                }
                Some(_) => {}
                None => self.scalar()?,
            }
            loop {
                let Some(close) = closes.last().copied() else {
                    return Ok(());
                };
                if self.goes_on(close)? {
                    self.name_in(close)?;
                    break;
                }
                closes.pop();
            }
        }
    }

    /// Scans the name of a member, in an object.
    fn name_in(&mut self, close: u8) -> Result<(), Flaw> {
        match close {
            b'}' => self.text().and_then(|()| self.colon()),
            _ => Ok(()),
        }
    }

    fn scalar(&mut self) -> Result<(), Flaw> {
        match self.peek()? {
            b'"' => self.text(),
            b'n' => self.expect(b"null"),
            b't' => self.expect(b"true"),
            b'f' => self.expect(b"false"),
            _ => self.number(),
        }
    }

    fn text(&mut self) -> Result<(), Flaw> {
        self.expect(b"\"")?;
        loop {
            self.plain();
            match self.take()? {
                b'"' => return Ok(()),
                b'\\' => self.escape()?,
                0..0x20 => return Err(Flaw::Broken),
                _ => {}
            }
        }
    }

    /// Skips bytes that a string may contain unescaped.
    fn plain(&mut self) {
        let rest = self.body.get(self.at..).unwrap_or_default();
        let (words, _) = rest.as_chunks::<8>();
        for word in words {
            let other = not_plain(u64::from_le_bytes(*word));
            if other != 0 {
                // The lowest mark is exact; higher ones may be false.
                self.at += (other.trailing_zeros() / 8) as usize;
                return;
            }
            self.at += word.len();
        }
    }

    fn escape(&mut self) -> Result<(), Flaw> {
        match self.take()? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
            b'u' => {
                let digits = self.body.get(self.at..self.at.saturating_add(4));
                let digits = digits.ok_or(Flaw::CutOff)?;
                self.at += 4;
                let is_unit = digits.iter().all(u8::is_ascii_hexdigit);
                is_unit.then_some(()).ok_or(Flaw::Broken)
            }
            _ => Err(Flaw::Broken),
        }
    }

    fn number(&mut self) -> Result<(), Flaw> {
        self.at += usize::from(self.peek()? == b'-');
        match self.peek()? {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if matches!(self.peek(), Ok(b'0'..=b'9')) {
            return Err(Flaw::Broken);
        }
        if self.peek() == Ok(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Ok(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek()?, b'+' | b'-'));
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Flaw> {
        if !self.peek()?.is_ascii_digit() {
            return Err(Flaw::Broken);
        }
        while matches!(self.peek(), Ok(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }
}
