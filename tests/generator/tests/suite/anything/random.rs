//! Random documents: any bytes, any syntax, and valid documents with damage.

use openapi_document::pointer;
use openapi_document::source::Source;
use proptest::prelude::*;
use proptest::sample::Index;

use super::{BOOKSHOP, ODDITIES, SHOP, everything};
use crate::diff::random::any_value;
use crate::support::Inputs;

/// Damage of a file: location, length and bytes.
type Damage = (u8, Index, Index, Index, u8);

fn damage() -> impl Strategy<Value = Vec<Damage>> {
    let one = (
        0u8..6,
        any::<Index>(),
        any::<Index>(),
        any::<Index>(),
        any::<u8>(),
    );
    prop::collection::vec(one, 1..5)
}

fn damaged(text: &str, damage: &[Damage]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (kind, at, length, to, byte) in damage {
        if bytes.is_empty() {
            break;
        }
        let at = at.index(bytes.len());
        let end = (at + 1 + length.index(400)).min(bytes.len());
        let to = to.index(bytes.len());
        let line = |at: usize| {
            bytes[..at]
                .iter()
                .rposition(|byte| *byte == b'\n')
                .map_or(0, |at| at + 1)
        };
        match kind {
            0 => bytes[at] ^= 1 << (byte % 8),
            1 => bytes.truncate(at),
            2 => {
                let chunk = bytes[at..end].to_vec();
                bytes.splice(to..to, chunk);
            }
            3 => drop(bytes.drain(at..end)),
            // Whole lines: most of these texts can still be parsed.
            4 => {
                let chunk = bytes[line(at)..line(end.max(at))].to_vec();
                let to = line(to);
                bytes.splice(to..to, chunk);
            }
            _ => drop(bytes.drain(line(at)..line(end))),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns a configuration with a part of the requested rounds, because these rounds take long.
fn rounds(part: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig {
        failure_persistence: None,
        cases: (default.cases / part).max(1),
        ..default
    }
}

proptest! {
    #![proptest_config(rounds(2))]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        everything(&String::from_utf8_lossy(&bytes), false);
    }

    #[test]
    fn any_syntax_is_read_or_refused(
        parts in prop::collection::vec(prop::sample::select(vec![
            "{", "}", "[", "]", ":", ": ", ",", "\n", "\n  ", "- ", "? ", "&a ", "*a", "!!str ", "| ", "> ", "'", "\"", "\\", "#",
            "openapi: 3.1.0\n", "\"openapi\": \"3.0.0\"", "paths", "/a", "get", "$ref", "\"#/paths\"", "<<", "---\n", "...\n", "%YAML 1.2\n",
            "null", "\u{feff}", "\t", "\r\n", "\\ud800", "\u{2028}",
        ]), 0..60),
    ) {
        everything(&parts.concat(), false);
    }
}

proptest! {
    #![proptest_config(rounds(16))]

    #[test]
    fn a_damaged_document_is_read_or_refused(which in 0usize..4, as_json: bool, damage in damage()) {
        let published = Inputs::committed().published.text.as_str();
        let text = [published, BOOKSHOP, ODDITIES, SHOP][which].to_owned();
        let text = if as_json {
            serde_json::to_string_pretty(&Source::parse("a.yaml", text).unwrap().value).unwrap()
        } else {
            text
        };
        everything(&damaged(&text, &damage), false);
    }
}

proptest! {
    #![proptest_config(rounds(64))]

    #[test]
    fn a_crate_is_made_of_a_damaged_document_or_it_is_told_why_not(which in 0usize..2, damage in damage()) {
        everything(&damaged([BOOKSHOP, ODDITIES][which], &damage), true);
    }

    #[test]
    fn a_crate_is_made_of_nonsense_or_it_is_told_why_not(
        which in 0usize..2, nonsense in prop::collection::vec((any::<Index>(), any_value()), 1..4),
    ) {
        let mut document = Source::parse("a.yaml", [BOOKSHOP, ODDITIES][which].to_owned()).unwrap().value;
        for (at, value) in nonsense {
            let mut places = Vec::new();
            pointer::walk(&document, "", &mut |at, _| places.push(at.to_owned()));
            *document.pointer_mut(at.get::<String>(&places)).unwrap() = value;
        }
        everything(&document.to_string(), true);
    }
}
