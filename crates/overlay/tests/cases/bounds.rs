//! Overlays that ask for more than a machine has: memory, stack and time.

use std::time::{Duration, Instant};

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use openapi_overlay::{Overlay, Selection, TooLarge, apply, parse};
use serde_json::{Value, json};

/// Applies these actions to a document, and returns the first finding.
fn run(document: &mut Value, actions: Value) -> Result<usize, Box<Finding>> {
    let overlay = json!({
        "overlay": "1.1.0",
        "info": {"title": "Case", "version": "1"},
        "actions": actions,
    });
    let empty = Source::parse("overlay.json", "{}".to_owned()).unwrap();
    let source = empty.with_value(overlay);
    let overlay = Overlay::read(&source).map_err(|mut all| Box::new(all.remove(0)))?;
    let changes = apply(document, &overlay, &source, Selection::MayBeEmpty);
    changes.map(|all| all.len())
}

#[test]
fn copies_of_copies_end_before_the_memory_does() {
    let doubled = |key: usize| json!({"target": format!("$.a.b{key}"), "copy": "$.a"});
    let deeper = |n: usize| json!({"target": "$..z", "copy": "$", "description": n.to_string()});
    let wide: Vec<Value> = (0..40).map(|_| json!({})).collect();
    let keys: serde_json::Map<String, Value> =
        (0..40).map(|n| (format!("b{n}"), json!({}))).collect();
    for (mut document, actions, reason) in [
        (
            json!({"a": keys}),
            (0..40).map(doubled).collect::<Vec<_>>(),
            "more than 128 MiB",
        ),
        (json!({"z": {}}), (0..15).map(deeper).collect(), "nested more than 128 deep"),
        (
            json!({"text": "x".repeat(200_000), "list": wide}),
            (0..40)
                .map(|n| json!({"target": "$.list[*]", "update": {format!("a{n}"): "x".repeat(200_000)}}))
                .collect(),
            "more than 128 MiB",
        ),
    ] {
        let finding = run(&mut document, Value::from(actions)).unwrap_err();
        assert_eq!(finding.rule, "overlay-size");
        assert!(finding.message.contains(reason), "{}", finding.message);
        assert!(finding.pointer.starts_with("/actions/"), "{}", finding.pointer);
        assert!(!finding.pointer.starts_with("/actions/0/"), "{}", finding.pointer);
    }
}

#[test]
#[ignore = "the gate runs it: it takes seconds"]
fn what_is_inserted_counts_with_its_key_and_its_place_and_nothing_else() {
    let long = "x".repeat(200_000);
    let list: Vec<Value> = (0..1_000).map(Value::from).collect();
    let named = |value: &Value| {
        let members = (0..1_000).map(|n| (format!("k{n}"), value.clone()));
        Value::Object(members.collect())
    };
    let text = json!({"text": long});
    for (mut document, action, is_done) in [
        (
            json!({&long: []}),
            json!({"target": "$.*", "update": list}),
            false,
        ),
        (
            json!({&long: list}),
            json!({"target": "$..*", "remove": true}),
            false,
        ),
        (
            json!({&long: named(&json!({}))}),
            json!({"target": "$.*.*", "update": {"a": 1}}),
            false,
        ),
        (
            named(&json!({})),
            json!({"target": "$.*", "update": {&long: 1}}),
            false,
        ),
        (named(&text), json!({"target": "$.*", "update": text}), true),
        (
            json!({"a": list}),
            json!({"target": "$..*", "remove": true}),
            true,
        ),
    ] {
        let done = run(&mut document, json!([action]));
        let shown: String = action.to_string().chars().take(60).collect();
        assert_eq!(done.is_ok(), is_done, "{shown}: {done:?}");
        if let Err(finding) = done {
            assert_eq!(finding.rule, "overlay-size");
            assert!(finding.message.contains("128 MiB"), "{}", finding.message);
        }
    }
}

#[test]
fn a_removal_that_is_too_large_is_told_what_it_removes() {
    let long = "x".repeat(200_000);
    let list: Vec<Value> = (0..400).map(Value::from).collect();
    let mut document = json!({"a": {&long: list}, "b": {&long: list}});
    let actions = ["a", "b"].map(|key| json!({"target": format!("$.{key}.*.*"), "remove": true}));
    let finding = run(&mut document, json!(actions)).unwrap_err();
    assert_eq!(finding.rule, "overlay-size");
    assert_eq!(finding.pointer, "/actions/1/remove");
    for text in [&finding.message, &finding.help] {
        assert!(text.contains("remove"), "{text}");
        assert!(!text.contains("copy") && !text.contains("add "), "{text}");
    }
}

