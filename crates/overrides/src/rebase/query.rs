//! Writes JSON Pointers as a JSONPath in the style of the override files: dotted names, one list of names for siblings, and
//! parameters by name.

use std::collections::BTreeSet;

use openapi_document::{pointer, resolver};
use serde_json::Value;

/// One step of a path: names, or a selector of elements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Name(String),
    Elements(String),
}

/// A location with its steps.
type Stepped = (Vec<Step>, String);

/// Returns the fewest paths that together select these locations, in the order of the first of each.
pub(super) fn queries(root: &Value, places: &[String]) -> Vec<(String, Vec<String>)> {
    let left = places.iter().map(|at| (steps(root, at), at.clone()));
    let left: Vec<Stepped> = left.collect();
    if let Some(text) = product(&left) {
        return vec![(text, places.to_vec())];
    }
    // Siblings first, then groups of the same siblings.
    let mut groups: Vec<(Vec<Step>, Vec<Stepped>)> = Vec::new();
    for one in left {
        let parent = one.0.split_last().map(|(_, parent)| parent.to_vec());
        let parent = parent.unwrap_or_default();
        match groups.iter_mut().find(|(other, _)| *other == parent) {
            Some((_, members)) => members.push(one),
            None => groups.push((parent, vec![one])),
        }
    }
    let mut merged: Vec<Vec<Stepped>> = Vec::new();
    for (_, members) in groups {
        let found = merged.iter_mut().find(|other| {
            let all: Vec<_> = other.iter().chain(&members).cloned().collect();
            product(&all).is_some()
        });
        match found {
            Some(other) => other.extend(members),
            None => merged.push(members),
        }
    }
    let text = |members: &[Stepped]| {
        let places = members.iter().map(|(_, at)| at.clone()).collect();
        Some((product(members)?, places))
    };
    let texts = merged.iter().flat_map(|members| match text(members) {
        Some(together) => vec![together],
        // Elements of one list.
        None => members.chunks(1).filter_map(text).collect(),
    });
    texts.collect()
}

/// Returns the path that selects exactly these locations, if their steps are independent.
fn product(members: &[Stepped]) -> Option<String> {
    let (first, _) = members.first()?;
    if members.iter().any(|(steps, _)| steps.len() != first.len()) {
        return None;
    }
    let mut text = "$".to_owned();
    let mut count = 1usize;
    for index in 0..first.len() {
        let mut names: Vec<&Step> = Vec::new();
        for step in members.iter().filter_map(|(steps, _)| steps.get(index)) {
            if !names.contains(&step) {
                names.push(step);
            }
        }
        count = count.checked_mul(names.len())?;
        match names.as_slice() {
            [Step::Name(name)] => text.push_str(&named(name)),
            [Step::Elements(selector)] => text.push_str(selector),
            names => {
                let quoted: Option<Vec<String>> = names
                    .iter()
                    .map(|step| match step {
                        Step::Name(name) => Some(quote(name)),
                        Step::Elements(_) => None,
                    })
                    .collect();
                text.push_str(&format!("[{}]", quoted?.join(",")));
            }
        }
    }
    let distinct: BTreeSet<&Vec<Step>> = members.iter().map(|(steps, _)| steps).collect();
    (count == distinct.len()).then_some(text)
}

fn steps(root: &Value, at: &str) -> Vec<Step> {
    let mut here = Some(root);
    let mut parent = String::new();
    let mut steps = Vec::new();
    for token in pointer::tokens(at) {
        let list = here.and_then(Value::as_array);
        let element = list.and_then(|list| list.get(token.parse::<usize>().ok()?));
        steps.push(match (list, element) {
            (Some(list), Some(element)) => Step::Elements(selector(list, element, &parent, &token)),
            (Some(_), None) => Step::Elements(format!("[{token}]")),
            (None, _) => Step::Name(token.clone()),
        });
        here = match element {
            Some(element) => Some(element),
            None => here.and_then(|value| value.get(&token)),
        };
        parent = token;
    }
    steps
}

/// Selects a list element: a parameter or a tag by its name or reference, unless another one has it too, and any other by its position.
fn selector(list: &[Value], element: &Value, parent: &str, index: &str) -> String {
    if ["parameters", "tags"].contains(&parent) {
        if let Some(name) = own(list, element, name) {
            return format!("[?(@.name == {})]", quote(name));
        }
        if let Some(reference) = own(list, element, resolver::reference) {
            return format!("[?(@['$ref'] == {})]", quote(reference));
        }
    }
    format!("[{index}]")
}

/// Returns a text of an element, if no other one has it.
fn own<'e>(
    list: &[Value],
    element: &'e Value,
    text_of: fn(&Value) -> Option<&str>,
) -> Option<&'e str> {
    let text = text_of(element)?;
    let same = list.iter().filter(|one| text_of(one) == Some(text));
    (same.count() == 1).then_some(text)
}

fn name(element: &Value) -> Option<&str> {
    element.get("name").and_then(Value::as_str)
}

/// Writes a name as a step.
fn named(name: &str) -> String {
    let mut letters = name.chars();
    let starts = letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if starts && letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        format!(".{name}")
    } else {
        format!("[{}]", quote(name))
    }
}

/// Quotes a name.
pub(super) fn quote(name: &str) -> String {
    format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'"))
}
