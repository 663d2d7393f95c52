//! Edits of override files: a new one, and guards brought up to date in place, with comments and order kept.

use std::ops::Range;

use openapi_document::source::Source;
use serde_json::Value;

use super::load::Family;

/// Returns a new override file of one action, with its guard.
pub fn template(family: Family, target: &str, guard: &Value) -> String {
    let evidence = match family {
        Family::Upstream => {
            "  evidence: []          # files below overrides/, as evidence/this-id.json\n"
        }
        Family::Assumed | Family::Generator => "",
    };
    let guard = block("x-expect", guard, 4);
    let target = scalar(target);
    format!(
        "overlay: 1.1.0\n\
         info:\n\
         \x20 title: ''             # the fact, as a sentence\n\
         \x20 version: 1.0.0\n\
         x-override:\n\
         \x20 note: ''              # the sentence at each place, for callers; without it, the title\n\
         \x20 published: ''         # what the document says\n\
         \x20 observed: ''          # what the service does; in assumed/, what is assumed, and why; in generator/, the reason\n\
         \x20 reference: ''         # sections of the provider's reference\n\
         \x20 retire-when: ''       # the change of the document that makes this file superfluous\n\
         {evidence}\
         actions:\n\
         \x20 - target: {target}\n\
         {guard}\
         \x20   update: {{}}          # or `remove: true`\n"
    )
}

/// The lines of an action written in block style, and the column of its keys.
pub(crate) fn action_lines(source: &Source, action: &str) -> Option<(Range<usize>, usize)> {
    let text = &source.text;
    let target = source.place(&format!("{action}/target"))?;
    let line_start = text.get(..target.start)?.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(line_start..)?.lines().next()?;
    // `  - target: …` or `    target: …`
    let key_column = line.find("target:")?;
    let before = line.get(..key_column)?;
    if !before.chars().all(|c| c == ' ' || c == '-') {
        return None;
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let target_line = text.get(..line_start)?.matches('\n').count();
    let (start, end) = extent(&lines, target_line, key_column);
    Some((start..end, key_column))
}

/// Returns the file with a key of one action replaced or added; `None` for an action that is not in block style.
pub fn with_key(source: &Source, action: &str, key: &str, value: &Value) -> Option<String> {
    let (range, key_column) = action_lines(source, action)?;
    let (action_start, action_end) = (range.start, range.end);
    let text = &source.text;
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let guard = block(key, value, key_column);
    let target_line = (action_start..action_end)
        .find(|index| key_at(lines.get(*index).copied(), key_column) == Some("target"))?;
    let old = (action_start..action_end)
        .find(|index| key_at(lines.get(*index).copied(), key_column) == Some(key));
    // The line after that of the key, or of the target, and what belongs to it.
    let mut further = old.unwrap_or(target_line) + 1..action_end;
    let keep_from = further
        .find(|index| starts_key(lines.get(*index).copied(), key_column))
        .unwrap_or(action_end);
    let insert_at = old.unwrap_or(keep_from);
    let head: String = lines.get(..insert_at)?.concat();
    let tail: String = lines.get(keep_from..)?.concat();
    let gap = if head.is_empty() || head.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    Some(format!("{head}{gap}{guard}{tail}"))
}

/// The lines of the action around one of its lines.
fn extent(lines: &[&str], inside: usize, key_column: usize) -> (usize, usize) {
    let belongs =
        |line: &&str| line.trim().is_empty() || line.len() - line.trim_start().len() >= key_column;
    let start = (0..=inside)
        .rev()
        .find(|index| {
            lines
                .get(*index)
                .is_some_and(|line| line.trim_start().starts_with("- "))
        })
        .unwrap_or(inside);
    let end = (start + 1..lines.len())
        .find(|index| !lines.get(*index).is_some_and(belongs))
        .unwrap_or(lines.len());
    (start, end)
}

fn starts_key(line: Option<&str>, column: usize) -> bool {
    line.is_some_and(|line| {
        let content = line.trim_start();
        // The elements of a list may be below their key without indentation.
        !content.is_empty() && !content.starts_with('-') && line.len() - content.len() == column
    })
}

fn key_at(line: Option<&str>, column: usize) -> Option<&str> {
    let line = line?;
    let indented = line.get(column..)?;
    let before = line.get(..column)?;
    (before.chars().all(|c| c == ' ' || c == '-'))
        .then(|| indented.split_once(':').map(|(key, _)| key))
        .flatten()
}

/// `key: value` in YAML, indented.
fn block(key: &str, value: &Value, indent: usize) -> String {
    let spaces = " ".repeat(indent);
    let mut object = serde_json::Map::new();
    object.insert(key.to_owned(), value.clone());
    let Ok(text) = serde_yaml::to_string(&Value::Object(object)) else {
        return String::new();
    };
    text.lines()
        .map(|line| {
            if line.is_empty() {
                "\n".to_owned()
            } else {
                format!("{spaces}{line}\n")
            }
        })
        .collect()
}

/// Returns a string as a scalar of YAML.
pub(crate) fn scalar(text: &str) -> String {
    serde_yaml::to_string(text)
        .map(|yaml| yaml.trim_end().to_owned())
        .unwrap_or_else(|_| format!("{text:?}"))
}
