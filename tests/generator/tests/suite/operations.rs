//! Parts of operations that other generators omit, and parts that are left out with a warning.

mod parameters;

use client_generator::generate;
use openapi_document::source::Source;
use openapi_overrides::{OverrideSet, reconcile};

use crate::support::Workspace;

/// Result for a document: the emitted builder, and the warnings by rule. The other operations of the document are valid.
struct Outcome {
    types: String,
    operations: Vec<(String, String)>,
    left_out: Vec<String>,
    rules: Vec<String>,
}

impl Outcome {
    fn builder(&self, name: &str) -> &str {
        let found = self.operations.iter().find(|(known, _)| known == name);
        found.map(|(_, text)| text.as_str()).unwrap_or_else(|| {
            let names: Vec<_> = self.operations.iter().map(|(name, _)| name).collect();
            panic!("no builder `{name}` among {names:?}")
        })
    }
}

/// Generates a document of these paths.
fn paths(paths: &str) -> Outcome {
    let document = format!(
        "openapi: 3.0.3\n\
         info: {{title: Small, version: \"1\"}}\n\
         paths:\n\
         \x20 /in-order: {{get: {{operationId: inOrder, responses: {{'204': {{description: Done.}}}}}}}}\n\
         {paths}"
    );
    let workspace = Workspace::with(&document);
    let published = Source::read(workspace.root(), "spec/openapi.yaml").unwrap();
    let reconciled = reconcile(&published, &OverrideSet::default()).unwrap();
    let overrides = OverrideSet::default();
    let code = generate::code(&reconciled.source, &reconciled.report).unwrap();
    let tree = crate::support::tool::tree(&published, &overrides, &reconciled).unwrap();
    let builders = tree.iter().filter_map(|(path, text)| {
        let name = path.strip_prefix("src/operations/")?.strip_suffix(".rs")?;
        Some((name.to_owned(), text.to_owned()))
    });
    Outcome {
        types: tree.get("src/types.rs").unwrap_or_default().to_owned(),
        operations: builders.collect(),
        left_out: code
            .model
            .left_out
            .iter()
            .map(|one| one.reason.clone())
            .collect(),
        rules: code
            .warnings
            .iter()
            .map(|one| one.rule.to_owned())
            .collect(),
    }
}

#[test]
fn an_operation_that_cannot_be_called_costs_no_other_one() {
    let outcome = paths(
        "  /lost: {get: {operationId: lost, parameters: [{name: p, in: query, required: true, content: {application/xml: {schema: {type: string}}}}], responses: {}}}\n",
    );
    outcome.builder("in_order");
    assert_eq!(
        outcome.left_out,
        ["It needs the parameter `p`: its content is `application/xml`, which is not supported."]
    );
    assert!(
        outcome.rules.contains(&"left-out".to_owned()),
        "{:?}",
        outcome.rules
    );
}

#[test]
fn names_that_are_taken_are_replaced_and_said() {
    let outcome = paths(
        "  /a: {get: {operationId: raw, parameters: [{name: send, in: query, schema: {type: string}}, {name: id, in: query, schema: {type: string}}, {name: id, in: header, schema: {type: string}}], responses: {}}}\n\
         \x20 /b: {get: {operationId: raw, responses: {}}}\n",
    );
    let builder = outcome.builder("raw_");
    for setter in ["pub fn send_query(", "pub fn id(", "pub fn id_header("] {
        assert!(builder.contains(setter), "{setter}: {builder}");
    }
    outcome.builder("raw_2");
    let count = |rule: &str| outcome.rules.iter().filter(|one| *one == rule).count();
    assert_eq!((count("operation-name"), count("argument-name")), (2, 2));
}

