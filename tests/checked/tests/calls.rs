//! Each operation of the clients in `tests/documents`, in all states of its request, arrives with the arguments of the caller; responses are
//! serialized unchanged. `cargo xtask regen` writes the calls.
#![allow(clippy::unwrap_used)]

use checked_tests::{
    Behavior, Call, Direction, Document, Given, Report, Type, Values, run, serve_on,
};
use serde_json::{Value, json};
use tokio::net::TcpListener;

macro_rules! calls {
    ($($name:ident = $path:literal),+ $(,)?) => {$(
        #[rustfmt::skip]
        #[allow(deprecated, unused_variables, reason = "the provider of a document advises against some of it, and calls may have no arguments")]
        #[path = $path]
        mod $name;

        #[tokio::test]
        async fn $name() {
            let report = run($name::DOCUMENT, $name::client, &$name::CALLS, &$name::TYPES, &[]).await.unwrap();
            let defects: Vec<String> = report.defects(3).collect();
            assert_eq!(defects, [""; 0], "{report}");
            let total = report.total();
            assert!(total.sent > report.rows.len(), "{report}");
            let lists = $name::CALLS.iter().filter(|call| call.list.is_some());
            assert_eq!(total.lists, lists.count(), "{report}");
            assert!(report.of_types().read > report.types.len(), "{report}");
            assert_eq!(unread(&report), unread_of(stringify!($name)), "{report}");
        }
    )+

        /// A new document must be added to the list.
        #[test]
        fn every_client_is_checked() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/calls");
            let files = std::fs::read_dir(folder).unwrap();
            let mut files: Vec<String> = files
                .map(|file| format!("calls/{}", file.unwrap().file_name().to_string_lossy()))
                .collect();
            files.sort();
            assert_eq!(files, [$($path),+]);
        }
    };
}

calls! {
    assistant = "calls/assistant.rs",
    depot = "calls/depot.rs",
    families = "calls/families.rs",
    forms = "calls/forms.rs",
    groups = "calls/groups.rs",
    lists = "calls/lists.rs",
    names = "calls/names.rs",
    things = "calls/things.rs",
}

/// Types of which no value is made, by client: events whose data is JSON in a string, that JSON, and alternatives with the members beside
/// them, which are read as a part of their union.
const UNREAD: &[(&str, &[&str])] = &[
    (
        "assistant",
        &["Part", "ReplyPart", "ReplyStarted", "Started"],
    ),
    ("depot", &["LogChange"]),
    ("families", &["EventLost", "EventMade"]),
];

/// Returns the types of which no value was made.
fn unread(report: &Report) -> Vec<&str> {
    let types = report.types.iter().filter(|row| row.read == 0);
    types.map(|row| row.operation.as_str()).collect()
}

/// Returns the types of a client of which no value can be made.
fn unread_of(client: &str) -> &'static [&'static str] {
    let mut clients = UNREAD.iter();
    let found = clients.find(|(name, _)| *name == client);
    found.map_or(&[], |(_, types)| types)
}

/// The call of the client `depot` that clears members.
fn change() -> &'static Call<depot_client::Client> {
    let mut calls = depot::CALLS.iter();
    calls.find(|call| call.id == "changeAbout").unwrap()
}

/// Guards against a check that finds nothing.
#[tokio::test]
async fn what_is_lost_is_found() {
    let lossy = Call {
        id: change().id,
        method: change().method,
        path: change().path,
        media_types: change().media_types,
        send: |client, given| {
            let mut given = given.clone();
            if let Some((_, Value::Object(all))) = &mut given.body {
                all.retain(|_, value| !value.is_null());
            }
            (change().send)(client, &given)
        },
        list: None,
        reads: &[("2XX", |_| Ok(Value::Null))],
    };
    let types = [Type {
        name: "Lossy",
        at: depot::TYPES[0].at,
        directions: &[Direction::Request],
        again: |_| Ok(Value::Null),
    }];
    let report = run(depot::DOCUMENT, depot::client, &[lossy], &types, &[]).await;
    let report = report.unwrap();
    let of_types = report.of_types();
    assert!(of_types.changed > 0 && of_types.changed == of_types.read);
    assert!(!report.is_clean());
    let total = report.total();
    assert!(total.different > 0 && total.different < total.sent);
    assert!(total.changed > 0 && total.refused == 0);
}

/// Returns the document of the client `lists` with the paging of each operation, as `openapi-crate serve` has it, with 23 records in each example
/// or without examples.
fn served_lists(has_examples: bool) -> Document {
    let mut document = Document::read(lists::DOCUMENT).unwrap();
    for call in &lists::CALLS {
        let statement: Value = serde_json::from_str(call.list.unwrap()).unwrap();
        let operation = format!(
            "/paths/{}/{}",
            call.path.replace('/', "~1"),
            call.method.to_lowercase()
        );
        let media = format!("{operation}/responses/200/content/application~1json");
        let schema = document.0.pointer(&format!("{media}/schema")).unwrap();
        let mut values = Values::new(&document, Direction::Response);
        let mut example = values.states(schema).remove(0);
        let items = statement.pointer("/items").and_then(Value::as_str);
        let items = example.pointer_mut(items.unwrap());
        *items.unwrap() = (1..=23).map(|id| json!({"id": id})).collect();
        if has_examples {
            document.0.pointer_mut(&media).unwrap()["example"] = example;
        }
        document.0.pointer_mut(&operation).unwrap()["x-checked-pages"] = statement;
    }
    document
}

/// Returns the ids of all records of each list of a served document.
async fn served_ids(document: Document) -> Vec<(&'static str, Vec<Value>)> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = lists::client(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    tokio::spawn(serve_on(listener, document, Behavior::default()));
    let mut lists = Vec::new();
    for call in &lists::CALLS {
        let mut given = Given::default();
        if call.id.starts_with("search") {
            given.body = Some(("application/json".to_owned(), json!({"query": "a"})));
        }
        for name in ["owner", "id"] {
            let place = ("path".to_owned(), name.to_owned());
            given.parameters.insert(place, json!("a"));
        }
        let sending = (call.send)(&client, &given).unwrap();
        let all = sending.all.unwrap().await.unwrap();
        lists.push((call.id, all.iter().map(|one| one["id"].clone()).collect()));
    }
    lists
}

/// A page has 3 records, or as many as the service chooses.
#[tokio::test]
async fn served_lists_are_read_page_by_page() {
    let expected: Vec<u32> = (1..=23).collect();
    for (operation, ids) in served_ids(served_lists(true)).await {
        assert_eq!(ids, expected, "{operation}");
    }
    for (operation, ids) in served_ids(served_lists(false)).await {
        assert!(ids.iter().any(Value::is_number), "{operation}: {ids:?}");
    }
}
