//! The same report from several sides: grouped, filtered, and for other programs.

use serde_json::Value;
use xtask::commands::diff::{Format, Options};
use xtask::diff::{Filter, View, Wire};

use super::command::{OLD, PLAIN, committed, new, run};

/// What is printed of the document that [`new`] has.
fn printed(options: &Options) -> String {
    run(&committed(&new()), options).unwrap().1
}

fn filtered(filter: Filter) -> String {
    printed(&Options { filter, ..PLAIN })
}

fn formatted(format: Format) -> String {
    printed(&Options {
        format,
        wire_only: false,
        view: View::Operation,
        ..PLAIN
    })
}

#[test]
fn a_view_by_operation_says_what_a_call_does_now() {
    insta::assert_snapshot!(formatted(Format::Text(false)));
}

#[test]
fn a_view_by_severity_has_a_heading_for_each_verdict() {
    let text = printed(&Options {
        view: View::Severity,
        ..PLAIN
    });
    assert!(text.starts_with("breaking\n"), "{text}");
    assert!(text.contains("\nsafe\n"), "{text}");
}

#[test]
fn a_summary_is_one_line() {
    let summary = Options {
        summary: true,
        ..PLAIN
    };
    assert_eq!(printed(&summary), "breaking: 2 breaking, 2 safe\n");
    let same = run(&committed(OLD), &summary).unwrap().1;
    assert_eq!(same, "nothing changes on the wire\n");
}

#[test]
fn filters_choose_changes_by_what_they_reach() {
    let paths = |path: &str| {
        filtered(Filter {
            paths: vec![path.to_owned()],
            ..Filter::default()
        })
    };
    assert!(paths("/books").contains("`maximum` changed"));
    assert!(!paths("/books/{id}").contains("`maximum` changed"));
    assert!(paths("/books/{id}").contains("the type changed"));
    assert!(paths("/book").contains("nothing changes on the wire"));
    for operation in ["putBook", "PUT /books/{id}"] {
        let text = filtered(Filter {
            operations: vec![operation.to_owned()],
            ..Filter::default()
        });
        assert!(!text.contains("`maximum` changed"), "{text}");
        assert!(text.contains("reaches PUT /books/{id}\n"), "{text}");
    }
    let text = filtered(Filter {
        only: Some(Wire::Breaking),
        ..Filter::default()
    });
    assert!(text.contains("Wire breaking: 2 breaking\n"), "{text}");
    let text = filtered(Filter {
        tags: vec!["none".to_owned()],
        ..Filter::default()
    });
    assert!(text.contains("nothing changes on the wire"), "{text}");
}

#[test]
fn what_a_filter_hides_fails_no_run() {
    let options = Options {
        filter: Filter {
            paths: vec!["/other".to_owned()],
            ..Filter::default()
        },
        fail_on: Some(Wire::Safe),
        ..PLAIN
    };
    assert!(run(&committed(&new()), &options).unwrap().0);
}

#[test]
fn a_page_for_a_browser() {
    insta::assert_snapshot!(formatted(Format::Html));
}

#[test]
fn annotations_of_a_workflow() {
    insta::assert_snapshot!(formatted(Format::Github));
}

#[test]
fn results_of_tests() {
    insta::assert_snapshot!(formatted(Format::Junit));
}

#[test]
fn results_of_static_analysis() {
    let text = formatted(Format::Sarif);
    insta::assert_snapshot!(text);
    let sarif: Value = serde_json::from_str(&text).unwrap();
    let run = &sarif["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let results = run["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]));
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert!(region["startLine"].as_u64() > Some(0), "{result}");
    }
}

#[test]
fn markdown_fits_into_a_comment() {
    let properties = |kind: &str| -> String {
        let line = |number| format!("        p{number}: {{type: {kind}}}\n");
        (0..3000).map(line).collect()
    };
    let with = |kind: &str| OLD.to_owned() + &properties(kind);
    let workspace = committed(&with("string"));
    let old = workspace.root().join("old.yaml");
    std::fs::write(&old, with("integer")).unwrap();
    let here = workspace.root().join("spec/openapi.yaml");
    let name = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let options = Options {
        documents: Some((name(&old), name(&here))),
        format: Format::Markdown,
        ..PLAIN
    };
    let text = run(&workspace, &options).unwrap().1;
    assert!(text.len() <= 65_536, "{}", text.len());
    assert!(text.contains("3000 breaking changes"), "{text}");
    assert!(!text.contains("| Rust |"), "{text}");
}
