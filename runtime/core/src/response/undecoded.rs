//! An undecoded response, with the methods to decode it. For generated code: the document decides which method is right.

use std::borrow::Cow;
use std::cell::RefCell;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;

use crate::decode::decode::{decode, decode_by};
use crate::decode::failure::Failure;
use crate::decode::pointer::Located;
use crate::decode::read::Read;
use crate::decode::reader::Reader;
use crate::decode::set_aside::SetAside;
use crate::decode::wire::Entries;

/// An undecoded response with a status of 2xx.
#[derive(Debug, Clone)]
pub struct Undecoded {
    status: StatusCode,
    body: Bytes,
    is_latin_1: bool,
    /// The values that the last decode left out.
    set_aside: RefCell<Vec<SetAside>>,
}

/// The reason why a body does not match its document. A client turns it into an error with the bytes of the body.
#[derive(Debug)]
pub struct Unreadable(pub(crate) Located);

impl Undecoded {
    pub(crate) fn new(status: StatusCode, headers: &HeaderMap, body: &Bytes) -> Self {
        Self {
            status,
            body: body.clone(),
            is_latin_1: is_latin_1(headers),
            set_aside: RefCell::default(),
        }
    }

    /// Returns the status code.
    pub fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// Decodes JSON as a documented type; an empty body is read as `null`.
    ///
    /// # Errors
    ///
    /// The body is not a valid `T`.
    pub fn json<T: Read>(&self) -> Result<T, Unreadable> {
        self.read_by(T::read)
    }

    /// Decodes JSON as a list or a map, without the elements that do not match.
    ///
    /// # Errors
    ///
    /// The body is no list or map.
    pub fn collection<C: Entries>(&self) -> Result<C, Unreadable> {
        self.read_by(C::read_entries)
    }

    fn read_by<T>(&self, read: fn(&mut Reader<'_>) -> Result<T, Failure>) -> Result<T, Unreadable> {
        let mut value = None;
        self.read(&mut |reader| reader.read_into(&mut value, read))?;
        value.ok_or_else(|| Unreadable(Located::no_value()))
    }

    /// Reads the body by a function that keeps the value.
    fn read(
        &self,
        read: &mut dyn FnMut(&mut Reader<'_>) -> Result<(), Failure>,
    ) -> Result<(), Unreadable> {
        let set_aside = decode_by(&self.body, read).map_err(Unreadable)?;
        self.set_aside.replace(set_aside);
        Ok(())
    }

    /// Decodes JSON as serde_json does; an empty body is read as `null`.
    ///
    /// # Errors
    ///
    /// The body is not a valid `T`.
    pub fn json_as<T: DeserializeOwned>(&self) -> Result<T, Unreadable> {
        decode(&self.body).map_err(Unreadable)
    }

    /// Takes the values that the last decode left out.
    pub(crate) fn take_set_aside(&self) -> Vec<SetAside> {
        self.set_aside.take()
    }

    /// Decodes text, in Latin-1 if the response names that charset, and otherwise in UTF-8. Invalid bytes become U+FFFD;
    /// [`Response::raw`](crate::Response::raw) has the original ones.
    ///
    /// # Errors
    ///
    /// Never; the result type is that of the other methods.
    pub fn text(&self) -> Result<String, Unreadable> {
        let text = if self.is_latin_1 {
            self.body.iter().copied().map(char::from).collect()
        } else {
            String::from_utf8_lossy(&self.body)
        };
        Ok(text.into_owned())
    }

    /// Returns the raw bytes.
    ///
    /// # Errors
    ///
    /// Never; the result type is that of the other methods.
    pub fn bytes(&self) -> Result<Bytes, Unreadable> {
        Ok(self.body.clone())
    }

    /// Ignores the body, which [`Response::raw`](crate::Response::raw) still has.
    ///
    /// # Errors
    ///
    /// Never; the result type is that of the other methods.
    pub fn nothing(&self) -> Result<(), Unreadable> {
        Ok(())
    }
}

fn is_latin_1(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE);
    let content_type = content_type.map(|value| String::from_utf8_lossy(value.as_bytes()));
    let content_type = content_type
        .unwrap_or(Cow::Borrowed(""))
        .to_ascii_lowercase();
    let (_, charset) = content_type.split_once("charset=").unwrap_or_default();
    let mut parts = charset.split(|c: char| c == ';' || c.is_whitespace());
    let charset = parts.next().unwrap_or_default();
    matches!(charset.trim_matches('"'), "iso-8859-1" | "latin1")
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn text_is_decoded_in_the_charset_that_the_response_names() {
        for (content_type, body, text) in [
            ("text/plain", "é".as_bytes(), "é"),
            ("text/plain; charset=ISO-8859-1", b"\xe9", "é"),
            ("text/plain; charset=\"latin1\"; x=y", b"\xe9", "é"),
            ("text/plain; charset=iso-8859-15", b"\xe9", "\u{fffd}"),
            ("text/plain; charset=utf-8", b"a\xe9", "a\u{fffd}"),
        ] {
            let headers = HeaderMap::from_iter([(
                CONTENT_TYPE,
                HeaderValue::from_str(content_type).unwrap(),
            )]);
            let body = Bytes::from(body);
            let response = Undecoded::new(StatusCode::OK, &headers, &body);
            assert_eq!(response.text().unwrap(), text, "{content_type}");
            assert_eq!(response.bytes().unwrap(), body);
        }
    }
}
