//! Parses JSONPath queries that people write: step by step, as deep as the parser can take, and with a bound on what a filter asks of a value.

use std::ops::Range;

use super::query::steps;

/// Maximum depth of brackets and parentheses: the parser and the evaluation recurse at each.
const DEEPEST: usize = 32;

/// Maximum number of selectors of a step that select several values each: the values of all are held before each is taken once.
const SELECTORS: usize = 32;

/// Maximum cost of a query in a filter, which is evaluated for each value that the filter is about.
const MOST: usize = 12;

/// Cost of `..` in a filter, which visits a value for each value around it: with two of them, it would be for each pair.
const DESCENT: usize = 8;

/// Cost of a comma in a filter: a list of two selectors may select each value twice, and the next list each of those twice.
const COMMA: usize = 2;

/// An RFC 9535 query. Its evaluation takes one step after the other. Each selector of a step visits a value once, so that the
/// evaluation takes time by the length of the query and the size of the document, and memory by its size times the selectors of several values
/// in one step. A filter costs more: as often as its own queries visit a value.
#[derive(Clone, Debug)]
pub struct JsonPath {
    pub(super) steps: Vec<Step>,
}

/// One step of a query.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Place in the text, in bytes.
    pub(super) range: Range<usize>,
    /// True for `..`: the selectors are about all values at and below a place.
    pub(super) descends: bool,
    /// The selectors as a query of the value that they are about.
    pub(super) selectors: serde_json_path::JsonPath,
    /// The selectors as a query of the document, where a filter reads the document: what they select anywhere.
    pub(super) anywhere: Option<serde_json_path::JsonPath>,
}

/// Parses an RFC 9535 query.
///
/// # Errors
///
/// A query that is not valid, that is nested too deeply, or a filter that asks too much of each value. The message is a fragment.
pub fn parse(text: &str) -> Result<JsonPath, String> {
    measure(text)?;
    parse_measured(text)?;
    let starts = steps(text);
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let steps = starts.iter().zip(ends);
    let steps = steps.map(|(start, end)| parse_step(text, *start..end));
    Ok(JsonPath {
        steps: steps.collect::<Result<_, _>>()?,
    })
}

fn parse_step(text: &str, range: Range<usize>) -> Result<Step, String> {
    let step = text.get(range.clone()).unwrap_or_default().trim_end();
    let below = step.strip_prefix("..");
    let selectors = match below {
        Some(rest) if !rest.starts_with('[') => format!("$.{rest}"),
        Some(rest) => format!("${rest}"),
        None => format!("${step}"),
    };
    let anywhere = if measure(step)? {
        Some(parse_measured(&selectors.replacen('$', "$..", 1))?)
    } else {
        None
    };
    Ok(Step {
        range,
        descends: below.is_some(),
        selectors: parse_measured(&selectors)?,
        anywhere,
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "the query was measured: this is the one place that parses"
)]
fn parse_measured(text: &str) -> Result<serde_json_path::JsonPath, String> {
    serde_json_path::JsonPath::parse(text).map_err(|error| error.to_string())
}

/// A query in a filter, as far as it is read.
#[derive(Clone, Copy, Default)]
struct Inner {
    /// How often it may visit a value, about, as a power of two.
    cost: usize,
    /// True if it begins with `$`.
    is_of_root: bool,
}

/// An open bracket or parenthesis.
struct Open {
    kind: char,
    commas: usize,
    /// The query that it is a part of.
    around: Inner,
}

/// Refuses a query that is nested too deeply, or whose steps or filters cost too much. Returns whether a filter has a query from `$`.
fn measure(text: &str) -> Result<bool, String> {
    let mut open: Vec<Open> = Vec::new();
    let (mut inner, mut reads_document) = (Inner::default(), false);
    let mut selectors = 0;
    let (mut quote, mut escaped, mut before) = (None, false, ' ');
    for c in text.chars() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(first), _) if c == first => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[' | '(') => open.push(Open {
                kind: c,
                commas: 0,
                around: inner,
            }),
            (None, ']' | ')') => inner = open.pop().map(closed).unwrap_or_default(),
            (None, ',') => inner = next(&mut open),
            (None, '&' | '|' | '=' | '<' | '>' | '!') => inner = around(&open),
            (None, '@' | '$') => {
                inner = around(&open);
                inner.is_of_root = c == '$';
                reads_document |= c == '$' && !open.is_empty();
            }
            (None, '.') if before == '.' => inner.cost += DESCENT,
            _ => {}
        }
        // Outside of brackets, the steps are taken one by one.
        if open.is_empty() {
            inner = Inner::default();
            selectors = 0;
        }
        let selects_several = quote.is_none() && "*?:".contains(c);
        if selects_several && open.len() == 1 {
            selectors += 1;
        }
        if selectors > SELECTORS {
            return Err(format!(
                "a step has more than {SELECTORS} selectors of several values each"
            ));
        }
        let is_several = inner.cost > 0 || selects_several;
        if inner.is_of_root && is_several {
            return Err(
                "a query from `$` in a filter must select one value by names and indices"
                    .to_owned(),
            );
        }
        if inner.cost > MOST {
            return Err(
                "a filter visits each value too often, by repeated `..` or by lists".to_owned(),
            );
        }
        if open.len() > DEEPEST {
            return Err(format!(
                "its brackets and parentheses are nested more than {DEEPEST} deep"
            ));
        }
        before = c;
    }
    Ok(reads_document)
}

