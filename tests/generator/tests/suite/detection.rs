//! Paged operations without an extension of ours: certain ones, doubtful ones, and the extensions of other tools.

use openapi_document::source::Source;
use openapi_model::{Model, PageStyle};
use serde_json::{Value, json};

/// Reads a document of one operation with these parameters (`name: type`), this response and more members.
fn read(parameters: &Value, response: &Value, more: &Value) -> Model {
    let parameters: Vec<Value> = parameters
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, schema)| {
            json!({"name": name, "in": "query", "schema": schema, "description": schema["description"].as_str().unwrap_or("")})
        })
        .collect();
    let mut operation = json!({
        "operationId": "things",
        "parameters": parameters,
        "responses": {"200": {"description": "", "content": {"application/json": {"schema": object(response)}}}},
    });
    for (key, value) in more.as_object().unwrap() {
        match key.as_str() {
            "headers" => operation["responses"]["200"][key] = value.clone(),
            _ => operation[key] = value.clone(),
        }
    }
    let document = json!({
        "openapi": "3.0.3",
        "info": {"title": "A", "version": "1"},
        "x-fern-pagination": {"cursor": "$request.from", "next_cursor": "$response.meta.then", "results": "$response.things"},
        "paths": {"/things": {"get": operation}},
    });
    let source = Source::parse("a.json", document.to_string()).unwrap();
    openapi_model::read(&source).unwrap()
}

/// Returns an object schema of these properties, unless it has a type itself.
fn object(properties: &Value) -> Value {
    if properties.get("type").is_some_and(Value::is_string) {
        properties.clone()
    } else {
        let properties = properties.as_object().unwrap().iter();
        let properties: serde_json::Map<_, _> = properties
            .map(|(name, one)| (name.clone(), object(one)))
            .collect();
        json!({"type": "object", "properties": properties})
    }
}

fn text() -> Value {
    json!({"type": "string"})
}

