//! Parses JSONPath queries that people write, as deep as the parser can take.

use serde_json_path::JsonPath;

/// Maximum depth of brackets and parentheses: the parser and the evaluation recurse at each.
const DEEPEST: usize = 32;
/// The most `..` in a query: each visits all that is below each node of the ones before.
const MOST_DESCENDANTS: usize = 8;

/// Parses an RFC 9535 query.
///
/// # Errors
///
/// A query that is not valid, is nested too deeply, or has too many `..`. The message is a fragment.
#[expect(
    clippy::disallowed_methods,
    reason = "its form was measured: this is the one place that parses"
)]
pub fn parse(text: &str) -> Result<JsonPath, String> {
    let scan = scan(text);
    if scan.depth > DEEPEST {
        return Err(format!(
            "its brackets and parentheses are nested more than {DEEPEST} deep"
        ));
    }
    if scan.descendants > MOST_DESCENDANTS {
        return Err(format!("it has more than {MOST_DESCENDANTS} `..`"));
    }
    JsonPath::parse(text).map_err(|error| error.to_string())
}

/// The form of a query.
pub(super) struct Scan {
    /// Where its steps start, in bytes: at each `.` or `[` outside of brackets and quotes.
    pub(super) starts: Vec<usize>,
    /// The most brackets and parentheses within each other.
    depth: usize,
    /// How many `..` it has.
    descendants: usize,
}

/// Reads the form of a query, valid or not.
pub(super) fn scan(query: &str) -> Scan {
    let mut starts = Vec::new();
    let (mut depth, mut deepest, mut descendants) = (0usize, 0, 0);
    let mut quote = None;
    let mut escaped = false;
    let mut before = None;
    for (index, c) in query.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[' | '(') => {
                // `..[` is one step.
                if c == '[' && depth == 0 && before != Some('.') {
                    starts.push(index);
                }
                depth += 1;
                deepest = deepest.max(depth);
            }
            (None, ']' | ')') => depth = depth.saturating_sub(1),
            (None, '.') if before == Some('.') => descendants += 1,
            (None, '.') if depth == 0 => starts.push(index),
            _ => {}
        }
        before = Some(c);
    }
    Scan {
        starts,
        depth: deepest,
        descendants,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_a_greatest_depth_and_few_descendants() {
        let nested = |open: &str, close: &str, times: usize| {
            format!("$[?{}@.a{}]", open.repeat(times), close.repeat(times))
        };
        for (query, is_read) in [
            (nested("(", ")", 31), true),
            (nested("(", ")", 4_000), false),
            (nested("!(", ")", 4_000), false),
            (nested("@[?", "]", 4_000), false),
            ("$".to_owned() + &"[".repeat(4_000), false),
            (format!("$['{}']", "(".repeat(4_000)), true),
            (format!("$['\\'{}']", "(".repeat(4_000)), true),
            (format!("${}", "[?(@.a)]".repeat(100)), true),
            (format!("${}[?@..a..b]", "..a".repeat(6)), true),
            (format!("${}[?@..a..b]", "..a".repeat(7)), false),
            (format!("$['{}']", "..".repeat(9)), true),
        ] {
            let shown: String = query.chars().take(40).collect();
            let read = parse(&query);
            assert_eq!(read.is_ok(), is_read, "{shown}: {read:?}");
        }
    }
}
