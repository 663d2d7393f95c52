//! Tests of committed files with another value.

use super::restyled;
use crate::source::Source;

const COMMITTED: &str = "\
# Whose file this is.
openapi: 3.0.3
info: {title: 'A: B', version: '1'} # as published
paths:
  # Lists things.
  '/things':
    get:
      parameters:
        - name: a
          in: query
        # Not required.
        - name: b
          in: query
      tags: [one, two]
      description: >-
        A long text
        of two lines.

  /others: {}
components:
  schemas:
    A: {type: string}
    # The second.
    B:
      enum:
        - x
        - 'y'
";

/// Returns the committed file after an edit of its value.
fn edited(edit: impl FnOnce(&mut serde_json::Value)) -> String {
    let committed = Source::parse("a.yaml", COMMITTED.to_owned()).unwrap();
    let mut value = committed.value.clone();
    edit(&mut value);
    let text = restyled(&committed, &value);
    let read = Source::parse("a.yaml", text.clone()).unwrap();
    assert_eq!(read.value, value, "{text}");
    text
}

/// Returns the lines that only the new file has, and those that only the committed one has.
fn changed(text: &str) -> (Vec<&str>, Vec<&str>) {
    let new = text
        .lines()
        .filter(|line| !COMMITTED.lines().any(|old| old == *line));
    let gone = COMMITTED
        .lines()
        .filter(|line| !text.lines().any(|new| new == *line));
    (new.collect(), gone.collect())
}

#[test]
fn the_same_value_is_the_same_text() {
    assert_eq!(edited(|_| {}), COMMITTED);
    // The order of the new keys does not matter.
    let reversed = edited(|value| {
        let map = value.as_object_mut().unwrap();
        *map = std::mem::take(map).into_iter().rev().collect();
    });
    assert_eq!(reversed, COMMITTED);
}

#[test]
fn only_the_lines_of_what_changed_change() {
    let text = edited(|value| value["info"]["version"] = "2".into());
    let (new, gone) = changed(&text);
    assert_eq!(new, ["info: {title: 'A: B', version: '2'} # as published"]);
    assert_eq!(gone.len(), 1);

    let text = edited(|value| value["components"]["schemas"]["B"]["enum"][1] = "z".into());
    assert_eq!(changed(&text), (vec!["        - z"], vec!["        - 'y'"]));

    let text = edited(|value| {
        value["paths"]["/things"]["get"]["parameters"][1]["in"] = "header".into();
    });
    assert_eq!(changed(&text).0, ["          in: header"]);
    assert!(text.contains("        # Not required.\n        - name: b\n"));
}

#[test]
fn what_is_new_stands_after_what_was_there() {
    let text = edited(|value| {
        let schemas = value["components"]["schemas"].as_object_mut().unwrap();
        schemas.shift_insert(
            0,
            "C".to_owned(),
            serde_json::json!({"type": "object", "required": ["a"]}),
        );
    });
    assert!(text.ends_with("        - 'y'\n    C:\n      type: object\n      required: [a]\n"));
    assert_eq!(changed(&text).1, [""; 0]);

    let text = edited(|value| {
        let parameters = value["paths"]["/things"]["get"]["parameters"].as_array_mut();
        parameters
            .unwrap()
            .insert(1, serde_json::json!({"$ref": "#/x"}));
    });
    assert_eq!(changed(&text), (vec!["        - $ref: '#/x'"], vec![]));
}

#[test]
fn what_is_gone_takes_its_comment_with_it_and_no_other() {
    let text = edited(|value| {
        let schemas = value["components"]["schemas"].as_object_mut().unwrap();
        schemas.shift_remove("B");
    });
    assert!(!text.contains("# The second."));
    let text = edited(|value| {
        let schemas = value["components"]["schemas"].as_object_mut().unwrap();
        schemas.shift_remove("A");
    });
    assert!(
        text.ends_with("  schemas:\n    B:\n      enum:\n        - x\n        - 'y'\n"),
        "{text}"
    );
    let text = edited(|value| {
        value["paths"]["/things"]["get"]["parameters"]
            .as_array_mut()
            .unwrap()
            .remove(0);
    });
    assert_eq!(changed(&text).0, [""; 0]);
}

#[test]
fn long_texts_are_folded_and_texts_of_several_lines_are_kept() {
    let long = "many words ".repeat(20).trim().to_owned();
    let text = edited(|value| {
        value["paths"]["/things"]["get"]["description"] = long.clone().into();
        value["components"]["schemas"]["B"]["description"] = "One.\n\n  - two\n".into();
    });
    assert!(
        text.contains("      description: >-\n        many words many"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.len() <= 120), "{text}");
    assert!(
        text.contains("      description: |\n        One.\n\n          - two\n"),
        "{text}"
    );
}

#[test]
fn texts_that_look_like_something_else_are_quoted_wherever_they_stand() {
    for odd in [
        "yes", "1", "null", "a: b", "#x", "- a", "a, b", "{a}", "", " a", "'", "\"", "é\u{1}",
        "a\nb", "x:",
    ] {
        let text = edited(|value| {
            value["info"]["title"] = odd.into();
            value["info"][odd] = odd.into();
            value["components"]["schemas"]["B"][odd] = serde_json::json!([odd, {odd: odd}]);
            value["paths"]["/others"] = serde_json::json!({odd: [odd]});
            value["openapi"] = odd.into();
        });
        assert!(text.starts_with("# Whose file this is.\n"), "{odd}");
    }
}

#[test]
fn a_text_with_anchors_is_written_as_a_whole_in_its_order() {
    let committed = "b: &x {c: 1}\na: *x\n".to_owned();
    let committed = Source::parse("a.yaml", committed).unwrap();
    let value = serde_json::json!({"a": {"c": 1}, "b": {"c": 2}, "d": []});
    assert_eq!(
        restyled(&committed, &value),
        "b:\n  c: 2\na:\n  c: 1\nd: []\n"
    );
}

#[test]
fn json_stays_json_in_the_committed_order() {
    let committed = Source::parse("a.json", "{\"b\": 1, \"a\": 2}".to_owned()).unwrap();
    let value = serde_json::json!({"a": 2, "c": 3, "b": 1});
    let text = restyled(&committed, &value);
    assert_eq!(text, "{\n  \"b\": 1,\n  \"a\": 2,\n  \"c\": 3\n}\n");
}
