//! Writes moved actions: changes only their lines of a file, and keeps comments, order and style of the others.

use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_overlay::Action;
use serde_json::Value;

use crate::edit::{action_lines, scalar, with_key};

/// An action in the terms of the new document.
#[derive(Clone, Debug)]
pub(super) struct Moved {
    pub(super) target: String,
    /// Value to write; `None` for an action that writes nothing.
    pub(super) update: Option<Value>,
    pub(super) guard: Option<Value>,
}

impl Moved {
    /// Creates an unchanged action.
    pub(super) fn of(action: &Action) -> Self {
        Self {
            target: action.target.clone(),
            update: action.effect.update().cloned(),
            guard: action.guard.clone(),
        }
    }

    /// Returns whether an action is the same.
    pub(super) fn is_as(&self, action: &Action) -> bool {
        self.target == action.target
            && self.guard == action.guard
            && self.update.as_ref() == action.effect.update()
    }
}

/// Returns a file's content with these actions in place of the old ones: none for a removed action, several for one that was split.
/// `None` if the actions are not written in block style, or one of them refers to a part that would have to change.
pub(super) fn rewritten(
    source: &Source,
    before: &[Action],
    actions: &[Vec<Moved>],
) -> Option<String> {
    let lines: Vec<&str> = source.text.split_inclusive('\n').collect();
    let mut text = String::new();
    let mut done = 0;
    for (old, moved) in before.iter().zip(actions) {
        let (range, _) = action_lines(source, &old.pointer)?;
        text.push_str(&lines.get(done..range.start)?.concat());
        let mut block = lines.get(range.clone())?.concat();
        if !block.ends_with('\n') {
            block.push('\n');
        }
        let old = Moved::of(old);
        for one in moved {
            text.push_str(&action(&source.path, &block, &old, one)?);
        }
        done = range.end;
    }
    text.push_str(&lines.get(done..)?.concat());
    Some(text)
}

/// Head of a file with one action.
const ALONE: &str = "actions:\n";

fn action(path: &str, block: &str, old: &Moved, new: &Moved) -> Option<String> {
    let mut source = parse(path, format!("{ALONE}{block}"))?;
    if old.target != new.target {
        let text = with_scalars(
            &source,
            &[("/actions/0/target".to_owned(), new.target.clone())],
        )?;
        source = parse(path, text)?;
    }
    let update = old.update.as_ref();
    if let Some(new) = new.update.as_ref().filter(|new| update != Some(*new)) {
        // A reusable action concerns other locations, too.
        source.value.pointer("/actions/0/update")?;
        let changed = texts(update?, new, "/actions/0/update");
        let edited = changed.and_then(|changed| parse(path, with_scalars(&source, &changed)?));
        let edited = edited.filter(|done| done.value.pointer("/actions/0/update") == Some(new));
        source = match edited {
            Some(done) => done,
            None => parse(path, with_key(&source, "/actions/0", "update", new)?)?,
        };
    }
    let expected = old.guard.as_ref();
    if let Some(guard) = new.guard.as_ref().filter(|new| expected != Some(*new)) {
        source = parse(path, with_key(&source, "/actions/0", "x-expect", guard)?)?;
    }
    source.text.strip_prefix(ALONE).map(str::to_owned)
}

fn parse(path: &str, text: String) -> Option<Source> {
    Source::parse(path, text).ok()
}

/// Returns the strings that differ; `None` if anything else does.
fn texts(old: &Value, new: &Value, at: &str) -> Option<Vec<(String, String)>> {
    match (old, new) {
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            let mut found = Vec::new();
            for ((key, x), y) in a.iter().zip(b.values()) {
                found.extend(texts(x, y, &pointer::join(at, key))?);
            }
            Some(found)
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut found = Vec::new();
            for (index, (x, y)) in a.iter().zip(b).enumerate() {
                found.extend(texts(x, y, &format!("{at}/{index}"))?);
            }
            Some(found)
        }
        (a, b) if a == b => Some(Vec::new()),
        (Value::String(_), Value::String(text)) => Some(vec![(at.to_owned(), text.clone())]),
        _ => None,
    }
}

/// Replaces these values, one-line strings, in their own quoting style.
fn with_scalars(source: &Source, values: &[(String, String)]) -> Option<String> {
    let mut places = Vec::new();
    for (at, value) in values {
        places.push((source.place(at)?, value));
    }
    places.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = source.text.clone();
    for (span, value) in places {
        let is_flow = text.get(..span.start)?.trim_end().ends_with(['[', ',']);
        let new = match text.get(span.clone())?.chars().next() {
            Some('"') => serde_json::to_string(value).ok()?,
            Some('\'') => format!("'{}'", value.replace('\'', "\'\'")),
            _ if is_flow && value.contains(['[', ']', '{', '}', ',']) => {
                serde_json::to_string(value).ok()?
            }
            _ => scalar(value),
        };
        text.replace_range(span, &new);
    }
    Some(text)
}
