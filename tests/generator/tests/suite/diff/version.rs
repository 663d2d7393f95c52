//! Tests of the document's version, checked against its changes.

use serde_json::{Value, json};

use super::{compare, document};

/// Returns a document with this version and this path.
fn at(version: &Value, path: &str) -> Value {
    let info = json!({"title": "Shop", "version": version});
    let paths = json!({"/books": {"get": {}}, path: {"get": {}}});
    document(&json!({"info": info, "paths": paths}))
}

#[test]
fn a_version_that_does_not_follow_the_changes_is_a_line() {
    const SAME: &str = "version.unchanged";
    const KEPT: &str = "version.not-breaking";
    for (old, new, path, expected) in [
        ("1.2.0", "1.2.0", "/books", None),
        ("1.2.0", "1.2.0", "/pens", Some(SAME)),
        ("1.2.0", "1.3.0", "/pens", None),
        ("1.2.0", "1.2.0", "", Some(KEPT)),
        ("1.2.0", "1.3.0", "", Some(KEPT)),
        ("1.2.0", "v2.0.0-beta.1+a", "", None),
        ("2.0.0", "1.0.0", "", Some(KEPT)),
        ("0.2.0", "0.2.1", "", Some(KEPT)),
        ("0.2.0", "0.3.0", "", None),
        ("0.2.0", "1.0.0", "", None),
        ("1", "1", "", None),
        ("1.2", "1.2", "", None),
        ("2024-01-31", "2024-01-31", "", None),
        ("1.2.0.0", "1.2.0.0", "", None),
        ("latest", "latest", "/pens", None),
    ] {
        // An empty path is removed from the new document.
        let (old_path, new_path) = match path {
            "" => ("/pens", "/books"),
            path => ("/books", path),
        };
        let (a, b) = (at(&json!(old), old_path), at(&json!(new), new_path));
        let changes = compare(&a, &b).changes;
        let found: Vec<&str> = changes
            .iter()
            .map(|change| change.rule.id)
            .filter(|id| id.starts_with("version."))
            .collect();
        assert_eq!(found.first().copied(), expected, "{old} {new} {path}");
        assert!(found.len() < 2, "{found:?}");
    }
}

#[test]
fn a_version_is_no_verdict_and_has_its_place() {
    let changes = compare(
        &at(&json!("1.2.0"), "/books"),
        &at(&json!("1.2.0"), "/pens"),
    )
    .changes;
    let own = |change: &&openapi_diff::Change| change.rule.id == "version.unchanged";
    let change = changes.iter().find(own).unwrap();
    assert_eq!(change.wire, openapi_diff::Wire::Safe);
    assert_eq!(change.owner, "info");
    assert_eq!(
        change.message,
        "the version `1.2.0` is that of the old document"
    );
    assert_eq!(change.new.as_ref().unwrap().pointer, "/info/version");
    // A number is not a valid version, and an editorial change requires no new one.
    let numbers = [at(&json!(1.2), "/books"), at(&json!(1.2), "/pens")];
    assert_eq!(compare(&numbers[0], &numbers[1]).changes.len(), 1);
    let old = at(&json!("1.2.0"), "/books");
    let mut new = old.clone();
    new["info"]["description"] = "Books".into();
    assert_eq!(compare(&old, &new).changes.len(), 1);
}
