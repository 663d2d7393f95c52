//! Tests of a client of the new document with a service of the old one.

use openapi_diff::command::{Format, Options};
use openapi_diff::{Filter, Wire};
use serde_json::Value;

use super::command::{OLD, PLAIN, committed, run};

/// Returns [`OLD`] with an operation that only the new service has.
fn newer() -> String {
    OLD.replace(
        "  /books:\n",
        "  /pens:\n    get: {responses: {'204': {description: Done}}}\n  /books:\n",
    )
}

fn forward() -> Options {
    Options {
        forward: true,
        ..PLAIN
    }
}

#[test]
fn a_client_of_the_new_document_breaks_at_the_old_service() {
    let workspace = committed(&newer());
    let (fine, text) = run(&workspace, &forward()).unwrap();
    assert!(fine, "{text}");
    assert!(text.contains("Wire safe: 1 safe"), "{text}");
    assert!(text.ends_with("Forward breaking: 1 breaking\n"), "{text}");
    assert!(text.contains("\nA client of "), "{text}");
    let markdown = Options {
        format: Format::Markdown,
        ..forward()
    };
    let (_, text) = run(&workspace, &markdown).unwrap();
    let (before, after) = text.split_once("**Forward: breaking**").unwrap();
    assert!(!before.contains("the operation is gone"), "{text}");
    assert!(after.contains("the operation is gone"), "{text}");
    let json = Options {
        format: Format::Json,
        ..forward()
    };
    let (_, text) = run(&workspace, &json).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["wire"], "safe");
    assert_eq!(report["forward"]["wire"], "breaking");
    assert_eq!(report["forward"]["changes"][0]["id"], "operation.removed");
    let summary = Options {
        summary: true,
        ..forward()
    };
    let (_, text) = run(&workspace, &summary).unwrap();
    assert_eq!(text, "safe: 1 safe; forward breaking\n");
    let (_, text) = run(&workspace, &PLAIN).unwrap();
    assert!(!text.contains("Forward"), "{text}");
}

#[test]
fn a_run_fails_by_the_verdict_that_it_is_about() {
    let workspace = committed(&newer());
    for (fail_on, fail_forward, is_fine) in [
        (Some(Wire::Breaking), None, true),
        (None, Some(Wire::Breaking), false),
        (Some(Wire::Safe), Some(Wire::Breaking), false),
    ] {
        let options = Options {
            fail_on,
            fail_forward,
            ..forward()
        };
        assert_eq!(run(&workspace, &options).unwrap().0, is_fine);
    }
    // A hidden change fails no run.
    let options = Options {
        filter: Filter {
            paths: vec!["/books".to_owned()],
            ..Filter::default()
        },
        fail_forward: Some(Wire::Safe),
        ..forward()
    };
    assert!(run(&workspace, &options).unwrap().0);
}

#[test]
fn a_version_that_goes_back_is_no_line() {
    let versioned =
        |text: &str, version: &str| text.replace("version: '1'", &format!("version: {version}"));
    let workspace =
        committed(&versioned(&newer(), "1.1.0")).file("old.yaml", &versioned(OLD, "1.0.0"));
    let name = |path: &str| workspace.root().join(path).to_string_lossy().into_owned();
    let options = Options {
        documents: Some((name("old.yaml"), name("spec/openapi.yaml"))),
        ..forward()
    };
    let (_, text) = run(&workspace, &options).unwrap();
    assert!(!text.contains("the version"), "{text}");
}
