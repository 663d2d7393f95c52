//! Operations that page without an extension.

use openapi_document::source::Source;
use openapi_model::Model;
use openapi_model::extensions::Pagination;
use serde_json::{Value, json};

use crate::support::rows;

/// Reads a document of one operation with these parameters, this response and more members.
fn read(parameters: &str, response: &str, more: &str) -> Model {
    let parameters = shape(parameters);
    let parameters = parameters.as_object().unwrap().iter();
    let parameters: Vec<Value> = parameters
        .map(|(name, schema)| {
            json!({"name": name, "in": "query", "schema": schema, "description": schema["description"].as_str().unwrap_or("")})
        })
        .collect();
    let schema = object(&shape(response));
    let mut operation = json!({
        "operationId": "things",
        "parameters": parameters,
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": schema}}}},
    });
    for (key, value) in shape(more).as_object().unwrap() {
        match key.as_str() {
            "headers" => operation["responses"]["200"][key] = value.clone(),
            _ => operation[key] = value.clone(),
        }
    }
    let document = json!({
        "openapi": "3.0.3",
        "info": {"title": "A", "version": "1"},
        "paths": {"/things": {"get": operation}},
    });
    let source = Source::parse("a.json", document.to_string()).unwrap();
    openapi_model::read(&source).unwrap()
}

/// Reads YAML in which `text`, `number`, `flag`, `record` and `list` are schemas.
fn shape(yaml: &str) -> Value {
    let value = serde_yaml::from_str(yaml).unwrap_or_else(|error| panic!("{error}: {yaml}"));
    with_schemas(value)
}

fn with_schemas(value: Value) -> Value {
    let text = json!({"type": "string"});
    let record = json!({"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}}});
    match value {
        Value::String(name) => match name.as_str() {
            "text" => text,
            "number" => json!({"type": "integer"}),
            "flag" => json!({"type": "boolean"}),
            "record" => record,
            "list" => json!({"type": "array", "items": record}),
            _ => Value::String(name),
        },
        Value::Array(items) => items.into_iter().map(with_schemas).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, with_schemas(value)))
            .collect(),
        other => other,
    }
}

/// Returns an object schema of these properties, unless it has a type itself.
fn object(properties: &Value) -> Value {
    if properties.get("type").is_some_and(Value::is_string) {
        return properties.clone();
    }
    let properties = properties.as_object().unwrap().iter();
    let properties: serde_json::Map<_, _> = properties
        .map(|(name, one)| (name.clone(), object(one)))
        .collect();
    json!({"type": "object", "properties": properties})
}

/// Returns the detected `x-pagination`.
fn found(parameters: &str, response: &str, more: &str) -> Option<Pagination> {
    let model = read(parameters, response, more);
    assert_eq!(model.pages.len(), model.detections.len());
    let detection = model.detections.first()?;
    Some(detection.pagination.clone())
}

/// A response with one list and a cursor.
const PAGE: &str = "{things: list, next_cursor: text}";

#[test]
fn what_agrees_is_certain() {
    for [parameters, response, more, expected] in rows(
        r"
{cursor: text, limit: number} | {things: list, meta: {next_cursor: text}} | {} | {items: $.things, limit: limit, cursor: cursor, next: $.meta.next_cursor}
{pageToken: text} | {things: list, nextPageToken: text} | {} | {items: $.things, cursor: pageToken, next: $.nextPageToken}
{starting_after: text, limit: number} | {data: list, has_more: flag} | {} | {items: $.data, limit: limit, cursor: starting_after, next: '$.data[-1].id', more: $.has_more}
{page: number, per_page: number} | {things: list} | {headers: {link: {schema: text}}} | {items: $.things, limit: per_page, link: next}
{page: number} | {count: number, next: {type: string, format: uri}, results: list} | {} | {items: $.results, next: $.next}
{limit: number} | {things: list, _links: {next: {href: text}}} | {} | {items: $.things, limit: limit, next: $._links.next.href}
{'$skip': number} | {value: list, '@odata.nextLink': text} | {} | {items: $.value, next: '$[''@odata.nextLink'']'}
{page: {type: integer, default: 1}, size: number} | {things: list, meta: {total_pages: number}} | {} | {items: $.things, limit: size, page: page, pages: $.meta.total_pages}
{page: {type: integer, default: 0}} | {things: list, meta: {total: number}} | {} | {items: $.things, total: $.meta.total, page: page, first: 0}
{page: {type: integer, minimum: 1}} | {things: list, meta: {has_more: flag}} | {} | {items: $.things, page: page, more: $.meta.has_more}
{offset: number, limit: number} | {things: list, total: number} | {} | {items: $.things, total: $.total, limit: limit, offset: offset}
# A string, as of Asana; the object has links, too.
{offset: text, limit: number} | {data: list, next_page: {offset: text, path: text, uri: text}} | {} | {items: $.data, limit: limit, cursor: offset, next: $.next_page.offset}
# WorkOS: two directions, each with its own name.
{after: text, before: text, limit: number} | {data: list, list_metadata: {after: text, before: text}} | {} | {items: $.data, limit: limit, cursor: after, next: $.list_metadata.after}
# Resend, OpenAI.
{after: {type: string, description: 'The cursor after which the page begins.'}, before: text, limit: number} | {data: list, has_more: flag} | {} | {items: $.data, limit: limit, cursor: after, next: '$.data[-1].id', more: $.has_more}
{after: text, limit: number} | {data: list, last_id: text, has_more: flag} | {} | {items: $.data, limit: limit, cursor: after, next: $.last_id, more: $.has_more}
{page: text, limit: number} | {data: list, next_page: text, has_more: flag} | {} | {items: $.data, limit: limit, cursor: page, next: $.next_page, more: $.has_more}
{after: text, limit: number} | {data: list, next: text, has_more: flag} | {} | {items: $.data, limit: limit, cursor: after, next: $.next, more: $.has_more}
# Facebook: `next` is an address.
{after: text, limit: number} | {data: list, paging: {cursors: {after: text}, next: text}} | {} | {items: $.data, limit: limit, cursor: after, next: $.paging.cursors.after}
# A date beside pages that are counted.
{after: {type: string, description: 'Events after this date.'}, page: {type: integer, default: 1}, limit: number} | {data: list, has_more: flag} | {} | {items: $.data, limit: limit, page: page, more: $.has_more}
",
    ) {
        let expected = Pagination {
            is_detected: true,
            ..serde_yaml::from_str(expected).unwrap()
        };
        assert_eq!(found(parameters, response, more), Some(expected));
    }
    for lists in [
        "data: list",
        "things: list, warnings: list",
        "results: list, tags: list",
    ] {
        let response = format!("{{{lists}, next_cursor: text}}");
        assert!(found("{cursor: text}", &response, "{}").is_some());
    }
}

