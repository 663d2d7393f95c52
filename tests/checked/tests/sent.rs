//! What callers send, in all states of its fields: the emitted type writes each as it was meant, and as the document allows.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use checked_tests::{Document, check, states};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The differences, and how many states there are.
fn differences<T: Serialize + DeserializeOwned>(
    document: &Document,
    name: &str,
) -> (usize, Vec<String>) {
    let schema = &document.0["components"]["schemas"][name];
    let all = states(document, schema);
    let differing = all.iter().filter_map(|meant| {
        check(document, schema, meant, name).unwrap();
        let read: Result<T, _> = serde_json::from_value(meant.clone());
        let sent = match read {
            Ok(read) => serde_json::to_value(&read).unwrap(),
            Err(error) => return Some(format!("{meant} is not taken: {error}")),
        };
        let allowed = check(document, schema, &sent, name);
        let same = sent == *meant && allowed.is_ok();
        (!same).then(|| format!("{meant} is sent as {sent}: {allowed:?}"))
    });
    (all.len(), differing.collect())
}

macro_rules! sent {
    ($document:literal, $client:ident: $($name:ident),+) => {{
        let text = include_str!(concat!("../../documents/", $document, "/openapi.yaml"));
        let document = Document(serde_yaml::from_str::<Value>(text).unwrap());
        $(
            let (states, differing) = differences::<$client::types::$name>(&document, stringify!($name));
            assert!(states > 2, "{} has {states} states", stringify!($name));
            assert_eq!(differing, [""; 0], "{}", stringify!($name));
        )+
    }};
}

#[test]
fn each_state_is_sent_as_it_was_meant() {
    sent!("lake", lake_client: RepositoryChange, Owner);
    sent!("assistant", assistant_client: AgentCreation, Tool, FunctionTool, Function);
    sent!("depot", depot_client: About, AboutChange, Filter);
}

/// What an object that is only read does not keep is seen: otherwise the test above could not fail.
#[test]
fn a_lost_null_is_a_difference() {
    let text = include_str!("../../documents/lake/openapi.yaml");
    let document = Document(serde_yaml::from_str::<Value>(text).unwrap());
    let (_, differing) = differences::<lake_client::types::Repository>(&document, "Repository");
    assert!(
        differing.iter().any(|line| line.contains("null")),
        "{differing:?}"
    );
}
