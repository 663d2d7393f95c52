//! From an HTTP answer to a typed response or a typed error. The status decides first, the body second.

use serde::de::DeserializeOwned;

use crate::api::Operation;
use crate::api_key::ApiKey;
use crate::call::{Answer, Course};
use crate::decode::decode;
use crate::error::{DecodeError, Error, StatusError};
use crate::excerpt::{MESSAGE, POINTER, excerpt};
use crate::response::{Meta, Response};

/// Longest quotation of a body in a message, in characters.
const EXCERPT: usize = 200;

/// Sorts an answer; what it quotes from the service is freed of the key.
pub(crate) fn receive<T: DeserializeOwned>(
    operation: &'static Operation,
    key: Option<&ApiKey>,
    answer: Answer,
    course: Course,
) -> Result<Response<T>, Error> {
    let answer = answer.map_err(|error| error.during(operation, course))?;
    let (parts, raw) = answer.into_parts();
    let (status, mut headers) = (parts.status, parts.headers);
    for value in headers.values_mut() {
        if key.is_some_and(|key| key.is_in(value.as_bytes())) {
            value.set_sensitive(true);
        }
    }
    let redact = |text: &str| key.map_or_else(|| text.to_owned(), |key| key.redact(text));

    if !status.is_success() {
        let excerpt = if status.is_redirection() {
            // Not its body: it usually repeats the address, and so the arguments.
            "; redirects are never followed, check the base URL".to_owned()
        } else {
            quote(&redact(&String::from_utf8_lossy(&raw)))
        };
        return Err(Error::Status(Box::new(StatusError {
            operation,
            status,
            headers,
            body: raw,
            excerpt,
            course,
        })));
    }
    match decode::<T>(&raw) {
        Ok(body) => {
            let meta = Meta {
                status,
                headers,
                credits_consumed: course.reported,
                outcome: course.outcome,
                attempts: course.attempts,
            };
            Ok(Response {
                body,
                meta,
                raw,
                answer: operation.answer,
            })
        }
        Err(located) => Err(Error::Decode(Box::new(DecodeError {
            operation,
            status,
            headers,
            body: raw,
            path: excerpt(&redact(&located.pointer), POINTER),
            message: shortened(redact(&located.message)),
            course,
        }))),
    }
}

/// `: ` and the beginning of a text of the service's, on one line; nothing for an empty one.
pub(crate) fn quote(body: &str) -> String {
    let line: Vec<&str> = body
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        // More do not fit, and a body can be huge.
        .take(EXCERPT + 1)
        .collect();
    let line = line.join(" ");
    if line.is_empty() {
        return String::new();
    }
    match line.char_indices().nth(EXCERPT) {
        None => format!(": {line}"),
        Some(_) => {
            let start: String = line.chars().take(EXCERPT - 1).collect();
            format!(": {start}…")
        }
    }
}

/// What does not decode, without the middle if it quotes a long text: what was expected, and where, stands at the end.
pub(crate) fn shortened(message: String) -> String {
    excerpt(&message, MESSAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_loses_its_middle() {
        let message = "é".repeat(400);
        assert_eq!(shortened(message.clone()), message);
        let message = format!("a{}z", "é".repeat(400));
        let half = "é".repeat(199);
        assert_eq!(shortened(message), format!("a{half}…{half}z"));
    }

    #[test]
    fn a_quotation_is_one_line_of_at_most_200_characters() {
        assert_eq!(quote(""), "");
        assert_eq!(quote(" \n"), "");
        assert_eq!(
            quote("<html>\r\n\t<b>\u{1b}[31mBad</b>"),
            ": <html> <b> [31mBad</b>"
        );
        let words = "é ".repeat(1000);
        assert_eq!(quote(&words), format!(": {}é…", "é ".repeat(99)));
        assert_eq!(quote(&"é".repeat(200)), format!(": {}", "é".repeat(200)));
        assert_eq!(quote(&"é".repeat(201)), format!(": {}…", "é".repeat(199)));
    }
}
