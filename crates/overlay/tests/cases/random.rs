//! Properties that hold for any Overlay on any document, and for any input of the reader.

use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use openapi_overlay::{Change, Overlay, Selection};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::text;

/// Few names, so that targets meet documents; some of them need escaping somewhere.
const NAMES: &[&str] = &["a", "b", "x-c", "200", "/d/{e}", "~1", "it's", ""];

fn name() -> impl Strategy<Value = String> {
    select(NAMES).prop_map(str::to_owned)
}

fn plain() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        name().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        // Strings that YAML would read as another type.
        select(
            &[
                "yes",
                "null",
                "1_000",
                "0x1f",
                "2024-01-01",
                "- a",
                "a: b",
                "#",
                "&a",
                "1e3"
            ][..]
        )
        .prop_map(Value::from),
    ]
}

fn document() -> impl Strategy<Value = Value> {
    plain().prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((name(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A JSONPath of up to five steps of every kind.
fn query() -> impl Strategy<Value = String> {
    let quoted = || name().prop_map(|name| format!("'{}'", name.replace('\'', "\\'")));
    let step = prop_oneof![
        4 => quoted().prop_map(|name| format!("[{name}]")),
        2 => Just(".*".to_owned()),
        1 => Just("..*".to_owned()),
        1 => Just("..a".to_owned()),
        1 => quoted().prop_map(|name| format!("..[{name}, 0]")),
        2 => (-2..3i64).prop_map(|index| format!("[{index}]")),
        1 => (-2..3i64, -2..3i64, -2..3i64).prop_map(|(from, to, by)| format!("[{from}:{to}:{by}]")),
        1 => (quoted(), quoted()).prop_map(|(a, b)| format!("[{a}, {b}, 0, -1]")),
        1 => quoted().prop_map(|name| format!("[?(@[{name}])]")),
        1 => quoted().prop_map(|name| format!("[?@ == {name} || @[{name}] != 1]")),
        1 => Just("[?length(@) > 1]".to_owned()),
        1 => Just("[?@.a != $.a, 'b']".to_owned()),
        1 => Just("..[?@..a && @ != $['x-c']]".to_owned()),
    ];
    prop::collection::vec(step, 0..5).prop_map(|steps| format!("${}", steps.concat()))
}

fn action() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (query(), document()).prop_map(|(target, update)| json!({"target": target, "update": update})),
        2 => (query(), query()).prop_map(|(target, copy)| json!({"target": target, "copy": copy})),
        3 => query().prop_map(|target| json!({"target": target, "remove": true})),
        1 => query().prop_map(|target| json!({"target": target})),
    ]
}

/// The overlay of these actions, each made different from the others, as it would be read from a file.
fn overlay_of(actions: Vec<Value>) -> (Source, Overlay) {
    let actions: Vec<Value> = actions
        .into_iter()
        .enumerate()
        .map(|(index, mut action)| {
            action["description"] = index.to_string().into();
            action
        })
        .collect();
    read(&json!({
        "overlay": "1.1.0",
        "info": {"title": "Any", "version": "1.0.0"},
        "actions": actions,
    }))
}

/// The same overlay, each of whose actions refers to a reusable one.
fn by_reference(actions: Vec<Value>) -> (Source, Overlay) {
    let (mut reusable, mut references) = (Map::new(), Vec::new());
    for (index, mut action) in actions.into_iter().enumerate() {
        let target = action.as_object_mut().unwrap().remove("target");
        let name = format!("{index}/~{index}");
        reusable.insert(name, json!({"fields": action}));
        let reference = format!("#/components/actions/{index}~1~0{index}");
        references.push(json!({"$ref": reference, "target": target}));
    }
    read(&json!({
        "overlay": "1.2.0",
        "info": {"title": "Any", "version": "1.0.0"},
        "components": {"actions": reusable},
        "actions": references,
    }))
}

fn read(text: &Value) -> (Source, Overlay) {
    let source = Source::parse("overlay.yaml", serde_yaml::to_string(text).unwrap()).unwrap();
    assert_eq!(source.value, *text, "it reads as it was written");
    let overlay = Overlay::read(&source).unwrap_or_else(|findings| {
        panic!("{}", DocumentError::Findings(findings));
    });
    (source, overlay)
}

fn outcome(
    document: &Value,
    (source, overlay): &(Source, Overlay),
    selection: Selection,
) -> Result<(String, Vec<Change>), String> {
    let mut document = document.clone();
    openapi_overlay::apply(&mut document, overlay, source, selection)
        .map(|changes| (text(&document), changes))
        .map_err(|finding| finding.to_string())
}

proptest! {
    // A failure becomes a case above, not a file of seeds.
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn applying_never_panics_and_always_gives_the_same(
        document in document(),
        actions in prop::collection::vec(action(), 1..5),
    ) {
        let overlay = overlay_of(actions);
        for selection in [Selection::MayBeEmpty, Selection::MustNotBeEmpty] {
            let first = outcome(&document, &overlay, selection);
            prop_assert_eq!(&first, &outcome(&document, &overlay, selection));
            if let Ok((text, _)) = first {
                let result: Value = serde_json::from_str(&text).unwrap();
                // Both formats in which a result is written read as what it is.
                let yaml = serde_yaml::to_string(&result).unwrap();
                prop_assert_eq!(&Source::parse("result.yaml", yaml).unwrap().value, &result);
            }
        }
    }

    #[test]
    fn an_action_reports_a_change_exactly_when_it_makes_one(
        document in document(),
        action in action(),
    ) {
        let overlay = overlay_of(vec![action]);
        if let Ok((after, changes)) = outcome(&document, &overlay, Selection::MayBeEmpty) {
            prop_assert_eq!(changes.is_empty(), after == text(&document));
        }
    }

    #[test]
    fn an_action_by_reference_does_what_it_does_written_out(
        document in document(),
        actions in prop::collection::vec(action(), 1..5),
    ) {
        let written = outcome(&document, &overlay_of(actions.clone()), Selection::MayBeEmpty);
        let referred = outcome(&document, &by_reference(actions), Selection::MayBeEmpty);
        // Messages show other places.
        prop_assert_eq!(written.ok(), referred.ok());
    }

    #[test]
    fn what_is_removed_is_gone_and_nothing_else(document in document(), target in query()) {
        let gone = openapi_overlay::nodes(&openapi_overlay::parse(&target).unwrap(), &document);
        let source = overlay_of(vec![json!({"target": target, "remove": true})]);
        match outcome(&document, &source, Selection::MayBeEmpty) {
            Err(_) => prop_assert!(gone.iter().any(String::is_empty), "only the root stays"),
            Ok((after, _)) => prop_assert_eq!(after, text(&without(&document, "", &gone).unwrap())),
        }
    }

    #[test]
    fn no_input_makes_the_reader_panic(text in any::<String>(), pointer in "(/[a-c0-2~]{0,2}){0,3}") {
        reads(text, &pointer);
    }

    #[test]
    fn no_scraps_of_yaml_make_the_reader_panic(
        scraps in prop::collection::vec(select(SCRAPS), 0..24),
        pointer in "(/[a-c0-2~]{0,2}){0,3}",
    ) {
        reads(scraps.concat(), &pointer);
    }
}

/// Returns the document without these places, built from scratch rather than edited.
fn without(value: &Value, at: &str, gone: &[String]) -> Option<Value> {
    if gone.iter().any(|pointer| pointer == at) {
        return None;
    }
    Some(match value {
        Value::Object(members) => members
            .iter()
            .filter_map(|(key, member)| {
                let at = openapi_document::pointer::join(at, key);
                Some((key.clone(), without(member, &at, gone)?))
            })
            .collect(),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .filter_map(|(index, item)| without(item, &format!("{at}/{index}"), gone))
            .collect(),
        plain => plain.clone(),
    })
}

const SCRAPS: &[&str] = &[
    "a",
    "b",
    "1",
    "é",
    "\u{1F4DA}",
    "\u{FEFF}",
    " ",
    "  ",
    "\n",
    "\r\n",
    "\t",
    ":",
    ": ",
    "- ",
    "? ",
    "{",
    "}",
    "[",
    "]",
    ", ",
    "&a ",
    "*a",
    "<<: ",
    "!t ",
    "!!int ",
    "'",
    "\"",
    "\\",
    "\\u00",
    "| ",
    ">-\n",
    "#",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "~",
    ".inf",
    "0x",
    "1e999",
];

/// Reads a string as a file, and finds a place in it.
fn reads(text: String, pointer: &str) {
    match Source::parse("any.yaml", text) {
        Ok(source) => {
            let finding = source.finding("any", pointer, "m", "h").to_string();
            assert!(finding.contains("any.yaml"));
            if let Err(findings) = Overlay::read(&source) {
                assert!(!DocumentError::Findings(findings).to_string().is_empty());
            }
        }
        Err(stop) => assert!(!stop.findings().is_empty()),
    }
}
