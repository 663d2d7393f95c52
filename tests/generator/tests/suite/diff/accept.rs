//! Tests of changes that a team accepts.

use openapi_diff::command::{Format, Options};
use openapi_diff::{Accepted, Filter, Wire};
use serde_json::Value;

use super::command::{PLAIN, committed, new, run};
use crate::support::Workspace;

/// Returns options with a policy of a workspace, which fail on breaking changes.
fn under(workspace: &Workspace, accepted: Option<Accepted>) -> Options {
    let file = workspace.root().join("policy.yaml");
    Options {
        policy: Some(file.to_string_lossy().into_owned()),
        fail_on: Some(Wire::Breaking),
        accepted,
        ..PLAIN
    }
}

fn agreed(until: Option<&str>) -> Option<Accepted> {
    Some(Accepted {
        reason: "Agreed: with all".to_owned(),
        until: until.map(str::to_owned),
    })
}

#[test]
fn what_is_accepted_is_waived_in_the_next_run() {
    let workspace = committed(&new());
    let (fine, text) = run(&workspace, &under(&workspace, agreed(None))).unwrap();
    assert!(
        fine && text.contains("Waived GET /books: parameter `limit`"),
        "{text}"
    );
    let written = workspace.read("policy.yaml");
    assert_eq!(written.matches("fingerprint: ").count(), 2, "{written}");
    let (fine, next) = run(&workspace, &under(&workspace, None)).unwrap();
    assert!(fine, "{next}");
    assert_eq!(next, text);
    // Nothing is accepted twice.
    run(&workspace, &under(&workspace, agreed(None))).unwrap();
    assert_eq!(workspace.read("policy.yaml"), written);
    // Another breaking change is not covered.
    workspace.write(
        "spec/openapi.yaml",
        &new().replace("  /books:\n", "  /shelves:\n"),
    );
    let (fine, text) = run(&workspace, &under(&workspace, None)).unwrap();
    assert!(!fine && text.contains("the operation is gone"), "{text}");
}

#[test]
fn a_policy_keeps_its_text_and_comments() {
    let policy = "# Ours.\nstability: {}   # None yet\nwaivers:\n  # Old clients.\n  - {rule: schema.bound-*, at: GET /books, reason: Agreed}\n";
    for before in [policy, "# Nothing yet", ""] {
        let workspace = committed(&new()).file("policy.yaml", before);
        let (fine, text) = run(&workspace, &under(&workspace, agreed(None))).unwrap();
        assert!(fine, "{text}");
        let after = workspace.read("policy.yaml");
        assert!(after.starts_with(before.trim_end()), "{after}");
        assert!(after.contains("rule: schema.type-changed"), "{after}");
        assert!(run(&workspace, &under(&workspace, None)).unwrap().0);
    }
}

#[test]
fn what_is_accepted_ends_on_its_day() {
    let workspace = committed(&new());
    run(&workspace, &under(&workspace, agreed(Some("2030-01-31")))).unwrap();
    for (today, is_fine) in [("2030-01-31", true), ("2030-02-01", false)] {
        let options = Options {
            today: Some(today.to_owned()),
            ..under(&workspace, None)
        };
        assert_eq!(run(&workspace, &options).unwrap().0, is_fine);
    }
}

#[test]
fn what_a_policy_cannot_have_is_not_written() {
    let workspace = committed(&new());
    let empty = Accepted {
        reason: " ".to_owned(),
        until: None,
    };
    for (accepted, message) in [
        (agreed(Some("soon")), "`soon` is not a date"),
        (Some(empty), "the reason is empty"),
    ] {
        let error = run(&workspace, &under(&workspace, accepted)).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert!(!workspace.exists("policy.yaml"));
    }
    let options = Options {
        policy: Some("HEAD:policy.yaml".to_owned()),
        ..under(&workspace, agreed(None))
    };
    let error = run(&workspace, &options).unwrap_err();
    assert!(error.to_string().contains("this is not a file"), "{error}");
}

#[test]
fn of_a_shared_change_the_operations_that_are_shown_are_accepted() {
    let workspace = committed(&new());
    let put = Options {
        filter: Filter {
            operations: vec!["putBook".to_owned()],
            ..Filter::default()
        },
        ..under(&workspace, agreed(None))
    };
    assert!(run(&workspace, &put).unwrap().0);
    assert!(
        workspace
            .read("policy.yaml")
            .contains("at: PUT /books/{id}")
    );
    let options = Options {
        format: Format::Json,
        ..under(&workspace, None)
    };
    let (fine, text) = run(&workspace, &options).unwrap();
    let report: Value = serde_json::from_str(&text).unwrap();
    assert!(!fine, "{text}");
    let ids = |changes: &Value| -> Vec<String> {
        let changes = changes.as_array().unwrap().iter();
        changes.map(|one| one["id"].to_string()).collect()
    };
    assert!(ids(&report["changes"]).contains(&"\"schema.type-changed\"".to_owned()));
    assert_eq!(report["waived"].as_array().unwrap().len(), 1, "{text}");
}