#[test]
fn a_success_is_read_as_the_document_describes_it() {
    let outcome = paths(
        "  /default: {get: {operationId: byDefault, responses: {default: {description: d, content: {application/json: {schema: {type: string}}}}}}}\n\
         \x20 /none: {get: {operationId: none, responses: {}}}\n\
         \x20 /moved: {get: {operationId: moved, responses: {'302': {description: d}}}}\n\
         \x20 /head: {head: {operationId: head, responses: {'200': {description: d, content: {application/json: {}}}}}}\n\
         \x20 /events: {get: {operationId: events, responses: {'200': {description: d, content: {text/event-stream: {}}}}}}\n\
         \x20 /range: {get: {operationId: range, responses: {'200': {description: d, content: {text/plain: {}}}, '2XX': {description: d}}}}\n",
    );
    for (operation, output) in [
        ("by_default", "Response<String>"),
        ("none", "Response<Bytes>"),
        ("moved", "Response<()>"),
        ("head", "Response<()>"),
        ("events", "Response<Bytes>"),
        ("range", "Response<RangeOutput>"),
    ] {
        let builder = outcome.builder(operation);
        assert!(builder.contains(output), "{operation}: {builder}");
    }
    let range = outcome.builder("range");
    assert!(
        range.contains("_ => response.nothing().map(|()| RangeOutput::Status2xx)"),
        "{range}"
    );
    assert!(outcome.rules.is_empty(), "{:?}", outcome.rules);
}

#[test]
fn one_schema_in_several_media_types_is_one_body_and_files_need_multipart() {
    let content = |property: &str| {
        let schema =
            format!("{{schema: {{type: object, properties: {{a: {{type: string{property}}}}}}}}}");
        format!(
            "{{required: true, content: {{application/json: {schema}, multipart/form-data: {schema}, application/x-www-form-urlencoded: {schema}}}}}"
        )
    };
    let (text, file) = (content(""), content(", format: binary"));
    let outcome = paths(&format!(
        "  /text: {{post: {{operationId: text, requestBody: {text}, responses: {{}}}}}}\n\
         \x20 /file: {{post: {{operationId: file, requestBody: {file}, responses: {{}}}}}}\n"
    ));
    assert!(outcome.builder("text").contains(".json("));
    assert!(
        outcome.builder("file").contains("parts.file(\"a\""),
        "{}",
        outcome.builder("file")
    );
}

#[test]
fn a_part_is_a_file_in_each_form_that_says_so() {
    let part = |schema: &str, encoding: &str| {
        let outcome = paths(&format!(
            "  /part: {{post: {{operationId: part, requestBody: {{required: true, content: {{multipart/form-data: {{schema: {{type: object, required: [a], properties: {{a: {schema}}}}}, encoding: {{a: {{{encoding}}}}}}}}}}}, responses: {{}}}}}}\n\
             components: {{schemas: {{Photo: {{type: string, format: binary}}, Photos: {{type: array, items: {{$ref: '#/components/schemas/Photo'}}}}}}}}\n"
        ));
        outcome.builder("part").to_owned()
    };
    let photo = "{$ref: '#/components/schemas/Photo'}";
    for (schema, encoding) in [
        ("{type: string, format: binary}", ""),
        (photo, ""),
        (&format!("{{allOf: [{photo}], description: d}}"), ""),
        ("{$ref: '#/components/schemas/Photos'}", ""),
        (&format!("{{type: array, items: {photo}}}"), ""),
        ("{contentMediaType: application/octet-stream}", ""),
        ("{format: binary}", ""),
        ("{}", "contentType: image/png"),
        ("{type: string}", "contentType: 'image/png, image/jpeg'"),
    ] {
        let builder = part(schema, encoding);
        assert!(builder.contains("parts.file(\"a\""), "{schema}: {builder}");
        assert!(builder.contains("Part"), "{schema}: {builder}");
    }
    for (schema, encoding) in [
        ("{type: string}", ""),
        ("{type: string}", "contentType: text/csv"),
        ("{type: string, format: byte}", "contentType: image/png"),
        ("{type: object}", "contentType: application/json"),
        ("{contentMediaType: text/plain, type: string}", ""),
    ] {
        let builder = part(schema, encoding);
        assert!(builder.contains("parts.value(\"a\""), "{schema}: {builder}");
    }
}