#[test]
fn pointers_that_are_too_large_together_are_not_written() {
    let list: Vec<Value> = (0..1_000).map(Value::from).collect();
    let document = json!({"x".repeat(200_000): list});
    let nodes = |query: &str| openapi_overlay::nodes(&parse(query).unwrap(), &document);
    assert_eq!(nodes("$.*.*"), Err(TooLarge));
    assert_eq!(nodes("$.*[0:500]").map(|nodes| nodes.len()), Ok(500));
}

#[test]
fn nested_queries_are_refused_wherever_they_stand() {
    let query = format!("$[?{}@.a{}]", "(".repeat(4_000), ")".repeat(4_000));
    for (action, at) in [
        (
            json!({"target": query, "remove": true}),
            "/actions/0/target",
        ),
        (json!({"target": "$.a", "copy": query}), "/actions/0/copy"),
    ] {
        let finding = run(&mut json!({"a": {}}), json!([action])).unwrap_err();
        assert_eq!((finding.rule, finding.pointer.as_str()), ("json-path", at));
        assert!(finding.message.contains("nested more than 32 deep"));
    }
}

#[test]
fn all_that_a_query_selects_is_removed_whatever_contains_it() {
    let mut document =
        json!({"a": [{"x": 1, "y": 2}, {"x": 3}, 4, {"x": {"x": 5}}], "x": 6, "b": 7});
    let removed = run(
        &mut document,
        json!([
            {"target": "$..x", "remove": true},
            {"target": "$.a[1, 2, -1]", "remove": true},
        ]),
    );
    assert_eq!(removed.unwrap(), 8);
    assert_eq!(document, json!({"a": [{"y": 2}], "b": 7}));
}

/// Evaluated naively, each of these would visit a value billions of times.
#[test]
fn a_query_visits_each_value_once_in_a_step() {
    let mut document = json!({"leaf": 0});
    for depth in 0..100 {
        document = json!({"a": document, "b": [depth, {"c": depth}], "d": [[[depth]]]});
    }
    let all = json!([{"target": "$..*", "remove": true}]);
    let number = run(&mut document.clone(), all).unwrap();
    for (query, selected) in [
        ("$..*..*..*..*".to_owned(), number - 17),
        (format!("${}", "..*".repeat(50)), 470),
        (format!("$..a{}", "['a','a',\"a\"]".repeat(20)), 80),
        ("$..*..[?@.c < $.b[0]]".to_owned(), 99),
    ] {
        let removal = json!([{"target": query, "remove": true}]);
        let removed = run(&mut document.clone(), removal).unwrap();
        assert_eq!(removed, selected, "{query}");
    }
}

/// The shortest of several runs.
#[expect(clippy::disallowed_methods, reason = "a test compares two times")]
fn shortest(mut run: impl FnMut()) -> Duration {
    let time = |()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    [(); 3].map(time).into_iter().min().unwrap()
}

/// Eight times as much takes about eight times as long, and not 64 times.
fn is_near_linear(run: impl Fn(usize)) {
    run(50);
    let (few, many) = (shortest(|| run(500)), shortest(|| run(4_000)));
    assert!(many < few * 28, "{few:?}, then {many:?}");
}

#[test]
fn many_actions_and_many_removals_take_time_by_their_number() {
    is_near_linear(|count| {
        let one = |n| json!({"target": format!("$.a.k{n}"), "update": {"b": n}});
        run(&mut json!({"a": {}}), (0..count).map(one).collect()).unwrap();
    });
    is_near_linear(|count| {
        let members = (0..count).map(|n| (format!("k{n:06}"), json!(1)));
        let members: serde_json::Map<_, _> = members.collect();
        let mut document = json!({"x".repeat(count * 2_500): members});
        let update = json!([{"target": "$", "update": document}]);
        assert_eq!(run(&mut document, update).unwrap(), 0);
    });
    is_near_linear(|count| {
        let members = (0..count).map(|n| (format!("k{n:06}"), json!({"x": n})));
        let mut document = json!({"a": members.collect::<serde_json::Map<_, _>>()});
        run(&mut document, json!([{"target": "$.a.*", "remove": true}])).unwrap();
        assert_eq!(document, json!({"a": {}}));
    });
}
