//! The comparison without a workspace, and over a range of revisions.

use xtask::commands::diff::{Log, Options, alone, log};
use xtask::diff::{Filter, Wire};
use xtask::finding::Stop;

use super::command::{OLD, PLAIN, committed, new};
use crate::support::Workspace;

fn compared(options: &Options) -> anyhow::Result<(bool, String)> {
    let mut out = Vec::new();
    let fine = alone(options, &mut out)?;
    Ok((fine, String::from_utf8(out).unwrap()))
}

#[test]
fn two_documents_are_all_that_is_needed() {
    let workspace = Workspace::new()
        .file("old.yaml", OLD)
        .file("new.yaml", &new());
    let name = |path: &str| workspace.root().join(path).to_string_lossy().into_owned();
    let options = Options {
        documents: Some((name("old.yaml"), name("new.yaml"))),
        fail_on: Some(Wire::Breaking),
        ..PLAIN
    };
    let (fine, text) = compared(&options).unwrap();
    assert!(!fine);
    assert!(text.contains("Wire breaking: 2 breaking, 2 safe"), "{text}");
    assert!(!text.contains("Rust"), "{text}");
    let error = compared(&PLAIN).unwrap_err();
    assert!(error.downcast_ref::<Stop>().is_some(), "{error}");
    let input = || "-".to_owned();
    let error = compared(&Options {
        documents: Some((input(), input())),
        ..PLAIN
    });
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("standard input cannot be both documents"),
        "{error}"
    );
}

/// A repository with three commits of the document; the second has none that can be compared.
fn repository() -> Workspace {
    let workspace = committed(OLD);
    let commit = |text: &str, subject: &str| {
        workspace.write("spec/openapi.yaml", text);
        let author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
        let commit = ["commit", "--quiet", "--all", "--message", subject];
        workspace.git(&[author.as_slice(), commit.as_slice()].concat());
    };
    commit("swagger: '2.0'\n", "A mistake");
    commit(&new(), "Fewer books at once");
    workspace
}

fn logged(workspace: &Workspace, range: &str) -> anyhow::Result<String> {
    let mut out = Vec::new();
    let options = Log {
        root: workspace.root().to_owned(),
        range: range.to_owned(),
        document: "spec/openapi.yaml".to_owned(),
        filter: Filter::default(),
        fail_on: None,
    };
    assert!(log(&options, &mut out)?);
    for (limit, is_fine) in [(Wire::Breaking, false), (Wire::Safe, false)] {
        let options = Log {
            fail_on: Some(limit),
            ..options.clone()
        };
        assert_eq!(log(&options, &mut Vec::new())?, is_fine);
    }
    let options = Log {
        filter: Filter {
            paths: vec!["/pens".to_owned()],
            ..Filter::default()
        },
        ..options
    };
    let mut other = Vec::new();
    assert!(!log(&options, &mut other)?);
    let other = String::from_utf8(other).unwrap();
    assert!(other.contains("--path /pens"), "{other}");
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn a_commit_of_a_file_that_the_document_refers_to_has_an_entry() {
    let referring = OLD.replace("'#/components/schemas/Book'", "../shared/book.yaml");
    let book = |kind: &str| format!("type: object\nproperties:\n  title: {{type: {kind}}}\n");
    let workspace = committed(&referring);
    let commit = |subject: &str| {
        let author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
        let commit = ["commit", "--quiet", "--message", subject];
        workspace.git(&["add", "."]);
        workspace.git(&[author.as_slice(), commit.as_slice()].concat());
    };
    workspace.write("shared/book.yaml", &book("string"));
    commit("The book is elsewhere");
    workspace.write("shared/other.yaml", "unused");
    commit("Another file");
    workspace.write("shared/book.yaml", &book("integer"));
    commit("Titles are numbers");
    let text = logged(&workspace, "HEAD~3..").unwrap();
    assert!(text.contains("Titles are numbers"), "{text}");
    assert!(
        text.contains("the type changed from string to integer"),
        "{text}"
    );
    assert!(!text.contains("Another file"), "{text}");
}

#[test]
fn a_changelog_has_an_entry_for_each_commit_that_changed_the_document() {
    let text = logged(&repository(), "HEAD~2..").unwrap();
    let entries: Vec<&str> = text.split("\n## ").skip(1).collect();
    let [mistake, fewer] = entries.as_slice() else {
        panic!("{text}");
    };
    assert!(mistake.contains("A mistake"), "{text}");
    assert!(
        mistake.contains("- not compared: this is a Swagger 2.0 document"),
        "{text}"
    );
    assert!(fewer.contains("Fewer books at once ("), "{text}");
    assert!(
        fewer.contains(
            "\n\nBreaking:\n\n- GET /books: parameter `limit`: `maximum` changed from 100 to 50\n"
        ),
        "{text}"
    );
    assert!(
        fewer.contains("Compatible:\n\n- schema Book: the optional property `genre` is new"),
        "{text}"
    );
}

#[test]
fn a_range_that_git_does_not_know_is_refused() {
    for range in ["HEAD", "..HEAD", "HEAD..nothing", "--all..HEAD"] {
        let error = logged(&repository(), range).unwrap_err();
        assert!(
            matches!(error.downcast_ref(), Some(Stop::Unreadable(_))),
            "{range}: {error}"
        );
    }
}