#[test]
fn a_file_is_a_part_where_further_parts_are_allowed_too_and_these_are_warned_of() {
    for photo in [
        "{type: string, format: binary}",
        "{type: array, items: {type: string, format: binary}}",
    ] {
        let outcome = paths(&format!(
            "  /part: {{post: {{operationId: part, requestBody: {{required: true, content: {{multipart/form-data: {{schema: {{type: object, required: [a], properties: {{a: {photo}}}, additionalProperties: {{type: string}}}}}}}}}}, responses: {{}}}}}}\n"
        ));
        let builder = outcome.builder("part");
        assert!(builder.contains("parts.file(\"a\""), "{builder}");
        assert_eq!(outcome.rules, ["encoding"]);
    }
}

#[test]
fn a_multipart_body_that_may_be_absent_or_another_keeps_the_types_of_its_parts() {
    let parts = "multipart/form-data: {schema: {type: object, required: [file], properties: {file: {type: string, format: binary}, new: {type: integer}}}}";
    let outcome = paths(&format!(
        "  /optional: {{post: {{operationId: optional, requestBody: {{content: {{{parts}}}}}, responses: {{}}}}}}\n\
         \x20 /several: {{post: {{operationId: several, requestBody: {{required: true, content: {{application/octet-stream: {{}}, application/json: {{schema: {{type: object, properties: {{url: {{type: string}}}}}}}}, {parts}}}}}, responses: {{}}}}}}\n\
         \x20 /parts: {{post: {{operationId: severalMultipart, responses: {{}}}}}}\n"
    ));
    for (operation, ty, given) in [
        (
            "optional",
            "OptionalMultipart",
            "pub fn body(mut self, body: OptionalMultipart)",
        ),
        (
            "several",
            "SeveralMultipartBody",
            "Multipart(SeveralMultipartBody)",
        ),
    ] {
        let builder = outcome.builder(operation);
        for line in [
            format!("pub struct {ty} {{"),
            "pub fn new(file: impl Into<Part>) -> Self".to_owned(),
            "pub fn new_(mut self, new_: i64) -> Self".to_owned(),
            given.to_owned(),
            "parts.file(\"file\"".to_owned(),
            "parts.value(\"new\"".to_owned(),
        ] {
            let plain = |text: &str| {
                text.split_whitespace()
                    .collect::<String>()
                    .replace(",)", ")")
            };
            assert!(plain(builder).contains(&plain(&line)), "{line}: {builder}");
        }
    }
    let several = outcome.builder("several");
    assert!(several.contains("Json(types::SeveralBody)"), "{several}");
    assert!(several.contains("Bytes(Payload)"), "{several}");
}

#[test]
fn a_success_that_is_not_only_json_can_be_streamed() {
    let outcome = paths(
        "\x20 /json: {get: {operationId: json, responses: {'200': {description: d, content: {application/hal+json: {}}}, '404': {description: d, content: {text/plain: {}}}}}}\n\
         \x20 /head: {head: {operationId: head, responses: {'200': {description: d, content: {image/png: {}}}}}}\n\
         \x20 /none: {get: {operationId: none, responses: {}}}\n\
         \x20 /file: {get: {operationId: file, responses: {'200': {description: d, content: {image/png: {}}}, '206': {description: d, content: {image/png: {}}}}}}\n\
         \x20 /text: {get: {operationId: text, parameters: [{name: send_stream, in: query, schema: {type: string}}], responses: {'200': {description: d, content: {text/plain: {}, image/png: {}}}}}}\n\
         \x20 /both: {post: {operationId: both, responses: {'200': {description: d, content: {application/json: {}, text/event-stream: {}, application/jsonl: {}}}}}}\n",
    );
    for (operation, asked) in [
        ("json", None),
        ("head", None),
        ("none", Some("request.accept(\"*/*\");")),
        ("file", Some("request.accept(\"image/png\");")),
        ("text", Some("request.accept(\"text/plain, image/png\");")),
        (
            "both",
            Some("request.accept(\"text/event-stream, application/jsonl\");"),
        ),
    ] {
        let builder = outcome.builder(operation);
        let method = builder.split_once("pub async fn send_stream(");
        assert_eq!(method.is_some(), asked.is_some(), "{operation}: {builder}");
        if let Some(asked) = asked {
            assert!(builder.contains(asked), "{operation}: {builder}");
            assert!(builder.contains("self.client.send_stream(request).await"));
        }
    }
    // `send` of the same operation requests the media type that it reads.
    let both = outcome.builder("both");
    let (send, _) = both.split_once("pub async fn send_stream(").unwrap();
    assert!(!send.contains("request.accept("), "{both}");
    let text = outcome.builder("text");
    assert!(text.contains("request.accept(\"text/plain\");"), "{text}");
    assert!(text.contains("pub fn send_stream_query("), "{text}");
}

