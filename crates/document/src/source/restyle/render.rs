//! Writes new values as YAML, in the style of a document for people: block style, lists below their key indented by two, long strings folded.

use serde_json::Value;

/// Maximum characters of a line.
const WIDTH: usize = 120;
/// Maximum characters of a list of scalars on one line.
const IN_ONE_LINE: usize = 100;

/// Writes a whole file.
pub(super) fn document(value: &Value) -> String {
    match value {
        Value::Object(map) if !map.is_empty() => block(value, 0),
        Value::Array(items) if !items.is_empty() => block(value, 0),
        scalar => inline(scalar, 0) + "\n",
    }
}

/// Writes a key with its value, without the indentation of its first line, and with the end of its last.
pub(super) fn entry(name: &str, value: &Value, indent: usize) -> String {
    key(name) + ":" + &after_key(value, indent)
}

/// Writes the part behind the colon of a key, with the end of its last line. `indent` is that of the key.
pub(super) fn after_key(value: &Value, indent: usize) -> String {
    match value {
        Value::Array(items) if !items.is_empty() => match short(value, indent) {
            Some(list) => format!(" {list}\n"),
            None => format!("\n{}", block(value, indent + 2)),
        },
        Value::Object(map) if !map.is_empty() => format!("\n{}", block(value, indent + 2)),
        scalar => format!(" {}\n", inline(scalar, indent)),
    }
}

/// Writes an element of a list behind its indentation, with the end of its last line.
pub(super) fn item(value: &Value, indent: usize) -> String {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let entries = block(value, indent + 2);
            format!("- {}", entries.trim_start_matches(' '))
        }
        Value::Array(items) if !items.is_empty() => format!("- {}\n", flow(value)),
        scalar => format!("- {}\n", inline(scalar, indent)),
    }
}

/// Writes a value on one line, as within brackets.
pub(super) fn flow(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let entries: Vec<String> = map
                .iter()
                .map(|(name, value)| format!("{}: {}", flow_text(name), flow(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(flow).collect();
            format!("[{}]", items.join(", "))
        }
        Value::String(text) => flow_text(text),
        scalar => scalar.to_string(),
    }
}

/// Writes a scalar or an empty collection behind a key or a dash at this indentation; it may have several lines.
pub(super) fn inline(value: &Value, indent: usize) -> String {
    match value {
        Value::String(text) => {
            let written = plain(text);
            if written.contains('\n') {
                return indented(&written, indent);
            }
            if indent + written.chars().count() > IN_ONE_LINE && can_be_folded(text) {
                return folded(text, indent + 2);
            }
            written
        }
        collection_or_scalar => flow(collection_or_scalar),
    }
}

/// Writes a non-empty collection, with the indentation of each line.
fn block(value: &Value, indent: usize) -> String {
    let spaces = " ".repeat(indent);
    match value {
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| spaces.clone() + &entry(name, value, indent))
            .collect(),
        Value::Array(items) => items
            .iter()
            .map(|value| spaces.clone() + &item(value, indent))
            .collect(),
        scalar => spaces + &inline(scalar, indent) + "\n",
    }
}

/// Writes a list of scalars that fits on the line of its key.
fn short(value: &Value, indent: usize) -> Option<String> {
    let items = value.as_array()?;
    let are_scalars = items
        .iter()
        .all(|item| !item.is_object() && !item.is_array());
    let list = flow(value);
    (are_scalars && !list.contains('\n') && indent + list.chars().count() <= IN_ONE_LINE)
        .then_some(list)
}

fn key(name: &str) -> String {
    let written = plain(name);
    if written.contains('\n') {
        return quoted(name);
    }
    written
}

/// Writes a string as the library does: plain if that is read back as the same string.
fn plain(text: &str) -> String {
    match serde_yaml::to_string(text) {
        Ok(written) => written.trim_end_matches('\n').to_owned(),
        Err(_) => quoted(text),
    }
}

/// More characters are special within brackets.
fn flow_text(text: &str) -> String {
    let written = plain(text);
    let is_safe = !written.contains(['\n', ',', '[', ']', '{', '}']) && !written.ends_with(':');
    if is_safe || written.starts_with('\'') && !written.contains('\n') {
        written
    } else {
        quoted(text)
    }
}

/// JSON's quoted strings are valid YAML.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Indents a string of several lines, except for the first, which is behind its key.
fn indented(written: &str, indent: usize) -> String {
    let spaces = " ".repeat(indent);
    let mut lines = written.split('\n');
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |out, line| match line {
        "" => out + "\n",
        line => out + "\n" + &spaces + line,
    })
}

/// Returns whether each line break of the folded string stands for exactly one space.
fn can_be_folded(text: &str) -> bool {
    !text.contains("  ")
        && text.trim() == text
        && text.contains(' ')
        && !text.chars().any(char::is_control)
}

fn folded(text: &str, indent: usize) -> String {
    let spaces = " ".repeat(indent);
    let mut out = String::from(">-");
    let mut length = WIDTH;
    for word in text.split(' ') {
        let width = word.chars().count();
        if length + 1 + width > WIDTH {
            out = out + "\n" + &spaces + word;
            length = indent + width;
        } else {
            out = out + " " + word;
            length += 1 + width;
        }
    }
    out
}
