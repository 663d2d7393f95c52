//! Tests of a prefix that moves between the paths and the server addresses: the URLs stay the same, or change.

use openapi_diff::Wire;
use serde_json::{Value, json};

use super::{compare, document, lines};

/// Returns a document at these addresses with these paths, each optionally with separate addresses.
fn at(urls: &[&str], paths: &[(&str, Option<&str>)]) -> Value {
    let servers = |urls: &[&str]| -> Value { urls.iter().map(|url| json!({"url": url})).collect() };
    let mut items = json!({});
    for (path, own) in paths {
        items[path] = json!({"get": {"responses": {"200": {"description": "Found"}}}});
        if let Some(own) = own {
            items[path]["get"]["servers"] = servers(&[*own]);
        }
    }
    document(&json!({"servers": servers(urls), "paths": items}))
}

const PLAIN: &str = "https://a.example";
const LONGER: &str = "https://a.example/v1";
const OTHER: &str = "https://b.example";

/// Returns whether nothing changes in either direction.
fn is_same(old: &Value, new: &Value) -> bool {
    let there = compare(old, new).changes;
    let back = compare(new, old).changes;
    let said = [lines(&there), lines(&back)];
    assert_eq!(there.is_empty(), back.is_empty(), "{said:#?}");
    there.is_empty()
}

#[test]
fn a_prefix_that_moved_into_the_server_is_no_change() {
    for (old, new, expected) in [
        ((PLAIN, "/v1/books"), (LONGER, "/books"), true),
        (
            ("https://a.example/v1/", "/books"),
            ("https://a.example/", "/v1/books"),
            true,
        ),
        ((PLAIN, "/v1/books/{id}"), (LONGER, "/books/{number}"), true),
        ((PLAIN, "/v1/books"), (PLAIN, "/books"), false),
        (
            (PLAIN, "/v1/books"),
            ("https://a.example/v2", "/books"),
            false,
        ),
    ] {
        let (before, after) = (
            at(&[old.0], &[(old.1, None)]),
            at(&[new.0], &[(new.1, None)]),
        );
        assert_eq!(is_same(&before, &after), expected, "{old:?} {new:?}");
    }
}

#[test]
fn a_path_that_keeps_its_text_is_called_elsewhere() {
    for health in ["/health", "/health/{id}"] {
        let old = at(&[PLAIN], &[("/v1/books", None), (health, None)]);
        let new = at(
            &[LONGER],
            &[("/books", None), (&health.replace("id", "number"), None)],
        );
        for (old, new) in [(&old, &new), (&new, &old)] {
            let changes = compare(old, new);
            assert_eq!(
                changes.wire(),
                Wire::Breaking,
                "{:#?}",
                lines(&changes.changes)
            );
        }
    }
}

#[test]
fn an_operation_with_addresses_of_its_own_moves_with_them_only() {
    let with = |own: &str, path: &str, root: &str| at(&[root], &[(path, Some(own))]);
    let old = with(OTHER, "/v1/books", PLAIN);
    let new = with(OTHER, "/books", LONGER);
    assert_eq!(compare(&old, &new).wire(), Wire::Breaking);
    // The address of the operation gains the prefix, too.
    let new = with("https://b.example/v1", "/books", LONGER);
    assert_eq!(compare(&old, &new).wire(), Wire::Safe);
    // One path moved, the other did not.
    let old = at(&[PLAIN], &[("/v1/books", None), ("/health", Some(OTHER))]);
    let new = at(&[LONGER], &[("/books", None), ("/health", Some(OTHER))]);
    assert!(is_same(&old, &new));
    let new = at(
        &[LONGER],
        &[("/books", None), ("/health", Some("https://b.example/v1"))],
    );
    assert_eq!(compare(&old, &new).wire(), Wire::Risky);
}