fn described(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn number() -> Value {
    json!({"type": "integer"})
}

fn flag() -> Value {
    json!({"type": "boolean"})
}

fn list() -> Value {
    json!({"type": "array", "items": object(&json!({"id": text(), "name": text()}))})
}

/// Returns the detected `x-pagination`, and the doubt.
fn found(parameters: Value, response: Value, more: Value) -> Option<(String, Option<String>)> {
    let model = read(&parameters, &response, &more);
    let detection = model.detections.first()?;
    let pages = model.pages.first();
    assert_eq!(pages.is_some(), detection.doubt.is_none(), "{detection:?}");
    Some((detection.pagination.to_string(), detection.doubt.clone()))
}

#[test]
fn what_agrees_is_certain() {
    let next = |place: Value| json!({"things": list(), "meta": place});
    let first = |first: u64| json!({"type": "integer", "default": first});
    let link = json!({"headers": {"link": {"schema": text()}}});
    let records = json!([{"data": list()}, {"things": list(), "warnings": list()}, {"results": list(), "tags": list()}]);
    for (parameters, response, more, expected) in [
        (
            json!({"cursor": text(), "limit": number()}),
            next(json!({"next_cursor": text()})),
            json!({}),
            "{items: $.things, limit: limit, cursor: cursor, next: $.meta.next_cursor}",
        ),
        (
            json!({"pageToken": text()}),
            json!({"things": list(), "nextPageToken": text()}),
            json!({}),
            "{items: $.things, cursor: pageToken, next: $.nextPageToken}",
        ),
        (
            json!({"starting_after": text(), "limit": number()}),
            json!({"data": list(), "has_more": flag()}),
            json!({}),
            "{items: $.data, limit: limit, cursor: starting_after, next: '$.data[-1].id', more: $.has_more}",
        ),
        (
            json!({"page": number(), "per_page": number()}),
            json!({"things": list()}),
            link,
            "{items: $.things, limit: per_page, link: next}",
        ),
        (
            json!({"page": number()}),
            json!({"count": number(), "next": {"type": "string", "format": "uri"}, "results": list()}),
            json!({}),
            "{items: $.results, next: $.next}",
        ),
        (
            json!({"limit": number()}),
            json!({"things": list(), "_links": {"next": {"href": text()}}}),
            json!({}),
            "{items: $.things, limit: limit, next: $._links.next.href}",
        ),
        (
            json!({"$skip": number()}),
            json!({"value": list(), "@odata.nextLink": text()}),
            json!({}),
            "{items: $.value, next: '$[''@odata.nextLink'']'}",
        ),
        (
            json!({"page": first(1), "size": number()}),
            next(json!({"total_pages": number()})),
            json!({}),
            "{items: $.things, limit: size, page: page, pages: $.meta.total_pages}",
        ),
        (
            json!({"page": first(0)}),
            next(json!({"total": number()})),
            json!({}),
            "{items: $.things, total: $.meta.total, page: page, first: 0}",
        ),
        (
            json!({"page": {"type": "integer", "minimum": 1}}),
            next(json!({"has_more": flag()})),
            json!({}),
            "{items: $.things, page: page, more: $.meta.has_more}",
        ),
        (
            json!({"offset": number(), "limit": number()}),
            json!({"things": list(), "total": number()}),
            json!({}),
            "{items: $.things, total: $.total, limit: limit, offset: offset}",
        ),
        // A string, as of Asana; the object has links, too.
        (
            json!({"offset": text(), "limit": number()}),
            json!({"data": list(), "next_page": {"offset": text(), "path": text(), "uri": text()}}),
            json!({}),
            "{items: $.data, limit: limit, cursor: offset, next: $.next_page.offset}",
        ),
        // WorkOS: two directions, each with its own name.
        (
            json!({"after": text(), "before": text(), "limit": number()}),
            json!({"data": list(), "list_metadata": {"after": text(), "before": text()}}),
            json!({}),
            "{items: $.data, limit: limit, cursor: after, next: $.list_metadata.after}",
        ),
        // Resend, OpenAI.
        (
            json!({"after": described("The cursor after which the page begins."), "before": text(), "limit": number()}),
            json!({"data": list(), "has_more": flag()}),
            json!({}),
            "{items: $.data, limit: limit, cursor: after, next: '$.data[-1].id', more: $.has_more}",
        ),
        (
            json!({"after": text(), "limit": number()}),
            json!({"data": list(), "last_id": text(), "has_more": flag()}),
            json!({}),
            "{items: $.data, limit: limit, cursor: after, next: $.last_id, more: $.has_more}",
        ),
        (
            json!({"page": text(), "limit": number()}),
            json!({"data": list(), "next_page": text(), "has_more": flag()}),
            json!({}),
            "{items: $.data, limit: limit, cursor: page, next: $.next_page, more: $.has_more}",
        ),
        (
            json!({"after": text(), "limit": number()}),
            json!({"data": list(), "next": text(), "has_more": flag()}),
            json!({}),
            "{items: $.data, limit: limit, cursor: after, next: $.next, more: $.has_more}",
        ),
        // Facebook: `next` is an address.
        (
            json!({"after": text(), "limit": number()}),
            json!({"data": list(), "paging": {"cursors": {"after": text()}, "next": text()}}),
            json!({}),
            "{items: $.data, limit: limit, cursor: after, next: $.paging.cursors.after}",
        ),
        // A date beside pages that are counted.
        (
            json!({"after": described("Events after this date."), "page": first(1), "limit": number()}),
            json!({"data": list(), "has_more": flag()}),
            json!({}),
            "{items: $.data, limit: limit, page: page, more: $.has_more}",
        ),
    ] {
        let found = found(parameters, response, more);
        assert_eq!(found, Some((expected.to_owned(), None)));
    }
    for response in records.as_array().unwrap() {
        let mut response = response.clone();
        response["next_cursor"] = text();
        let (_, doubt) = found(json!({"cursor": text()}), response, json!({})).unwrap();
        assert_eq!(doubt, None);
    }
}

#[test]
fn what_only_looks_like_it_is_a_doubt() {
    let cursor = || json!({"cursor": text()});
    for (parameters, response, doubt) in [
        (
            cursor(),
            json!({"things": list()}),
            "no known member of the response holds the next cursor",
        ),
        // A member of a record, or of a nested object, does not describe the page.
        (
            cursor(),
            json!({"things": list(), "owner": {"next_cursor": text()}}),
            "no known member of the response holds the next cursor",
        ),
        (
            cursor(),
            json!({"things": list(), "others": list(), "next_cursor": text()}),
            "the response has several arrays: `$.things`, `$.others`",
        ),
        (
            json!({"cursor": text(), "page": number()}),
            json!({"things": list(), "next_cursor": text()}),
            "`page` requests pages, too",
        ),
        // Of a list with the newest first, the page after the last record is the one before it.
        (
            json!({"limit": number(), "after_id": described("An id."), "before_id": text()}),
            json!({"things": list()}),
            "`before_id` requests earlier pages, so the next page may be either",
        ),
        (
            json!({"limit": number(), "before_id": text()}),
            json!({"things": list(), "next_url": text()}),
            "`before_id` requests earlier pages, so the next page may be either",
        ),
        (
            json!({"page": number()}),
            json!({"things": list(), "total": number()}),
            "nothing says whether the first page is 0 or 1",
        ),
        (
            json!({"page": {"type": "integer", "default": 1}}),
            json!({"things": list(), "count": number()}),
            "no known member of the response shows the end of the pages",
        ),
        (
            json!({"offset": number(), "limit": number()}),
            json!({"things": list(), "count": number()}),
            "no known member of the response shows the end of the pages",
        ),
        (
            json!({"offset": number()}),
            json!({"things": list(), "total": number()}),
            "no parameter is known to bound a page",
        ),
        // It may be a time.
        (
            json!({"after": text(), "limit": number()}),
            json!({"type": "array", "items": list()["items"]}),
            "nothing says that `after` takes an `id`",
        ),
        (
            json!({"after": text(), "limit": number()}),
            json!({"things": list(), "has_more": flag()}),
            "nothing says that `after` takes an `id`",
        ),
        (
            json!({"after": described("An opaque cursor."), "limit": number()}),
            json!({"things": list(), "has_more": flag(), "cursor": text()}),
            "nothing says that `after` takes an `id`",
        ),
        (
            json!({"after": described("An opaque cursor."), "limit": number()}),
            json!({"type": "array", "items": list()["items"]}),
            "nothing says that `after` takes an `id`",
        ),
        (
            json!({"starting_after": text(), "page": number(), "limit": number()}),
            json!({"things": list(), "has_more": flag()}),
            "`page` requests pages, too",
        ),
        (
            json!({"after": text(), "limit": number()}),
            json!({"things": list(), "next": text()}),
            "`$.next` may be an address",
        ),
        (
            json!({"offset": text(), "page": number(), "limit": number()}),
            json!({"things": list(), "next_page": {"offset": text()}}),
            "`page` requests pages, too",
        ),
        (
            json!({"offset": text(), "before": text(), "limit": number()}),
            json!({"things": list(), "next_page": {"offset": text()}}),
            "`before` requests earlier pages, so the next page may be either",
        ),
        // They count the views and the tokens.
        (
            json!({"offset": number(), "limit": number()}),
            json!({"things": list(), "page_views": {"total": number()}, "usage_metadata": {"total": number()}}),
            "no known member of the response shows the end of the pages",
        ),
        (
            json!({"offset": number(), "limit": number()}),
            json!({"things": list(), "page_views": {"has_more": flag()}}),
            "no known member of the response shows the end of the pages",
        ),
        // A filter that the metadata repeats.
        (
            json!({"cursor": text(), "sort": text(), "limit": number()}),
            json!({"things": list(), "page": {"sort": text()}}),
            "no known member of the response holds the next cursor",
        ),
        (
            json!({"offset": {"type": "number"}, "limit": {"type": "number"}}),
            json!({"things": list(), "total": number()}),
            "their types, or the response, fit no known kind of paging",
        ),
        // The records are not objects of one kind.
        (
            cursor(),
            json!({"things": {"type": "array", "items": {"type": "array", "items": text()}}, "next_cursor": text()}),
            "`$.things` leads to an array of maps, of lists or of a type of the runtime: none of them is a record",
        ),
    ] {
        let (_, found) = found(parameters, response, json!({})).unwrap();
        assert_eq!(found.as_deref(), Some(doubt));
    }
}

/// The suggestion of a note is an override that works; where none is known, there is none.
#[test]
fn a_suggestion_works_when_it_is_copied() {
    let array = || json!({"type": "array", "items": list()["items"]});
    for (parameters, response, is_known) in [
        (json!({"after": text(), "limit": number()}), array(), true),
        (
            json!({"page": number()}),
            json!({"things": list(), "total": number()}),
            true,
        ),
        (
            json!({"offset": number(), "limit": number()}),
            json!({"things": list()}),
            true,
        ),
        (
            json!({"cursor": text(), "page": number()}),
            json!({"things": list(), "next_cursor": text()}),
            true,
        ),
        (
            json!({"cursor": text(), "limit": number()}),
            json!({"things": list()}),
            false,
        ),
        (
            json!({"offset": {"type": "number"}, "limit": {"type": "number"}}),
            json!({"things": list()}),
            false,
        ),
        (
            json!({"cursor": text()}),
            json!({"things": {"type": "array", "items": {"type": "array", "items": text()}}, "next_cursor": text()}),
            false,
        ),
    ] {
        let model = read(&parameters, &response, &json!({}));
        let [detection] = model.detections.as_slice() else {
            panic!("{:?}", model.detections);
        };
        assert!(detection.doubt.is_some() && model.pages.is_empty());
        let pagination = &detection.pagination;
        assert_eq!(pagination.is_whole(), is_known, "{pagination}");
        if is_known {
            let copied: Value = serde_yaml::from_str(&pagination.to_string()).unwrap();
            let model = read(&parameters, &response, &json!({"x-pagination": copied}));
            assert_eq!(
                (model.pages.len(), model.detections.len()),
                (1, 0),
                "{pagination}"
            );
            assert!(model.warnings.is_empty(), "{:?}", model.warnings);
        }
    }
}

#[test]
fn what_does_not_page_is_not_spoken_of() {
    let cursor = || json!({"cursor": text()});
    let page = || json!({"things": list(), "next_cursor": text()});
    assert!(found(cursor(), page(), json!({})).is_some());
    for (parameters, response, more) in [
        (cursor(), page(), json!({"x-pagination": false})),
        (json!({"q": text()}), page(), json!({})),
        (
            cursor(),
            json!({"name": text(), "next_cursor": text()}),
            json!({}),
        ),
        // A filter that an invoice has too, and a credential.
        (
            json!({"currency": text(), "limit": number()}),
            json!({"things": list(), "next_invoice": {"currency": text()}}),
            json!({}),
        ),
        (
            json!({"token": text(), "limit": number()}),
            json!({"things": list(), "meta": {"token": text()}}),
            json!({}),
        ),
        // A cursor that would be a record count, or the text of a search.
        (
            json!({"offset": {"type": "number"}}),
            json!({"things": list(), "total": number()}),
            json!({}),
        ),
    ] {
        assert_eq!(found(parameters, response, more), None);
    }
}

#[test]
fn other_tools_say_the_same() {
    let response = || json!({"things": list(), "items": list(), "meta": {"pages": number(), "more": flag()}, "next_page": text(), "nextLink": text()});
    let parameters = json!({"page": {"type": "integer", "default": 0}, "from": text(), "page_token": text(), "limit": number(), "skip": number()});
    let input = |name: &str, kind: &str| json!({"name": name, "in": "parameters", "type": kind});
    for (extension, value, expected) in [
        (
            "x-speakeasy-pagination",
            json!({"type": "offsetLimit", "inputs": [input("page", "page"), input("limit", "limit")], "outputs": {"results": "$.things", "numPages": "$.meta.pages"}}),
            "{items: $.things, limit: limit, page: page, first: 0, pages: $.meta.pages}",
        ),
        (
            "x-speakeasy-pagination",
            json!({"type": "cursor", "inputs": [input("from", "cursor")], "outputs": {"results": "$.things", "nextCursor": "$.things[-1].id"}}),
            "{items: $.things, cursor: from, next: '$.things[-1].id'}",
        ),
        (
            "x-speakeasy-pagination",
            json!({"type": "url", "outputs": {"results": "$.things", "nextUrl": "$.nextLink"}}),
            "{items: $.things, next: $.nextLink}",
        ),
        (
            "x-dropshot-pagination",
            json!({"required": []}),
            "{items: $.items, limit: limit, cursor: page_token, next: $.next_page}",
        ),
        (
            "x-ms-pageable",
            json!({"nextLinkName": "nextLink", "itemName": "things"}),
            "{items: $.things, next: $.nextLink}",
        ),
        (
            "x-fern-pagination",
            json!({"offset": "$request.skip", "step": "$request.limit", "results": "$response.things", "has-next-page": "$response.meta.more"}),
            "{items: $.things, limit: limit, offset: skip, more: $.meta.more}",
        ),
        (
            "x-fern-pagination",
            json!({"offset": "$request.page", "results": "$response.things"}),
            "{items: $.things, page: page, first: 0}",
        ),
    ] {
        let model = read(&parameters, &response(), &json!({(extension): value}));
        let said = model.operations[0]
            .pagination
            .as_ref()
            .map(ToString::to_string);
        assert_eq!(said.as_deref(), Some(expected), "{:?}", model.warnings);
        assert_eq!((model.pages.len(), model.detections.len()), (1, 0));
    }
    let mut top = response();
    top["meta"]["then"] = text();
    let model = read(&parameters, &top, &json!({"x-fern-pagination": true}));
    let style = &model.pages[0].style;
    assert!(matches!(style, PageStyle::Cursor { .. }), "{style:?}");
}

/// An extension that is invalid or does not fit has a warning at its location, and the operation has no pages.
#[test]
fn what_other_tools_say_wrong_is_a_warning() {
    let page = json!({"things": list(), "next_cursor": text()});
    for (extension, value, message) in [
        (
            "x-speakeasy-pagination",
            json!({"type": "cursor", "inputs": [{"name": "from", "in": "cookie", "type": "cursor"}], "outputs": {}}),
            "`x-speakeasy-pagination` is not read: `cookie` is not a known location of an input",
        ),
        (
            "x-speakeasy-pagination",
            json!([]),
            "`x-speakeasy-pagination` is not read: ",
        ),
        (
            "x-fern-pagination",
            json!({"cursor": "from"}),
            "`x-fern-pagination` is not read: `from` is not a parameter, such as `$request.cursor`",
        ),
        (
            "x-dropshot-pagination",
            json!({}),
            "`page_token` is not a parameter of the operation",
        ),
        (
            "x-ms-pageable",
            json!({"nextLinkName": "nextLink"}),
            "`$.nextLink` leads to no string or integer in the response",
        ),
    ] {
        let model = read(
            &json!({"cursor": text()}),
            &page,
            &json!({(extension): value}),
        );
        assert!(model.pages.is_empty() && model.detections.is_empty());
        let warning = model
            .warnings
            .iter()
            .find(|one| one.message.starts_with(message));
        let warning = warning.unwrap_or_else(|| panic!("{:?}", model.warnings));
        assert_eq!(warning.pointer, format!("/paths/~1things/get/{extension}"));
    }
    let model = read(
        &json!({"cursor": text()}),
        &page,
        &json!({"x-ms-pageable": {"nextLinkName": null}}),
    );
    assert!(model.pages.is_empty() && model.warnings.is_empty());
}

/// Names in a document cannot end a code span, begin a doc test of a README or move the cursor.
#[test]
fn names_that_are_no_names_are_not_repeated() {
    let odd = "`\n```rust\npanic!()\n```\n\u{1b}[31m";
    let page = json!({"things": list(), "next_cursor": text()});
    let model = read(
        &json!({"cursor": text()}),
        &page,
        &json!({"operationId": odd}),
    );
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
        let page = json!({(list_name): list(), (next): text()});
        let model = read(&json!({(parameter): text()}), &page, &json!({}));
        for one in &model.detections {
            let said = format!("{}{}{:?}", one.pagination, one.reason, one.doubt);
            assert!(!said.contains(['\n', '\u{1b}']), "{said}");
        }
        assert!(model.pages.is_empty());
    }
}
