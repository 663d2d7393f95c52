//! The OpenAPI version of a document.

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::source::Source;
use serde_json::Value;

/// Checks the version of a document. An unknown 3.x version is read as the newest one, with a warning.
///
/// # Errors
///
/// The document is not OpenAPI 3.
pub(super) fn version(source: &Source, warnings: &mut Vec<Finding>) -> Result<(), DocumentError> {
    let written = match source.value.get("openapi") {
        Some(Value::String(text)) => text.trim().to_owned(),
        // `openapi: 3.1` without quotes.
        Some(Value::Number(number)) => number.to_string(),
        _ => return Err(no_openapi(source)),
    };
    let mut numbers = written.split('.');
    let (major, minor) = (numbers.next(), numbers.next());
    match (major, minor) {
        (Some("3"), Some("0" | "1" | "2")) => {}
        (Some("3"), _) => {
            let finding = source.finding(
                "openapi-version",
                "/openapi",
                format!("OpenAPI {written} is not known, and is read as 3.2"),
                "write the version that the document follows: 3.0, 3.1 or 3.2",
            );
            warnings.push(finding.warning());
        }
        _ => {
            return Err(refused(
                source,
                "/openapi",
                format!("OpenAPI {written} is not supported: 3.0, 3.1 and 3.2 are"),
                CONVERT,
            ));
        }
    }
    Ok(())
}

fn no_openapi(source: &Source) -> DocumentError {
    match source.value.get("swagger") {
        Some(version) => {
            let version = version.as_str().map_or(version.to_string(), str::to_owned);
            refused(
                source,
                "/swagger",
                format!("Swagger {version} is not supported: OpenAPI 3.0, 3.1 and 3.2 are"),
                "convert the document to OpenAPI 3 (`npx swagger2openapi FILE --outfile converted.yaml`)",
            )
        }
        None => refused(
            source,
            "/openapi",
            "the document has no string `openapi`, and is therefore not an OpenAPI document"
                .to_owned(),
            CONVERT,
        ),
    }
}

const CONVERT: &str = "convert the document to OpenAPI 3";

fn refused(source: &Source, at: &str, message: String, help: &str) -> DocumentError {
    DocumentError::Findings(vec![source.finding("openapi-version", at, message, help)])
}
