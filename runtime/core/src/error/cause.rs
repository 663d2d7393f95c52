//! The cause in the message of an error: one short line, made from a chain of sources that any crate may have written.

use std::error::Error;
use std::fmt::{self, Write};

use super::TransportError;
use crate::secret::key::ApiKey;
use crate::secret::quotation::{cut, redact};

/// The maximum length of a cause, in characters.
const LONGEST: usize = 200;
/// The maximum depth of a chain, which may be circular.
const DEEPEST: usize = 32;

/// Iterates over an error and its sources. The cause of a transport error is not its source, but is part of the chain.
fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error| below(*error)).take(DEEPEST)
}

fn below<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e (dyn Error + 'static)> {
    match error.downcast_ref::<TransportError>() {
        Some(error) => Some(error.cause()),
        None => error.source(),
    }
}

/// Returns the innermost message of the chain: one line of at most [`LONGEST`] characters, without addresses and secrets. Secrets are searched
/// before anything is cut. `None` if no error has a message.
pub(super) fn line(error: &(dyn Error + 'static), secrets: Option<&ApiKey>) -> Option<String> {
    let texts = chain(error).map(|error| redact(&text_of(format_args!("{error}")), secrets));
    let lines = texts.map(|text| on_one_line(&text));
    lines.filter(|line| !line.is_empty()).last()
}

/// Returns whether a message of the chain contains a secret, in `Display` or `Debug`.
pub(super) fn shows(error: &(dyn Error + 'static), secrets: &ApiKey) -> bool {
    chain(error).any(|error| {
        let display = text_of(format_args!("{error}"));
        let debug = text_of(format_args!("{error:?}"));
        secrets.is_in(display.as_bytes()) || secrets.is_in(debug.as_bytes())
    })
}

fn text_of(message: fmt::Arguments<'_>) -> String {
    let mut text = String::new();
    // A failing `Display` has already written something; `to_string` would panic.
    let _ = text.write_fmt(message);
    text
}

fn on_one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    let words = words.filter(|word| !word.is_empty());
    let words = words.map(|word| {
        if word.contains("://") {
            "[address]"
        } else {
            word
        }
    });
    let mut line = words.collect::<Vec<_>>().join(" ");
    // Removes the suffix of the standard library, which differs between systems; the source keeps it.
    if let Some(at) = line.find(" (os error ") {
        line.truncate(at);
    }
    cut(line, LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Layer(&'static str, Option<Box<Layer>>);

    impl fmt::Display for Layer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Layer {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|layer| layer as _)
        }
    }

    fn of(texts: &[&'static str]) -> Option<String> {
        let layers = texts.iter().rev();
        let layer = layers.fold(None, |inner, text| Some(Box::new(Layer(text, inner))));
        line(&*layer.unwrap(), None)
    }

    #[test]
    fn the_innermost_message_is_the_cause() {
        assert_eq!(of(&["a", "b", " "]).unwrap(), "b");
        assert_eq!(of(&["", "\n"]), None);
    }

    #[test]
    fn a_cause_is_one_line_without_addresses() {
        let text = "no\r\n\u{1b}[31m route to\t(https://h.example/?whom=x) now";
        assert_eq!(of(&[text]).unwrap(), "no [31m route to [address] now");
    }

    #[test]
    fn a_system_error_is_shown_without_its_number() {
        let error = std::io::Error::from_raw_os_error(1);
        assert!(error.to_string().ends_with("(os error 1)"));
        let line = line(&error, None).unwrap();
        assert!(
            error.to_string().starts_with(&line) && !line.contains('('),
            "{line}"
        );
    }

    #[test]
    fn a_long_cause_is_cut() {
        let long: &'static str = "é".repeat(300).leak();
        let line = of(&[long]).unwrap();
        assert_eq!(line.chars().count(), LONGEST);
        assert!(line.ends_with("é…"), "{line}");
        let exact: &'static str = "é".repeat(LONGEST).leak();
        assert_eq!(of(&[exact]).unwrap(), exact);
    }

    /// An error that is its own source, with a message that fails.
    #[derive(Debug)]
    struct Circular;

    impl fmt::Display for Circular {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("again")?;
            Err(fmt::Error)
        }
    }

    impl Error for Circular {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            Some(self)
        }
    }

    #[test]
    fn a_circular_chain_is_cut_and_a_message_that_fails_is_shown() {
        assert_eq!(line(&Circular, None).unwrap(), "again");
    }
}
