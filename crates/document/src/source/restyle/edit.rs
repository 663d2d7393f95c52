//! Line edits of a file: an unchanged entry or element stays unchanged, with the comments above it.

use serde_json::{Map, Value};

use super::nodes::{Entry, Form, Node, read};
use super::pairs::pairs;
use super::render;

/// Returns the file with another value; `None` if its form cannot be edited.
pub(super) fn edited(text: &str, old: &Value, new: &Value) -> Option<String> {
    let root = read(text)?;
    let (Form::Map(entries), Value::Object(old), Value::Object(new)) = (&root.form, old, new)
    else {
        return None;
    };
    let edit = Edit { text };
    let first = entries.first()?.key.start;
    Some(text.get(..first)?.to_owned() + &edit.map(entries, old, new, text.len())?)
}

struct Edit<'t> {
    text: &'t str,
}

impl Edit<'_> {
    /// Edits a mapping from its first key to `end`.
    fn map(
        &self,
        entries: &[Entry],
        old: &Map<String, Value>,
        new: &Map<String, Value>,
        end: usize,
    ) -> Option<String> {
        let indent = self.column(entries.first()?.key.start);
        let starts: Vec<usize> = entries
            .iter()
            .map(|entry| entry.key.start)
            .map(|key| self.with_comments(key))
            .collect();
        let mut out = Out::new(indent);
        for (index, entry) in entries.iter().enumerate() {
            let start = match index {
                0 => entry.key.start,
                _ => starts.get(index).copied()?,
            };
            let until = starts.get(index + 1).copied().unwrap_or(end);
            let (was, Some(is)) = (old.get(&entry.name)?, new.get(&entry.name)) else {
                continue;
            };
            let behind = if was == is {
                self.text.get(entry.key.start..until)?.to_owned()
            } else {
                self.changed_entry(entry, was, is, until, indent)?
            };
            out.push(self.text.get(start..entry.key.start)?, &behind);
        }
        for (name, value) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
            out.push("", &render::entry(name, value, indent));
        }
        Some(out.text)
    }

    /// Edits an entry, from its key on.
    fn changed_entry(
        &self,
        entry: &Entry,
        was: &Value,
        is: &Value,
        until: usize,
        indent: usize,
    ) -> Option<String> {
        if let Some(edited) = self.changed(entry.key.start, &entry.value, was, is, until) {
            return Some(edited);
        }
        let key = self.text.get(entry.key.clone())?;
        let written = format!("{key}:{}", render::after_key(is, indent));
        Some(written + self.blank_lines(entry.key.start, until))
    }

    /// Edits a list, from its first dash to `end`.
    fn list(&self, items: &[Node], old: &[Value], new: &[Value], end: usize) -> Option<String> {
        let dashes: Option<Vec<usize>> = items
            .iter()
            .map(|item| self.dash(item.bytes.start))
            .collect();
        let dashes = dashes?;
        let indent = self.column(*dashes.first()?);
        let starts: Vec<usize> = dashes
            .iter()
            .map(|dash| self.with_comments(*dash))
            .collect();
        let mut out = Out::new(indent);
        for (is, index) in new.iter().zip(pairs(old, new)) {
            let Some(index) = index else {
                out.push("", &render::item(is, indent));
                continue;
            };
            let (dash, node) = (*dashes.get(index)?, items.get(index)?);
            let start = match index {
                0 => dash,
                _ => *starts.get(index)?,
            };
            let until = starts.get(index + 1).copied().unwrap_or(end);
            let was = old.get(index)?;
            let behind = if was == is {
                self.text.get(dash..until)?.to_owned()
            } else {
                let edited = self.changed(dash, node, was, is, until);
                edited.unwrap_or_else(|| render::item(is, indent) + self.blank_lines(dash, until))
            };
            out.push(self.text.get(start..dash)?, &behind);
        }
        Some(out.text)
    }

    /// Edits the lines between `start`, before a value, and `until`; `None` if the value has to be rewritten completely.
    fn changed(
        &self,
        start: usize,
        node: &Node,
        was: &Value,
        is: &Value,
        until: usize,
    ) -> Option<String> {
        let before = |at: usize| self.text.get(start..at).map(str::to_owned);
        match (&node.form, was, is) {
            (Form::Map(entries), Value::Object(was), Value::Object(is)) if !is.is_empty() => {
                let inside = self.map(entries, was, is, until)?;
                Some(before(entries.first()?.key.start)? + &inside)
            }
            (Form::List(items), Value::Array(was), Value::Array(is)) if !is.is_empty() => {
                let inside = self.list(items, was, is, until)?;
                let dash = self.dash(items.first()?.bytes.start)?;
                Some(before(dash)? + &inside)
            }
            (Form::Inline, ..) => {
                let written = self.text.get(node.bytes.clone())?;
                let is_collection = is.is_object() || is.is_array();
                let is_flow = written.starts_with(['{', '[']);
                let indent = self.column(start);
                let value = match is_collection {
                    true if is_flow => render::flow(is),
                    true => return None,
                    false => render::inline(is, indent),
                };
                let (behind, comment) = (
                    self.text.get(node.bytes.end..until)?,
                    self.text.get(node.bytes.end..)?.lines().next()?,
                );
                let fits = self.column(node.bytes.start) + value.chars().count() <= 130;
                let is_alone = comment.trim().is_empty() || comment.trim().starts_with('#');
                (!written.contains('\n') && !value.contains('\n') && fits && is_alone)
                    .then_some(before(node.bytes.start)? + &value + behind)
            }
            _ => None,
        }
    }

    /// Returns the first byte of the comments directly above a line, or else of that line.
    fn with_comments(&self, at: usize) -> usize {
        let column = self.column(at);
        let mut start = self.line_start(at);
        let mut line = start;
        while let Some(above) = line.checked_sub(1) {
            line = self.line_start(above);
            let text = self.text.get(line..above).unwrap_or_default();
            let content = text.trim_start();
            if content.starts_with('#') && text.len() - content.len() == column {
                start = line;
            } else if !content.is_empty() {
                break;
            }
        }
        start
    }

    /// Returns the dash of an element that begins here.
    fn dash(&self, item: usize) -> Option<usize> {
        let before = self.text.get(..item)?.trim_end();
        before.ends_with('-').then(|| before.len() - 1)
    }

    /// Returns the blank lines at the end of a part of the file.
    fn blank_lines(&self, start: usize, end: usize) -> &str {
        let piece = self.text.get(start..end).unwrap_or_default();
        let content = piece.trim_end();
        let rest = piece.get(content.len()..).unwrap_or_default();
        rest.split_once('\n')
            .map_or("", |(_, blank)| blank.trim_start_matches(' '))
    }

    fn line_start(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        before.rfind('\n').map_or(0, |at| at + 1)
    }

    fn column(&self, at: usize) -> usize {
        at - self.line_start(at)
    }
}

/// Builds a collection from its parts.
struct Out {
    indent: usize,
    text: String,
}

impl Out {
    fn new(indent: usize) -> Self {
        Self {
            indent,
            text: String::new(),
        }
    }

    /// Adds a part with the lines above it. The lines above the first part do not belong to the collection.
    fn push(&mut self, above: &str, part: &str) {
        if !self.text.is_empty() {
            if !self.text.ends_with('\n') {
                self.text.push('\n');
            }
            if above.is_empty() {
                self.text.push_str(&" ".repeat(self.indent));
            }
            self.text.push_str(above);
        }
        self.text.push_str(part);
    }
}
