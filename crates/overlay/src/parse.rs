//! Parses JSONPath queries that people write: as deep as the parser can take, and with a bound on how often a node is selected.

use std::collections::BTreeSet;

use serde_json_path::JsonPath;

/// Maximum depth of brackets and parentheses: the parser and the evaluation recurse at each.
const DEEPEST: usize = 32;

/// Maximum number of times that a query may select one node: the evaluation keeps each of them.
const MOST_OFTEN: usize = 4_096;

/// The number of ancestors, about, from which each further `..` selects a node again.
const ANCESTORS: usize = 8;

/// Parses an RFC 9535 query.
///
/// # Errors
///
/// A query that is not valid, that is nested too deeply, or that selects nodes too often. The message is a fragment.
pub fn parse(text: &str) -> Result<JsonPath, String> {
    let measured = Measured::of(text);
    if measured.depth > DEEPEST {
        return Err(format!(
            "its brackets and parentheses are nested more than {DEEPEST} deep"
        ));
    }
    if measured.often > MOST_OFTEN {
        return Err(format!(
            "it may select a node more than {MOST_OFTEN} times, by repeated `..` or overlapping lists"
        ));
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "the query was measured: this is the one place that parses"
    )]
    JsonPath::parse(text).map_err(|error| error.to_string())
}

/// The depth of a query, and how often it may select one node.
struct Measured {
    depth: usize,
    often: usize,
}

impl Measured {
    fn of(text: &str) -> Self {
        let mut measured = Self { depth: 0, often: 1 };
        let mut open = Open::default();
        let (mut depth, mut descents) = (0_usize, 0_usize);
        let (mut quote, mut escaped, mut before) = (None, false, None);
        for c in text.chars() {
            match (quote, c) {
                (Some(_), _) if escaped => escaped = false,
                (Some(_), '\\') => escaped = true,
                (Some(first), _) if c == first => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') => quote = Some(c),
                (None, '[' | '(') => depth += 1,
                (None, ']' | ')') => depth = depth.saturating_sub(1),
                (None, '.') if depth == 0 && before == Some('.') => descents += 1,
                _ => {}
            }
            measured.depth = measured.depth.max(depth);
            match (depth, c) {
                (0, ']') => measured.often = measured.often.saturating_mul(open.close()),
                (1, ',') if quote.is_none() => open.next(),
                (1.., _) => open.selector.push(c),
                _ => {}
            }
            before = Some(c);
        }
        for _ in 1..descents {
            measured.often = measured.often.saturating_mul(ANCESTORS);
        }
        measured
    }
}

/// The selectors of a bracket at the top of a query.
#[derive(Default)]
struct Open {
    selector: String,
    names: BTreeSet<String>,
    /// Selectors that may select a node which another one selects too.
    overlapping: usize,
}

impl Open {
    fn next(&mut self) {
        let selector = std::mem::take(&mut self.selector);
        let name = selector.trim_matches(|c: char| c.is_whitespace() || "['\"".contains(c));
        let is_name = selector.contains(['\'', '"']) && !selector.contains(['\\', '?']);
        if !is_name || !self.names.insert(name.to_owned()) {
            self.overlapping += 1;
        }
    }

    /// Returns how often the bracket may select a node.
    fn close(&mut self) -> usize {
        self.next();
        let one = std::mem::take(self);
        one.overlapping + usize::from(!one.names.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_a_greatest_depth_and_selects_a_node_a_few_times() {
        let nested = |open: &str, close: &str, times: usize| {
            format!("$[?{}@.a{}]", open.repeat(times), close.repeat(times))
        };
        let names: Vec<String> = (0..500).map(|n| format!("'{n}'")).collect();
        let named = format!("$[{}]", names.join(","));
        let repeated = "['a', \"a\"]".repeat(6);
        for (query, is_read) in [
            (nested("(", ")", 31), true),
            (nested("(", ")", 4_000), false),
            (nested("!(", ")", 4_000), false),
            (nested("@[?", "]", 4_000), false),
            ("$".to_owned() + &"[".repeat(4_000), false),
            (format!("$['{}']", "(".repeat(4_000)), true),
            (named, true),
            ("$..a..b['c']".to_owned(), true),
            ("$..a..b..c..d..e".to_owned(), true),
            ("$..a..b..c..d..e..f".to_owned(), false),
            (format!("${repeated}"), true),
            (format!("${repeated}{repeated}['a',*]"), false),
            ("$[*][?@.a, 0, 1:2]".to_owned(), true),
        ] {
            let shown: String = query.chars().take(40).collect();
            assert_eq!(
                parse(&query).is_ok(),
                is_read,
                "{shown}: {:?}",
                parse(&query)
            );
        }
    }
}
