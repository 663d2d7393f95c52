//! Pointers through lists whose elements change while overrides apply. A parameter is identified by its location and its name.

use openapi_document::pointer;
use openapi_document::resolver::meant;
use serde_json::Value;

/// The token of a parameter that the other document lacks.
const MARK: char = '?';

/// Returns the location of a parameter, and its name.
pub fn key<'v>(root: &'v Value, element: &'v Value) -> Option<(String, String)> {
    let at = meant(root, element)?;
    let text = |name: &str| at.get(name).and_then(Value::as_str).map(str::to_owned);
    Some((text("in")?, text("name")?))
}

/// The pointer in another state of the same document, where elements of lists may have other positions. Returns how many of its tokens that
/// one has, too.
pub fn settle(from: &Value, to: &Value, at: &str) -> (String, usize) {
    let (mut here, mut there) = (Some(from), Some(to));
    let (mut found, mut depth, mut parent) = (String::new(), 0, String::new());
    for token in pointer::tokens(at) {
        let element = here.and_then(|value| child(value, &token));
        let mut name = token.clone();
        if let Some(list) = there.and_then(Value::as_array) {
            let wanted = match token.strip_prefix(MARK) {
                Some(marked) => marked
                    .split_once('/')
                    .map(|(a, b)| (a.to_owned(), b.to_owned())),
                None => element
                    .filter(|_| parent == "parameters")
                    .and_then(|one| key(from, one)),
            };
            let position = match &wanted {
                Some(wanted) => list
                    .iter()
                    .position(|one| key(to, one).as_ref() == Some(wanted)),
                None => {
                    let own = token
                        .parse()
                        .ok()
                        .filter(|index| list.get(*index) == element);
                    own.or_else(|| list.iter().position(|one| Some(one) == element))
                        .or_else(|| token.parse().ok())
                }
            };
            name = match (position, wanted) {
                (Some(position), _) => position.to_string(),
                (None, Some((place, name))) => format!("{MARK}{place}/{name}"),
                (None, None) => token.clone(),
            };
        }
        there = there.and_then(|value| child(value, &name));
        depth += usize::from(there.is_some());
        here = element;
        found = pointer::join(&found, &name);
        parent = token;
    }
    (found, depth)
}

fn child<'v>(value: &'v Value, token: &str) -> Option<&'v Value> {
    match value {
        Value::Object(map) => map.get(token),
        Value::Array(items) => items.get(token.parse::<usize>().ok()?),
        _ => None,
    }
}