#[test]
fn what_only_looks_like_it_does_not_page() {
    for [parameters, response] in rows(
        r"
{cursor: text} | {things: list}
# A member of a record, or of a nested object, does not describe the page.
{cursor: text} | {things: list, owner: {next_cursor: text}}
{cursor: text} | {things: list, others: list, next_cursor: text}
{cursor: text, page: number} | {things: list, next_cursor: text}
# Of a list with the newest first, the page after the last record is the one before it.
{limit: number, after_id: {type: string, description: 'An id.'}, before_id: text} | {things: list}
{limit: number, before_id: text} | {things: list, next_url: text}
{page: number} | {things: list, total: number}
{page: {type: integer, default: 1}} | {things: list, count: number}
{offset: number, limit: number} | {things: list, count: number}
{offset: number} | {things: list, total: number}
# It may be a time.
{after: text, limit: number} | {type: array, items: record}
{after: text, limit: number} | {things: list, has_more: flag}
{after: {type: string, description: 'An opaque cursor.'}, limit: number} | {things: list, has_more: flag, cursor: text}
{after: {type: string, description: 'An opaque cursor.'}, limit: number} | {type: array, items: record}
{starting_after: text, page: number, limit: number} | {things: list, has_more: flag}
{after: text, limit: number} | {things: list, next: text}
{offset: text, page: number, limit: number} | {things: list, next_page: {offset: text}}
{offset: text, before: text, limit: number} | {things: list, next_page: {offset: text}}
# They count the views and the tokens.
{offset: number, limit: number} | {things: list, page_views: {total: number}, usage_metadata: {total: number}}
{offset: number, limit: number} | {things: list, page_views: {has_more: flag}}
# A filter that the metadata repeats.
{cursor: text, sort: text, limit: number} | {things: list, page: {sort: text}}
{offset: {type: number}, limit: {type: number}} | {things: list, total: number}
# The records are not objects of one kind.
{cursor: text} | {things: {type: array, items: {type: array, items: text}}, next_cursor: text}
",
    ) {
        assert_eq!(
            found(parameters, response, "{}"),
            None,
            "{parameters} {response}"
        );
    }
}

#[test]
fn what_does_not_page_is_not_spoken_of() {
    assert!(found("{cursor: text}", PAGE, "{}").is_some());
    for [parameters, response, more] in rows(
        r"
{cursor: text} | {things: list, next_cursor: text} | {x-pagination: false}
{q: text} | {things: list, next_cursor: text} | {}
{cursor: text} | {name: text, next_cursor: text} | {}
# A filter that an invoice has too, and a credential.
{currency: text, limit: number} | {things: list, next_invoice: {currency: text}} | {}
{token: text, limit: number} | {things: list, meta: {token: text}} | {}
# A cursor that would be a record count, or the text of a search.
{offset: {type: number}} | {things: list, total: number} | {}
",
    ) {
        assert_eq!(found(parameters, response, more), None);
    }
}

/// Names in a document cannot end a code span, begin a doc test of a README or move the cursor.
#[test]
fn names_that_are_no_names_are_not_repeated() {
    let odd = "`\n```rust\npanic!()\n```\n\u{1b}[31m";
    let more = json!({"operationId": odd}).to_string();
    let model = read("{cursor: text}", PAGE, &more);
    let [found] = model.detections.as_slice() else {
        panic!("{:?}", model.detections);
    };
    assert!(
        !found.operation.contains(['`', '\n', '\u{1b}']),
        "{found:?}"
    );
    let odd = |name: &str| format!("{name}{odd}");
    for (parameter, list_name, next) in [
        (odd("cursor"), "things".to_owned(), "next_cursor".to_owned()),
        ("cursor".to_owned(), odd("things"), "next_cursor".to_owned()),
        ("cursor".to_owned(), "things".to_owned(), odd("next_cursor")),
    ] {
        let page = json!({(list_name): "list", (next): "text"}).to_string();
        let model = read(&json!({(parameter): "text"}).to_string(), &page, "{}");
        for one in &model.detections {
            let said = format!("{:?}{}", one.pagination, one.reason);
            assert!(!said.contains(['\n', '\u{1b}']), "{said}");
        }
        assert!(model.pages.is_empty());
    }
}
