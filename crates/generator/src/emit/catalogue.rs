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
    let listed = |tag: Option<&str>| -> String {
        let listed = operations.iter().take(LINES);
        let listed = listed.filter(|one| one.tag.as_deref() == tag);
        listed.map(|one| row(model, one)).collect()
    };
    let tables: Vec<String> = match tags.as_slice() {
        [] | [_] => vec![
            operations
                .iter()
                .take(LINES)
                .map(|one| row(model, one))
                .collect(),
        ],
        tags => tags.iter().map(|tag| listed(*tag)).collect(),
    };
    let tables = tables.iter().zip(tags.iter().chain([&None]));
    let several = tags.len() > 1;
    let tables = tables.map(|(rows, tag)| match (several, tag) {
        (false, _) => format!("{head}{rows}"),
        (true, Some(tag)) => format!("### {}\n\n{head}{rows}", cell(tag)),
        (true, None) => format!("### Without a tag\n\n{head}{rows}"),
    });
    let tables: Vec<String> = tables.collect();
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
    let behind = |handle: Option<&Handle>| {
        let name = handle.map(|handle| &handle.name);
        let operations = model.operations.iter();
        let behind = operations.filter(|one| one.handle.as_ref() == name);
        behind.map(|one| one.rust_name.as_str()).collect()
    };
    let rows = model.handles.iter().take(LINES).map(|handle| {
        let methods: Vec<&str> = behind(Some(handle));
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
    let flat = match behind(None).len() {
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
