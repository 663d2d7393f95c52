//! Bodies of requests: bytes with their content type, or a source to read them from.

use std::fmt;
#[cfg(feature = "uploads")]
use std::sync::Arc;

use bytes::Bytes;
use http::HeaderValue;
use serde::Serialize;
#[cfg(not(feature = "checks"))]
use serde_json::to_string as argument_json;

#[cfg(feature = "checks")]
use crate::request::argument_json::argument_json;
#[cfg(feature = "styles")]
use crate::request::form::Form;
#[cfg(feature = "multipart")]
use crate::request::multipart::Multipart;
#[cfg(feature = "uploads")]
use crate::request::payload::Payload;
#[cfg(feature = "uploads")]
use crate::transport::upload::{Source, Upload};

/// An encoded request body: every attempt of a call sends the same bytes.
///
/// A body [from a reader](Payload::from_reader) is sent only once. An encoding error is kept, and returned by the call before anything is
/// sent.
#[derive(Clone)]
pub struct Body(Result<(HeaderValue, Content), String>);

#[derive(Debug, Clone)]
pub(crate) enum Content {
    Bytes(Bytes),
    #[cfg(feature = "uploads")]
    Upload(Upload),
}

impl Body {
    /// Makes a JSON body.
    pub fn json(value: &(impl Serialize + ?Sized)) -> Self {
        Self::json_as("application/json", value)
    }

    /// Makes a JSON body with another media type, such as `application/merge-patch+json`.
    pub fn json_as(media_type: &str, value: &(impl Serialize + ?Sized)) -> Self {
        match argument_json(value) {
            Ok(json) => Self::bytes(media_type, json),
            Err(error) => Self(Err(format!("cannot be written as JSON: {error}"))),
        }
    }

    /// Makes a body of `application/x-www-form-urlencoded`.
    #[cfg(feature = "styles")]
    pub fn form(form: &Form) -> Self {
        match form.encode() {
            Ok(pairs) => Self::bytes("application/x-www-form-urlencoded", pairs),
            Err(problem) => Self(Err(problem)),
        }
    }

    /// Makes a body of `multipart/form-data`.
    #[cfg(feature = "multipart")]
    pub fn multipart(parts: &Multipart) -> Self {
        match parts.encode() {
            Ok((content_type, content)) => Self::of(&content_type, content),
            Err(problem) => Self(Err(problem)),
        }
    }

    /// Makes a body of UTF-8 text. The charset is added to a text media type that names none.
    pub fn text(media_type: &str, text: impl Into<String>) -> Self {
        let says_charset = media_type.to_ascii_lowercase().contains("charset");
        if media_type.starts_with("text/") && !says_charset {
            Self::bytes(&format!("{media_type}; charset=utf-8"), text.into())
        } else {
            Self::bytes(media_type, text.into())
        }
    }

    /// Makes a body of bytes with this media type. A [`Payload`] may be read from a file or a reader while it is sent, in constant memory.
    ///
    /// ```
    /// # use generated_client::request::{Body, Payload};
    /// # use generated_client::{Client, Error, Method};
    /// # async fn example(client: Client) -> Result<(), Error> {
    /// let archive = Body::bytes("application/zip", Payload::from_file("backup.zip"));
    /// client.raw(Method::PUT, "/v1/backup").body(archive).send::<()>().await?;
    /// # Ok(()) }
    /// ```
    #[cfg(feature = "uploads")]
    pub fn bytes(media_type: &str, bytes: impl Into<Payload>) -> Self {
        match bytes.into().0 {
            Ok(Source::Bytes(bytes)) => Self::of(media_type, Content::Bytes(bytes)),
            Ok(source) => Self::of(media_type, Content::Upload(Upload(Arc::new([source])))),
            Err(problem) => Self(Err(problem)),
        }
    }

    /// Makes a body of bytes with this media type.
    #[cfg(not(feature = "uploads"))]
    pub fn bytes(media_type: &str, bytes: impl Into<Bytes>) -> Self {
        Self::of(media_type, Content::Bytes(bytes.into()))
    }

    fn of(media_type: &str, content: Content) -> Self {
        Self(match HeaderValue::from_str(media_type) {
            Ok(content_type) => Ok((content_type, content)),
            Err(_) => Err("has a media type that a header cannot hold".to_owned()),
        })
    }

    pub(crate) fn into_parts(self) -> Result<(HeaderValue, Content), String> {
        self.0
    }
}

/// Shows media type and size, but no content.
impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Ok((content_type, content)) => {
                let media_type = content_type.to_str().unwrap_or_default();
                let essence = media_type.split(';').next().unwrap_or_default();
                let length = match content {
                    Content::Bytes(bytes) => u64::try_from(bytes.len()).ok(),
                    #[cfg(feature = "uploads")]
                    Content::Upload(upload) => upload.length(),
                };
                match length {
                    Some(length) => write!(f, "Body({essence}, {length} bytes)"),
                    None => write!(f, "Body({essence})"),
                }
            }
            Err(problem) => write!(f, "Body({problem})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent(body: Body) -> (String, String) {
        let (content_type, Content::Bytes(bytes)) = body.into_parts().unwrap() else {
            panic!("a body of bytes");
        };
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        (content_type.to_str().unwrap().to_owned(), text)
    }

    #[test]
    fn text_bodies_get_a_charset_and_others_keep_their_media_type() {
        assert_eq!(
            sent(Body::text("text/plain", "é")).0,
            "text/plain; charset=utf-8"
        );
        assert_eq!(
            sent(Body::text("text/csv; charset=UTF-8", "é")).0,
            "text/csv; charset=UTF-8"
        );
        assert_eq!(
            sent(Body::text("application/xml", "<a/>")).0,
            "application/xml"
        );
        let patch = Body::json_as("application/merge-patch+json", &json!({"a": null}));
        assert_eq!(
            sent(patch),
            (
                "application/merge-patch+json".to_owned(),
                r#"{"a":null}"#.to_owned()
            )
        );
    }

    #[test]
    fn an_encoding_error_is_kept_as_the_reason() {
        let list = Body::form(&Form::of(&[1], &[]));
        assert!(list.into_parts().unwrap_err().contains("not an object"));
        assert!(
            Body::bytes("a\nb", "")
                .into_parts()
                .unwrap_err()
                .contains("media type")
        );
        assert_eq!(
            Body::json(&[Some(f64::NAN)]).into_parts().unwrap_err(),
            "cannot be written as JSON: NaN is not a number"
        );
    }

    #[test]
    fn debug_shows_no_content() {
        assert_eq!(
            format!("{:?}", Body::text("text/plain", "secret")),
            "Body(text/plain, 6 bytes)"
        );
    }
}
