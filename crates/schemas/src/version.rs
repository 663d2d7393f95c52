//! The OpenAPI version of a document.

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use serde_json::Value;

/// A supported version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Schemas have a separate vocabulary.
    V3_0,
    /// Schemas are JSON Schema 2020-12.
    V3_1,
    /// Like 3.1, with more methods and with streams.
    V3_2,
}

/// Reads the version of a document. An unknown 3.x version is read as the nearest one, with a warning.
///
/// # Errors
///
/// The document is not OpenAPI 3.
pub fn version(source: &Source, warnings: &mut Vec<Finding>) -> Result<Version, DocumentError> {
    let written = match source.value.get("openapi") {
        Some(Value::String(text)) => text.trim().to_owned(),
        // `openapi: 3.1` without quotes.
        Some(Value::Number(number)) => number.to_string(),
        _ => return Err(no_openapi(source)),
    };
    let mut numbers = written.split('.');
    let (major, minor) = (numbers.next(), numbers.next());
    let known = match (major, minor) {
        (Some("3"), Some("0")) => Version::V3_0,
        (Some("3"), Some("1")) => Version::V3_1,
        (Some("3"), Some("2")) => Version::V3_2,
        (Some("3"), _) => {
            warnings.push(
                source
                    .finding(
                        "openapi-version",
                        "/openapi",
                        format!("OpenAPI {written} is not known, and is read as 3.2"),
                        "write the version that the document follows: 3.0, 3.1 or 3.2",
                    )
                    .warning(),
            );
            Version::V3_2
        }
        _ => {
            return Err(refused(
                source,
                "/openapi",
                format!("OpenAPI {written} is not supported: 3.0, 3.1 and 3.2 are"),
            ));
        }
    };
    Ok(known)
}

fn no_openapi(source: &Source) -> DocumentError {
    match source.value.get("swagger") {
        Some(version) => {
            let version = version.as_str().map_or(version.to_string(), str::to_owned);
            refused(
                source,
                "/swagger",
                format!("Swagger {version} is not supported: OpenAPI 3.0, 3.1 and 3.2 are"),
            )
        }
        None => refused(
            source,
            "/openapi",
            "the document has no string `openapi`, and is therefore not an OpenAPI document"
                .to_owned(),
        ),
    }
}

fn refused(source: &Source, at: &str, message: String) -> DocumentError {
    DocumentError::Findings(vec![source.finding(
        "openapi-version",
        at,
        message,
        "convert the document to OpenAPI 3",
    )])
}
