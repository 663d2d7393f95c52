//! A reader of reports that follows RFC 8259 character by character, to compare the fast one with.

use crate::money::credits::Credits;
use crate::money::report::ReportedCharge;

/// Reason why a string is not a complete JSON document.
#[derive(Debug, PartialEq)]
enum Flaw {
    CutOff,
    Broken,
}

struct Reader<'b> {
    body: &'b [u8],
    at: usize,
}

pub(super) fn read(body: &[u8], field: &str) -> ReportedCharge {
    let (text, mut flaw) = match std::str::from_utf8(body) {
        Ok(_) => (body, None),
        Err(error) if error.error_len().is_none() => (&body[..error.valid_up_to()], None),
        Err(error) => (&body[..error.valid_up_to()], Some(Flaw::Broken)),
    };
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut found = Vec::new();
    let mut reader = Reader { body: text, at: 0 };
    let document = reader.document(field, &mut found);
    flaw = flaw.or(document.err());
    let greatest = found.into_iter().max().unwrap_or(ReportedCharge::Nothing);
    let is_named = String::from_utf8_lossy(body).contains(field);
    match flaw {
        None | Some(Flaw::CutOff) => greatest,
        Some(Flaw::Broken) if is_named || greatest != ReportedCharge::Nothing => {
            ReportedCharge::Unreadable
        }
        Some(Flaw::Broken) => ReportedCharge::Nothing,
    }
}

impl Reader<'_> {
    fn peek(&self) -> Result<u8, Flaw> {
        self.body.get(self.at).copied().ok_or(Flaw::CutOff)
    }

    fn take(&mut self) -> Result<u8, Flaw> {
        let byte = self.peek()?;
        self.at += 1;
        Ok(byte)
    }

    fn expect(&mut self, text: &str) -> Result<(), Flaw> {
        for byte in text.bytes() {
            if self.take()? != byte {
                return Err(Flaw::Broken);
            }
        }
        Ok(())
    }

    fn space(&mut self) {
        while matches!(self.peek(), Ok(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn document(&mut self, field: &str, found: &mut Vec<ReportedCharge>) -> Result<(), Flaw> {
        self.space();
        match self.peek()? {
            b'{' => self.members(|name, reader| {
                let colon = reader.colon();
                let start = reader.at;
                let value = colon.and_then(|()| reader.value());
                if name == field {
                    found.push(match (&value, &reader.body[start..reader.at]) {
                        (Err(_), _) => ReportedCharge::Unreadable,
                        (Ok(()), b"null") => ReportedCharge::Nothing,
                        (Ok(()), _) if reader.at == reader.body.len() => ReportedCharge::Unreadable,
                        (Ok(()), number) => Credits::from_json(str::from_utf8(number).unwrap())
                            .map_or(ReportedCharge::Unreadable, ReportedCharge::Credits),
                    });
                }
                value
            })?,
            _ => self.value()?,
        }
        self.space();
        match self.peek() {
            Ok(_) => Err(Flaw::Broken),
            Err(_) => Ok(()),
        }
    }

    fn value(&mut self) -> Result<(), Flaw> {
        match self.peek()? {
            b'{' => self.members(|_, reader| {
                reader.colon()?;
                reader.value()
            }),
            b'[' => self.list(b']', |reader| reader.value()),
            b'"' => self.text().map(|_| ()),
            b'n' => self.expect("null"),
            b't' => self.expect("true"),
            b'f' => self.expect("false"),
            _ => self.number(),
        }
    }

    fn members(
        &mut self,
        mut value: impl FnMut(String, &mut Self) -> Result<(), Flaw>,
    ) -> Result<(), Flaw> {
        self.list(b'}', |reader| {
            let name = reader.text()?;
            value(name, reader)
        })
    }

    fn colon(&mut self) -> Result<(), Flaw> {
        self.space();
        self.expect(":")?;
        self.space();
        Ok(())
    }

    fn list(
        &mut self,
        close: u8,
        mut element: impl FnMut(&mut Self) -> Result<(), Flaw>,
    ) -> Result<(), Flaw> {
        self.take()?;
        self.space();
        if self.peek()? == close {
            self.at += 1;
            return Ok(());
        }
        loop {
            element(self)?;
            self.space();
            match self.take()? {
                b',' => self.space(),
                end if end == close => return Ok(()),
                _ => return Err(Flaw::Broken),
            }
        }
    }

    /// Reads a string. A non-ASCII `\u` escape becomes a space.
    fn text(&mut self) -> Result<String, Flaw> {
        self.expect("\"")?;
        let mut text = String::new();
        loop {
            match self.take()? {
                b'"' => return Ok(text),
                0..0x20 => return Err(Flaw::Broken),
                b'\\' => match self.take()? {
                    b'u' => text.push(self.unit()?),
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => text.push(' '),
                    _ => return Err(Flaw::Broken),
                },
                byte => text.push(char::from(byte)),
            }
        }
    }

    fn unit(&mut self) -> Result<char, Flaw> {
        // Fewer than four characters: the input is truncated.
        let digits = self.body.get(self.at..self.at + 4).ok_or(Flaw::CutOff)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(Flaw::Broken);
        }
        self.at += 4;
        let unit = u8::from_str_radix(str::from_utf8(digits).unwrap(), 16);
        Ok(unit.map_or(' ', char::from))
    }

    fn number(&mut self) -> Result<(), Flaw> {
        if self.peek()? == b'-' {
            self.at += 1;
        }
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
            if matches!(self.peek()?, b'+' | b'-') {
                self.at += 1;
            }
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
