//! Bodies of requests and responses, by media type.

use openapi_schemas::media_type::essence;

use super::place::Place;

/// A request body of one media type.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its schema.
    pub schema: Place,
    /// True if the operation requires it.
    pub required: bool,
    /// The location of its schema.
    pub pointer: String,
    /// Its media type, as the document writes it.
    pub media_type: String,
    /// How it is written.
    pub kind: BodyKind,
    /// The encodings of single properties of a form.
    pub encodings: Vec<Encoding>,
    /// True if a part without a type is bytes, as OpenAPI has it since 3.1.
    pub untyped_is_bytes: bool,
    /// Other media types that the operation takes the same schema in.
    pub others: Vec<String>,
}

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// JSON.
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `multipart/form-data`.
    Multipart,
    /// Text.
    Text,
    /// Bytes of a media type that the document gives.
    Bytes,
    /// Bytes of a media type that the caller gives: the document has a range of them.
    Any,
}

/// A style that the runtime writes from any value, as opposed to the forms that generated code spells out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// The variant of the runtime's `Style`.
    pub name: &'static str,
    /// `explode`.
    pub explode: bool,
    /// `allowReserved`.
    pub reserved: bool,
}

/// An entry of `encoding`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoding {
    /// The property that it is about.
    pub property: String,
    /// `contentType`, if it is one media type.
    pub media_type: Option<String>,
    /// True if each media type of `contentType` is bytes.
    pub is_bytes: bool,
    /// `style`, `explode` and `allowReserved`, if one of them is present.
    pub style: Option<Style>,
}

impl Encoding {
    /// Returns whether values are XML.
    pub(super) fn is_xml(&self) -> bool {
        let media_type = self.media_type.as_deref().map(essence);
        media_type
            .is_some_and(|essence| ["application/xml", "text/xml"].contains(&essence.as_str()))
    }
}

/// The form of a success response.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// The same for each status code.
    One(Content),
    /// Another one by status code, or by a range such as `2XX`.
    ByStatus(Vec<(String, Content)>),
}

/// The form of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// JSON of this schema.
    Json(Box<Place>),
    /// JSON of this schema: an array of records, each of which may fail to decode without the others.
    Records(Box<Place>),
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// Nothing.
    Nothing,
}

impl Content {
    /// The schema of JSON.
    pub fn schema(&self) -> Option<&Place> {
        match self {
            Self::Json(schema) | Self::Records(schema) => Some(schema),
            Self::Text | Self::Bytes | Self::Nothing => None,
        }
    }
}

/// A documented response that is no success.
#[derive(Clone, Debug)]
pub struct OtherResponse {
    /// The status code, a range, or `default`.
    pub status: String,
    /// Its description in the document; may be empty.
    pub description: String,
    /// Its location.
    pub pointer: String,
    /// The schema of its JSON.
    pub schema: Option<Place>,
}
