//! A document with Rust names in every place, and with deeply nested lists: its crate compiles.

use std::collections::BTreeSet;
use std::process::Command;

use crate::support::tool::{Options, warned};
use serde_json::{Map, Value, json};

use crate::support::{Workspace, repository};

/// Names of the prelude, types and macros of the language, crates, imports of emitted files, and their declarations.
const NAMES: &str = "
    Send Sync Sized Copy Drop Fn FnMut FnOnce AsyncFn Box ToOwned Clone PartialEq PartialOrd Eq Ord Hash Debug Display AsRef AsMut Into From
    Default Iterator Extend IntoIterator DoubleEndedIterator ExactSizeIterator Option Some None Result Ok Err String ToString Vec TryFrom
    TryInto FromIterator Future IntoFuture Unpin Error FromStr Self
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char str
    vec println format panic assert matches write concat env include include_str cfg column file line module_path stringify todo drop test
    Cow BTreeMap Duration Stream Arc Uuid Credits Operation RawCall Budget Client Server ClientBuilder Response Records Outcome RetryPolicy
    StatusCode Method Bytes Json Value Map Number Serialize Deserialize Deserializer Serializer DeserializeOwned Infallible Formatter
    Arguments PhantomData Shape Request Body Pages Items Documented Unknown Other
    std core alloc serde serde_json generated_client crate super types operations client shapes cli credentials wire money values main lib mod
    send send_as new build into_ fmt pages items items_as body wait price next poll as_str to_string eq type match async await gen
    dyn fn let mut ref static union raw try yield abstract final become do override priv typeof unsized virtual where
    call name key text data id limit offset options list a b";

/// Returns each name once, ignoring its case style.
fn names() -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    let spelling = |name: &&str| name.to_lowercase().replace('_', "");
    let names = NAMES.split_whitespace();
    names.filter(|name| seen.insert(spelling(name))).collect()
}

/// Returns this many nested lists and maps, alternating.
fn nested(levels: usize) -> Value {
    (0..levels).fold(json!({"type": "string"}), |inner, level| match level % 2 {
        0 => json!({"type": "array", "items": inner}),
        _ => json!({"type": "object", "additionalProperties": inner}),
    })
}

fn document() -> Value {
    let object = |schemas: [Value; 3]| -> Value {
        let named = names().into_iter().enumerate();
        let properties: Map<String, Value> = named
            .map(|(index, name)| (name.to_owned(), schemas[index % 3].clone()))
            .collect();
        json!({"type": "object", "properties": properties})
    };
    let text = json!({"type": "string"});
    let list = json!({"type": "array", "items": text});
    let mut paths = Map::new();
    let mut schemas = Map::new();
    let mut schemes = Map::new();
    for (index, name) in names().into_iter().enumerate() {
        let schema = match index % 3 {
            0 => json!({"type": "object", "required": ["v"], "properties": {
                "v": text, "n": {"type": "integer"}, "l": list, "d": {"type": "string", "format": "date-time"}, "x": {},
                "m": {"type": "object", "additionalProperties": text}}}),
            1 => json!({"type": "string", "enum": ["a", "b"]}),
            _ => json!({"oneOf": [text, {"type": "object", "properties": {"q": text}}]}),
        };
        schemas.insert(name.to_owned(), schema);
        schemes.insert(
            name.to_owned(),
            json!({"type": "apiKey", "in": "header", "name": format!("x-{index}")}),
        );
        let reference = json!({"$ref": format!("#/components/schemas/{name}")});
        let json = json!({"application/json": {"schema": reference}});
        let parameter = |place: &str, schema: &Value| json!({"name": name, "in": place, "required": place == "path", "schema": schema});
        let of = |id: String, parameters: Value| {
            json!({
                "operationId": id, "tags": [name], "security": [{name: []}], "parameters": parameters,
                "requestBody": {"content": json},
                "responses": {"200": {"description": "d", "content": json}},
            })
        };
        let own = json!([
            {"name": "many", "in": "query", "schema": list}, {"name": "number", "in": "query", "schema": {"type": "integer"}},
        ]);
        let parameters = json!([
            parameter("path", &text),
            parameter("query", &list),
            parameter("header", &text)
        ]);
        paths.insert(
            format!("/o{index}/{{{name}}}"),
            json!({"post": of(format!("parameters{index}"), parameters)}),
        );
        paths.insert(
            format!("/n{index}"),
            json!({"post": of(name.to_owned(), own)}),
        );
    }
    let schema = |schema: Value| json!({"content": {"application/json": {"schema": schema}}});
    let all = object([text.clone(), json!({"type": "integer"}), list]);
    let values: Vec<&str> = NAMES.split_whitespace().chain(["self"]).collect();
    let mut response = schema(json!({"type": "object", "properties": {
        "deep": nested(48), "all": all, "value": {"type": "string", "enum": values}}}));
    response["description"] = "d".into();
    paths.insert(
        "/all".to_owned(),
        json!({"post": {"operationId": "all", "requestBody": schema(all), "responses": {"200": response}}}),
    );
    // The list of records has a name, which paging does not need.
    let to = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let number = |name: &str| json!({"name": name, "in": "query", "schema": {"type": "integer"}});
    for (name, schema) in [
        (
            "PagedList",
            json!({"type": "array", "items": to("PagedRecord")}),
        ),
        (
            "PagedRecord",
            json!({"type": "object", "properties": {"a": {"type": "string"}}}),
        ),
        (
            "Paged",
            json!({"type": "object", "properties": {"data": to("PagedList"), "total": {"type": "integer"}, "size": to("Size")}}),
        ),
        ("Size", json!({"type": "integer"})),
    ] {
        schemas.insert(name.to_owned(), schema);
    }
    let mut page = schema(to("Paged"));
    page["description"] = "d".into();
    paths.insert("/paged".to_owned(), json!({"get": {
        "operationId": "paged", "parameters": [number("limit"), number("offset")], "responses": {"200": page},
        "x-pagination": {"items": "$.data", "total": "$.total", "limit": "limit", "offset": "offset"}}}));
    json!({
        "openapi": "3.0.3", "info": {"title": "Rust", "version": "1"}, "servers": [{"url": "https://a.example"}],
        "paths": paths, "components": {"schemas": schemas, "securitySchemes": schemes},
    })
}

#[test]
#[ignore = "the gate runs it: it compiles a crate"]
fn a_document_may_have_the_names_of_rust_at_every_place() {
    let workspace = Workspace::new().file("api.json", &document().to_string());
    let options = Options {
        runtime: Some(repository().join("runtime")),
        ..Options::of(&workspace, "api.json", "crate")
    };
    let shown = warned(&options).unwrap();
    assert!(shown.contains("warning[schema-nesting]"), "{shown}");
    assert!(
        shown.contains("becomes the method `into` and the builder `IntoCall`"),
        "{shown}"
    );
    let is_paged =
        |text: &[u8]| String::from_utf8_lossy(text).contains("Item = types::PagedRecord;");
    assert!(workspace.files().values().any(|text| is_paged(text)));
    let lock = repository().join("Cargo.lock");
    std::fs::copy(lock, workspace.root().join("crate/Cargo.lock")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["check", "--offline", "--no-default-features"])
        .arg("--target-dir")
        .arg(concat!(env!("CARGO_TARGET_TMPDIR"), "/foreign"))
        .current_dir(&options.output)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    assert!(!message.contains("warning"), "{message}");
}
