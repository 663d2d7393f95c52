//! The paging of a list in a program's table of operations, as JSON.

use openapi_document::pointer;
use openapi_model::{Model, Operation, PageSource, PageStyle, PageTarget, Pages, PathMember};
use serde_json::{Value, json};

/// The pages of an operation with one list.
pub(super) fn pages<'m>(model: &'m Model, operation: &Operation) -> Option<&'m Pages> {
    let pages = model.pages_of(operation)?;
    // Several lists share an offset, and end by themselves.
    pages
        .items
        .iter()
        .rev()
        .skip(1)
        .all(|member| !member.is_list)
        .then_some(pages)
}

/// The extension with the statement of an operation, in a document that is served.
const STATEMENT: &str = "x-checked-pages";

/// Writes the statement of each list into its operation of the document.
pub fn with_statements(model: &Model, document: &mut Value) {
    for operation in &model.operations {
        let found = document.pointer_mut(&operation.pointer);
        if let (Some(pages), Some(Value::Object(found))) = (pages(model, operation), found) {
            found.insert(STATEMENT.to_owned(), statement(pages, operation));
        }
    }
}

/// Returns the location of the records, the request of the next page, and the members of a page.
pub(super) fn statement(pages: &Pages, operation: &Operation) -> Value {
    let total = match (&pages.total, &pages.total_header) {
        (Some(branch), _) => {
            let shared = pages.items.iter().take(branch.after);
            json!({"body": [place(shared.chain(&branch.members))]})
        }
        (None, Some(header)) => json!({"header": header}),
        (None, None) => Value::Null,
    };
    let requires = operation.pagination.as_ref();
    let requires = requires.and_then(|pagination| pagination.requires.clone());
    json!({
        "items": place(&pages.items),
        "style": style(&pages.style),
        "more": pages.more.as_ref().map(source),
        "total": total,
        "limit": pages.limit.as_ref().map(target),
        "short-is-last": pages.short_is_last,
        "requires": requires,
        "echo": pages.echoed_offset.as_ref().map(|member| place([member])),
    })
}

/// Returns the location of a member of a response.
fn place<'m>(members: impl IntoIterator<Item = &'m PathMember>) -> String {
    let mut at = String::new();
    for member in members {
        pointer::push(&mut at, &member.property);
    }
    at
}

fn style(style: &PageStyle) -> Value {
    match style {
        PageStyle::Offset { target: to } => json!({"by": "offset", "target": target(to)}),
        PageStyle::Number {
            target: to,
            first,
            pages,
        } => {
            let pages = pages.as_ref().map(source);
            json!({"by": "number", "target": target(to), "first": first, "pages": pages})
        }
        PageStyle::Cursor { target: to, next } => {
            json!({"by": "cursor", "target": target(to), "next": source(next)})
        }
        PageStyle::Link { next } => json!({"by": "link", "next": source(next)}),
        PageStyle::LinkHeader { relation } => json!({"by": "header", "relation": relation}),
    }
}

fn source(source: &PageSource) -> Value {
    match source {
        PageSource::Body(pointers) => json!({"body": pointers}),
        PageSource::Header(name) => json!({"header": name}),
    }
}

fn target(target: &PageTarget) -> Value {
    match target {
        PageTarget::Parameter(name) => json!({"parameter": name}),
        PageTarget::Body { pointer, .. } => json!({"body": pointer}),
    }
}
