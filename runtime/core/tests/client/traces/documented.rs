//! The documentation of both crates lists the spans and events of calls, with their fields: those that are recorded, and no other.

use std::collections::{BTreeMap, BTreeSet};

use generated_client::error::TransportErrorKind;
use generated_client::testing::{Reply, Script};
use things_client::Client as Things;

use crate::support::api::KEY;
use crate::support::scripted_client::{self, PAID, UNKNOWN, call, credits};
use crate::support::span_recorder::Recorder;

/// The level and the fields, by name or message.
type Table = BTreeMap<String, (String, BTreeSet<String>)>;

fn documented() -> Table {
    let mut table = Table::new();
    for page in [
        include_str!("../../../src/lib.rs"),
        include_str!("../../../src/money/mod.rs"),
    ] {
        for (name, level, fields) in rows(page) {
            let row = table.entry(name).or_insert((level, BTreeSet::new()));
            row.1.extend(fields);
        }
    }
    table
}

fn rows(page: &str) -> Vec<(String, String, Vec<String>)> {
    let (_, section) = page.split_once("//! # What `tracing` records").unwrap();
    let rows = section.lines().filter_map(|line| {
        let cells: Vec<&str> = line
            .strip_prefix("//! | ")?
            .split('|')
            .map(str::trim)
            .collect();
        let [name, level @ ("INFO" | "WARN"), fields, ""] = cells.as_slice() else {
            return None;
        };
        let name = name.split(", ").next()?.replace('`', "");
        let fields = fields
            .split(", ")
            .map(|field| field.replace('`', ""))
            .collect();
        Some((name, (*level).to_owned(), fields))
    });
    rows.collect()
}

#[tokio::test(start_paused = true)]
async fn the_documentation_lists_what_is_recorded() {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    let script = Script::new([
        Reply::new(429, "").header("retry-after", "20"),
        Reply::fails(TransportErrorKind::Connect),
        Reply::new(200, r#"{"cost": 7}"#),
        Reply::new(200, r#"{"cost": 1}"#),
    ]);
    let builder = scripted_client::Script::of([]).builder().transport(script);
    let client = builder.budget(credits("20")).build().unwrap();
    call(&client, &PAID).await.unwrap();
    call(&client, &UNKNOWN).await.unwrap();
    let script = Script::new([Reply::new(200, r#"{"detail": {"made": "it"}}"#)]);
    let builder = Things::builder("https://example.com").api_key(KEY);
    let things = builder.transport(script).build().unwrap();
    things.progress("ticket").wait().await.unwrap();

    let mut recorded = Table::new();
    for (name, metadata) in recorder.take().declared {
        assert!(
            metadata.target().starts_with("generated_client"),
            "{metadata:?}"
        );
        let name = name.split(':').next().unwrap().to_owned();
        let fields = metadata
            .fields()
            .iter()
            .map(|field| field.name().to_owned());
        let fields = fields.filter(|field| field != "message").collect();
        recorded.insert(name, (metadata.level().to_string(), fields));
    }
    let documented = documented();
    assert_eq!(documented.len(), 7, "{documented:#?}");
    assert_eq!(recorded, documented);
}
