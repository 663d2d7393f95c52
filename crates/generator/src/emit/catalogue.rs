//! The list of operations in the README: by tag, a line each, and of a large crate a line for each tag.

use openapi_model::{Handle, Model, Operation};

use super::left_out::{cell, one_line};

/// The most lines. A longer list is read in rustdoc, which can be searched.
const LINES: usize = 40;
/// The most characters of what an operation or a tag is about.
const WIDTH: usize = 100;

/// The section of the operations.
pub(super) fn emit(model: &Model) -> String {
    let operations = &model.operations;
    if operations.len() > LINES && !model.handles.is_empty() {
        return handles(model);
    }
    let mut tags: Vec<Option<&str>> = Vec::new();
    for operation in operations.iter().take(LINES) {
        if !tags.contains(&operation.tag.as_deref()) {
            tags.push(operation.tag.as_deref());
        }
    }
    let (feature, line) = if model.groups.is_empty() {
        ("", "")
    } else {
        (" feature |", "---|")
    };
    let head = format!("| method | request | response |{feature}\n|---|---|---|{line}\n");
    if tags.is_empty() {
        tags.push(None);
    }
    let mut tables = Vec::new();
    for tag in &tags {
        let listed = operations.iter().take(LINES);
        let listed = listed.filter(|one| one.tag.as_deref() == *tag);
        let rows: String = listed.map(|one| row(model, one)).collect();
        let title = match tag {
            _ if tags.len() == 1 => String::new(),
            Some(tag) => format!("### {}\n\n", cell(tag)),
            None => "### Without a tag\n\n".to_owned(),
        };
        tables.push(format!("{title}{head}{rows}"));
    }
    let rest = match operations.len().saturating_sub(LINES) {
        0 => String::new(),
        rest => format!("\n[`Client`] has {rest} more.\n"),
    };
    format!("{}{rest}", tables.join("\n"))
}

fn row(model: &Model, operation: &Operation) -> String {
    let feature = match (model.groups.is_empty(), model.feature(operation)) {
        (true, _) => String::new(),
        (false, None) => " |".to_owned(),
        (false, Some(feature)) => format!(" `{feature}` |"),
    };
    format!(
        "| `{}` | `{} {}` | {} |{feature}\n",
        operation.call(),
        operation.method,
        operation.path,
        operation
            .text
            .first()
            .map(|text| brief(text))
            .unwrap_or_default(),
    )
}

/// A line for each handle, and for the operations that have none.
fn handles(model: &Model) -> String {
    let rows = model.handles.iter().take(LINES).map(|handle| {
        let methods = methods(model, Some(handle));
        let about = match &handle.description {
            Some(description) => brief(description),
            None => brief(&methods.join(", ")),
        };
        format!("| `{}()` | {} | {about} |\n", handle.name, methods.len())
    });
    let rows: String = rows.collect();
    let rest = match model.handles.len().saturating_sub(LINES) {
        0 => String::new(),
        rest => format!(" {rest} more are in the module."),
    };
    let flat = match methods(model, None).len() {
        0 => String::new(),
        1 => " One operation has no tag and is a method of [`Client`].".to_owned(),
        several => format!(" {several} operations have no tag and are methods of [`Client`]."),
    };
    let first = model.operations.iter().find(|one| one.handle.is_some());
    let example = first.map(|one| one.call()).unwrap_or_default();
    format!(
        "Each tag has a handle with its operations, as in `client.{example}(…)`; the module [`handles`] lists them.{rest}{flat}\n\n\
         | handle | operations | about |\n|---|---|---|\n{rows}"
    )
}

/// Returns the methods of a handle, or of the client.
fn methods<'m>(model: &'m Model, handle: Option<&Handle>) -> Vec<&'m str> {
    let name = handle.map(|handle| &handle.name);
    let operations = model.operations.iter();
    let behind = operations.filter(|one| one.handle.as_ref() == name);
    behind.map(|one| one.rust_name.as_str()).collect()
}

/// Returns the first sentence of a description, for a table cell.
fn brief(text: &str) -> String {
    let text = one_line(text);
    let sentence = text.split_inclusive(". ").next().unwrap_or_default().trim();
    let mut cut = String::new();
    for word in sentence.split(' ') {
        if !cut.is_empty() && cut.chars().count() + word.chars().count() >= WIDTH {
            cut.push_str(" …");
            break;
        }
        if !cut.is_empty() {
            cut.push(' ');
        }
        cut.push_str(word);
    }
    cell(&cut)
}