/// Returns the query that the innermost bracket is a part of.
fn around(open: &[Open]) -> Inner {
    open.last().map(|one| one.around).unwrap_or_default()
}

/// Returns the query that goes on after a bracket.
fn closed(one: Open) -> Inner {
    Inner {
        cost: one.around.cost + COMMA * one.commas,
        ..one.around
    }
}

/// Counts a comma. Returns the query that goes on after it.
fn next(open: &mut [Open]) -> Inner {
    if let Some(one) = open.last_mut().filter(|one| one.kind == '[') {
        one.commas += 1;
    }
    around(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_a_greatest_depth_and_its_filters_a_greatest_cost() {
        let nested = |open: &str, close: &str, times: usize| {
            format!("$[?{}@.a{}]", open.repeat(times), close.repeat(times))
        };
        let names: Vec<String> = (0..500).map(|n| format!("'{n}'")).collect();
        let named = format!("$[{}]", names.join(","));
        for (query, is_read) in [
            (nested("(", ")", 31), true),
            (nested("(", ")", 4_000), false),
            (nested("!(", ")", 4_000), false),
            (nested("@[?", "]", 4_000), false),
            ("$".to_owned() + &"[".repeat(4_000), false),
            (format!("$['{}']", "(".repeat(4_000)), true),
            (named, true),
            (format!("${}", "..*".repeat(100)), true),
            (format!("${}", "['a', \"a\", *]".repeat(100)), true),
            ("$[*][?@.a, 0, 1:2]".to_owned(), true),
            ("$..[?@..a]..b[?@..c && !(@..d) || @..e]".to_owned(), true),
            ("$[?count(@..a) == count(@..b)]".to_owned(), true),
            ("$[?match(@.a, '..*..*$..*')]".to_owned(), true),
            ("$[?@..a..b]".to_owned(), false),
            ("$[?@..a[?@..b]]".to_owned(), false),
            ("$[?@[?@.a == 1 && @..a[?@..b]]]".to_owned(), false),
            ("$[?@['a', 'b', 'c']]".to_owned(), true),
            (format!("$[?@{}]", "[*, *]".repeat(6)), true),
            (format!("$[?@{}]", "[*, *]".repeat(7)), false),
            ("$[?@..a[*, *]['a', 'b']]".to_owned(), true),
            ("$[?@..a[*, *]['a', 'b', 'c']]".to_owned(), false),
            (
                format!("$['x'][{}*]..[{}*]", "*, ".repeat(31), "1:2, ".repeat(31)),
                true,
            ),
            (format!("$['x'][{}*]", "*, ".repeat(32)), false),
            (format!("$..[{}*]", "1:2, ".repeat(32)), false),
            (format!("$[{}?@.a]", "?@.a, ".repeat(32)), false),
            (format!("$[?@{}]", "['a', 'a', 'a']".repeat(7)), false),
            ("$[?@.a == $.b['c'][0]]".to_owned(), true),
            ("$[?$.a && @.*, ?@..a]".to_owned(), true),
            ("$[?$..a]".to_owned(), false),
            ("$[?count($.*) > 1]".to_owned(), false),
            ("$[?$.a[?@.b]]".to_owned(), false),
            ("$[?$['a', 'b']]".to_owned(), false),
        ] {
            let shown: String = query.chars().take(40).collect();
            let read = parse(&query);
            assert_eq!(read.is_ok(), is_read, "{shown}: {read:?}");
        }
    }

    #[test]
    fn only_a_filter_with_a_query_from_the_root_reads_the_document() {
        for (query, reads) in [
            ("$['$ref', ?@.a]", false),
            ("$[?@.a == '$']", false),
            ("$[?@.a == \"\\\"$\"]", false),
            ("$[?@.a == $.b]", true),
            ("$.x['$ref', ?!($.b)]", true),
        ] {
            let steps = parse(query).unwrap().steps;
            let found = steps.iter().any(|step| step.anywhere.is_some());
            assert_eq!(found, reads, "{query}");
        }
    }
}