/// Generates a body of these properties, some of them required.
fn posted(properties: &str, required: &str) -> Outcome {
    paths(&posting(properties, required))
}

fn posting(properties: &str, required: &str) -> String {
    format!(
        "  /teams/{{team}}/{{member}}:\n\
         \x20   post:\n\
         \x20     operationId: post\n\
         \x20     parameters:\n\
         \x20       - {{name: team, in: path, required: true, schema: {{type: string}}}}\n\
         \x20       - {{name: member, in: path, required: true, schema: {{type: string}}}}\n\
         \x20     requestBody: {{required: true, content: {{application/json: {{schema: {{type: object, properties: {{{properties}}}, required: [{required}]}}}}}}}}\n\
         \x20     responses: {{'204': {{description: Done.}}}}\n"
    )
}

#[test]
fn a_body_is_one_argument_whatever_its_properties_are() {
    let properties = "title: {type: string}, note: {type: string, nullable: true}, length: {type: integer}, tags: {type: array, items: {type: string}}";
    for required in ["", "title", "title, length", "title, note, tags"] {
        let outcome = posted(properties, required);
        let builder = outcome.builder("post");
        // The path parameters stay in order.
        let parameters = "team: String,\n        member: String,\n        body: types::PostBody,";
        assert!(builder.contains(parameters), "{builder}");
        assert!(builder.contains("request.json(&self.body);"), "{builder}");
        assert!(!builder.contains("(mut self"), "{builder}");
    }
}

#[test]
fn the_plain_values_of_a_body_are_checked_with_a_name_or_without_one() {
    let outcome = |schemas: &str, properties: &str, required: &str| {
        let components = format!("components: {{schemas: {{{schemas}}}}}\n");
        paths(&format!("{}{components}", posting(properties, required)))
    };
    let title = "title: {$ref: '#/components/schemas/Title'}, note: {type: string}";
    for (schema, reached) in [
        (
            "type: string, minLength: 1",
            [Some("self.body.title.as_str()"), None],
        ),
        (
            "type: string, format: date",
            [None, Some("self.body.title.as_str()")],
        ),
        (
            "type: integer, minimum: 1",
            [Some("self.body.title.0,"), Some("self.body.title,")],
        ),
        ("type: string, enum: [a, b]", [None, None]),
        ("type: boolean", [None, None]),
    ] {
        let inline_title = title.replace("$ref: '#/components/schemas/Title'", schema);
        for required in ["title", "note"] {
            let named = outcome(&format!("Title: {{{schema}}}"), title, required);
            let inline = posted(&inline_title, required);
            let builders = [&named, &inline].map(|outcome| outcome.builder("post"));
            let [named, inline] =
                builders.map(|builder| builder.matches("request.require_").count());
            assert_eq!(named, inline, "{schema}");
            let is_reached = |at: usize| reached[at].is_none_or(|text| builders[at].contains(text));
            let is_required = required == "title";
            assert!(
                !is_required || is_reached(0) && is_reached(1),
                "{builders:?}"
            );
        }
    }
}

