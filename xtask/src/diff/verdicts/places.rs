//! From addresses of values back to pointers, lines and owners; only for what is reported, in one walk of each document.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::diff::http::components::KINDS;
use crate::diff::schemas::comparison::{Mark, address};
use crate::diff::verdicts::change::Place;
use crate::openapi::METHODS;
use crate::pointer;
use crate::source::Source;

/// The places of one document that are reported.
pub(in crate::diff) struct Places {
    pointers: HashMap<usize, String>,
    positions: HashMap<String, (usize, usize)>,
}

impl Places {
    pub(in crate::diff) fn of<'d>(
        source: &'d Source,
        marks: impl Iterator<Item = Mark<'d>>,
    ) -> Self {
        let wanted: HashSet<usize> = marks
            .flat_map(|mark| [mark.value, mark.home])
            .flatten()
            .map(address)
            .collect();
        let mut pointers = HashMap::new();
        if !wanted.is_empty() {
            find(&source.value, &mut String::new(), &wanted, &mut pointers);
        }
        let positions = source.positions(pointers.values().map(String::as_str));
        Self {
            pointers,
            positions,
        }
    }

    /// Where a value stands, if it stands in the document.
    pub(in crate::diff) fn pointer(&self, value: &Value) -> Option<&str> {
        self.pointers.get(&address(value)).map(String::as_str)
    }

    /// The place of what changed, or of the object that lacks it.
    pub(in crate::diff) fn place(&self, mark: Mark<'_>) -> Option<Place> {
        let at = self.pointer(mark.value.or(mark.home)?)?;
        let subject = mark.home.and_then(|home| self.pointer(home)).unwrap_or(at);
        let mut nearest = at;
        let (line, column) = loop {
            match self.positions.get(nearest) {
                Some(position) => break *position,
                None => match nearest.rsplit_once('/') {
                    Some((parent, _)) => nearest = parent,
                    None => break (0, 0),
                },
            }
        };
        Some(Place {
            pointer: at.to_owned(),
            subject: subject.to_owned(),
            line,
            column,
        })
    }
}

fn find(
    value: &Value,
    at: &mut String,
    wanted: &HashSet<usize>,
    found: &mut HashMap<usize, String>,
) {
    if wanted.contains(&address(value)) {
        found.insert(address(value), at.clone());
    }
    let length = at.len();
    match value {
        Value::Object(map) => {
            for (key, child) in map {
                at.push('/');
                if key.contains(['~', '/']) {
                    at.push_str(&pointer::escape(key));
                } else {
                    at.push_str(key);
                }
                find(child, at, wanted, found);
                at.truncate(length);
            }
        }
        Value::Array(items) => {
            for (index, child) in items.iter().enumerate() {
                at.push_str(&format!("/{index}"));
                find(child, at, wanted, found);
                at.truncate(length);
            }
        }
        _ => {}
    }
}

/// The component or operation that a place belongs to, and what is below it in plain words.
pub(in crate::diff) fn owner(at: &str) -> (String, String) {
    let tokens: Vec<String> = pointer::tokens(at).collect();
    let (owner, rest) = match tokens.as_slice() {
        [components, kind, name, rest @ ..] if components == "components" => {
            let kind = KINDS
                .iter()
                .find(|(plural, _)| plural == kind)
                .map_or(kind.as_str(), |(_, one)| one);
            (format!("{kind} {name}"), rest)
        }
        [paths, path, method, rest @ ..]
            if paths == "paths" && METHODS.contains(&method.as_str()) =>
        {
            (format!("{} {path}", method.to_uppercase()), rest)
        }
        [webhooks, name, method, rest @ ..]
            if webhooks == "webhooks" && METHODS.contains(&method.as_str()) =>
        {
            (format!("{} webhook {name}", method.to_uppercase()), rest)
        }
        [paths, path, rest @ ..] if paths == "paths" || paths == "webhooks" => (path.clone(), rest),
        [first, rest @ ..] => (first.clone(), rest),
        [] => ("document".to_owned(), [].as_slice()),
    };
    (owner, below(rest))
}

/// What changed, with where below its owner, unless it says so itself.
pub(in crate::diff) fn sentence(below: &str, what: String) -> String {
    let last = below.rfind('.').map_or(0, |dot| dot + 1);
    let (above, name) = below.split_at(last);
    let above = above.trim_end_matches('.');
    match (name, above) {
        ("", _) => what,
        (name, "") if what.contains(name) => what,
        (name, above) if what.contains(&format!("`{name}`")) => format!("{above}: {what}"),
        _ => format!("{below}: {what}"),
    }
}

/// `properties/author/items/properties/name` as `author[].name`.
fn below(tokens: &[String]) -> String {
    let mut text = String::new();
    let mut tokens = tokens.iter();
    while let Some(token) = tokens.next() {
        match token.as_str() {
            "properties" => {
                if let Some(name) = tokens.next() {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.push_str(name);
                }
            }
            "items" => text.push_str("[]"),
            "additionalProperties" => text.push_str("{}"),
            "responses" => {
                if let Some(status) = tokens.next() {
                    text.push_str("response ");
                    text.push_str(status);
                    text.push(' ');
                }
            }
            "requestBody" => text.push_str("body "),
            "headers" => {
                if let Some(name) = tokens.next() {
                    text.push_str("header ");
                    text.push_str(name);
                }
            }
            _ => {}
        }
    }
    text.trim_end().replace(" .", " ")
}
