//! Overlays that would nest a query or a document too deeply, and the time that actions take.

use std::time::{Duration, Instant};

use openapi_document::finding::Finding;
use openapi_document::source::Source;
use openapi_overlay::{Overlay, Selection, apply};
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
fn copies_of_copies_end_before_the_stack_or_the_memory_does() {
    let deeper = |n: usize| json!({"target": "$..z", "copy": "$", "description": n.to_string()});
    let doubled = |n: usize| json!({"target": "$.a", "copy": "$.a", "description": n.to_string()});
    let wide = json!({"a": ["x".repeat(1 << 20)]});
    for (mut document, actions, rule, reason) in [
        (
            json!({"z": {}}),
            (0..15).map(deeper).collect::<Vec<_>>(),
            "overlay-depth",
            "nested more than 128 deep",
        ),
        (
            wide,
            (0..40).map(doubled).collect(),
            "overlay-size",
            "adds more than 128 MiB",
        ),
    ] {
        let finding = run(&mut document, Value::from(actions)).unwrap_err();
        assert_eq!(finding.rule, rule);
        assert!(finding.message.contains(reason), "{}", finding.message);
        let at = &finding.pointer;
        assert!(
            at.starts_with("/actions/") && !at.starts_with("/actions/0"),
            "{at}"
        );
    }
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