#[test]
fn an_error_type_has_its_operations_and_status_codes() {
    let response = |schema: &str| {
        format!("{{description: '', content: {{application/json: {{schema: {schema}}}}}}}")
    };
    let [one, two] =
        ["One", "Two"].map(|name| response(&format!("{{$ref: '#/components/schemas/{name}'}}")));
    let (text, untyped) = (response("{type: string}"), response("{}"));
    let outcome = paths(&format!(
        "  /a: {{get: {{operationId: a, responses: {{'204': {{description: ''}}, '404': {one}, 4XX: {two}, '409': {one}, default: {untyped}}}}}}}\n\
         \x20 /b: {{get: {{operationId: b, responses: {{'204': {{description: ''}}, default: {one}, '500': {two}, '503': {text}}}}}}}\n\
         \x20 /c: {{get: {{operationId: c, responses: {{'204': {{description: ''}}, default: {one}, '400': {untyped}}}}}}}\n\
         \x20 /d: {{get: {{operationId: d, responses: {{'204': {{description: ''}}, '400': {untyped}, '404': {text}}}}}}}\n\
         components: {{schemas: {{One: {{properties: {{a: {{}}}}}}, Two: {{properties: {{b: {{}}}}}}}}}}\n"
    ));
    let types = &outcome.types;
    for arm in [
        "\"a\" => &[(404, 404), (409, 409)]",
        "\"a\" => &[(400, 403), (405, 408), (410, 499)]",
        "\"b\" => &[(100, 499), (501, 502), (504, 999)]",
        "\"b\" => &[(500, 500)]",
        "\"c\" => &[(100, 999)]",
    ] {
        let code: Vec<&str> = types.split_whitespace().collect();
        assert!(code.join(" ").contains(arm), "{arm}: {types}");
    }
    assert!(
        !types.contains("\"d\""),
        "a body that is no type of the crate is not documented"
    );
}

#[test]
fn the_items_of_a_stream_are_those_that_the_document_describes() {
    let chunk =
        "{title: Chunk, type: object, properties: {id: {type: string}, text: {type: string}}}";
    let whole = format!(
        "{{title: Event, type: object, properties: {{event: {{type: string}}, data: {chunk}}}}}"
    );
    let texts =
        "{title: Event, type: object, properties: {data: {type: string}, retry: {type: integer}}}";
    let get = |id: &str, content: &str| {
        format!(
            "  /{id}: {{get: {{operationId: {id}, responses: {{'200': {{description: '', content: {content}}}}}}}}}\n"
        )
    };
    let of = |schema: &str| format!("{{text/event-stream: {{schema: {schema}}}}}");
    let two = format!(
        "{{application/x-ndjson: {{schema: {{type: array, items: {{type: integer}}}}}}, text/event-stream: {{schema: {chunk}}}, image/png: {{}}}}"
    );
    let outcome = paths(
        &[
            get("data", &of(chunk)),
            get("whole", &of(&whole)),
            get("texts", &of(texts)),
            get("strings", &of("{type: string}")),
            get("state", &of("{type: string, enum: [on, off]}")),
            get("beside", &format!("{{application/json: {{schema: {chunk}}}, text/event-stream: {{}}}}")),
            get("listed", &format!("{{application/json: {{schema: {{type: array, items: {chunk}}}}}, text/event-stream: {{}}}}")),
            get("any", "{application/json: {schema: {}}, text/event-stream: {}}"),
            get("untyped", "{text/event-stream: {}}"),
            get("file", &of("{type: string, format: binary}")),
            get(
                "lines",
                "{application/jsonl: {schema: {type: array, items: {type: integer}}}}",
            ),
            get("two", &two),
        ]
        .concat(),
    );
    for (operation, item, form) in [
        ("data", "types::", "EventForm::Data"),
        ("whole", "types::", "EventForm::Event"),
        ("texts", "types::", "EventForm::Text"),
        ("lines", "i64>", "EventForm::Data"),
        ("two", "types::", "EventForm::Data"),
        ("strings", "String>", "EventForm::TextData"),
        ("state", "types::", "EventForm::TextData"),
        ("beside", "types::", "EventForm::Data"),
        ("listed", "types::", "EventForm::Data"),
    ] {
        let builder = outcome.builder(operation);
        assert!(
            builder.contains(&format!("ResponseStream<{item}")),
            "{builder}"
        );
        assert!(builder.contains(form), "{builder}");
    }
    for operation in ["any", "untyped", "file"] {
        let builder = outcome.builder(operation);
        assert!(
            builder.contains("Result<ResponseStream, Error>"),
            "{builder}"
        );
    }
    assert!(
        outcome
            .builder("two")
            .contains(r#"request.accept("text/event-stream");"#)
    );
    let lost = outcome.rules.iter().filter(|rule| *rule == "stream-items");
    assert_eq!(lost.count(), 1);
}
