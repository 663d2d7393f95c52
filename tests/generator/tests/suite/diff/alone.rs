//! Tests of the comparison without a workspace, and over a range of revisions.

use openapi_diff::command::{Log, Options, alone, log};
use openapi_diff::{Filter, Wire};
use openapi_document::finding::DocumentError;
use openapi_document::source::Root;

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
    assert!(error.downcast_ref::<DocumentError>().is_some(), "{error}");
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

/// Creates a repository with three commits of the document; the second one cannot be compared.
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
        files: Root::Option(Some(workspace.root().to_owned())),
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

/// Commits all files.
fn commit(workspace: &Workspace, subject: &str) {
    let author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    let commit = ["commit", "--quiet", "--message", subject];
    workspace.git(&["add", "."]);
    workspace.git(&[author.as_slice(), commit.as_slice()].concat());
}

/// Creates a repository with a commit for each of these documents after [`OLD`].
fn history(documents: &[&str]) -> Workspace {
    let workspace = committed(OLD);
    for (number, text) in documents.iter().enumerate() {
        workspace.write("spec/openapi.yaml", text);
        commit(&workspace, &format!("Number {number}"));
    }
    workspace
}

/// Returns whether the changelog of these commits passes, and its output.
fn filtered(workspace: &Workspace, commits: usize, filter: Filter) -> (bool, String) {
    let mut out = Vec::new();
    let options = Log {
        root: workspace.root().to_owned(),
        files: Root::Option(Some(workspace.root().to_owned())),
        range: format!("HEAD~{commits}.."),
        document: "spec/openapi.yaml".to_owned(),
        filter,
        fail_on: Some(Wire::Breaking),
    };
    let is_fine = log(&options, &mut out).unwrap();
    (is_fine, String::from_utf8(out).unwrap())
}

#[test]
fn a_changelog_is_fine_where_its_last_document_is_compared_and_all_references_are_followed() {
    let more = format!("{OLD}# More\n");
    let broken = OLD.replace("'#/components/schemas/Book'", "missing.yaml");
    let other = "swagger: '2.0'\n";
    for (documents, is_fine, said) in [
        ([other, &more], true, "not compared"),
        ([&more, other], false, "not compared"),
        ([&more, &broken], false, "`missing.yaml` names no file"),
        ([&broken, &more], false, "`missing.yaml` names no file"),
    ] {
        let (found, text) = filtered(&history(&documents), 2, Filter::default());
        assert_eq!(found, is_fine, "{text}");
        assert!(text.contains(said), "{text}");
    }
}

#[test]
fn a_changelog_knows_an_operation_by_what_any_of_its_commits_call_it() {
    let tagged = OLD.replace(
        "operationId: putBook",
        "operationId: storeBook\n      tags: [books]",
    );
    let renamed = OLD
        .replace("/books/{id}", "/books/{isbn}")
        .replace("name: id", "name: isbn");
    let pages = |text: &str, kind: &str| {
        text.replace(
            "pages: {type: integer}",
            &format!("pages: {{type: {kind}}}"),
        )
    };
    let texts = pages(OLD, "string");
    let flags = pages(&renamed, "boolean");
    let workspace = history(&[&tagged, &texts, &renamed, &flags]);
    for filter in [
        Filter {
            tags: vec!["books".to_owned()],
            ..Filter::default()
        },
        Filter {
            operations: vec!["storeBook".to_owned()],
            ..Filter::default()
        },
        Filter {
            paths: vec!["/books/{id}".to_owned()],
            ..Filter::default()
        },
        Filter {
            paths: vec!["/books/{isbn}".to_owned()],
            ..Filter::default()
        },
    ] {
        let (is_fine, text) = filtered(&workspace, 4, filter.clone());
        assert!(
            !is_fine && !text.contains("no operation"),
            "{filter:?}: {text}"
        );
        for change in ["from integer to string", "from integer to boolean"] {
            assert!(text.contains(change), "{filter:?}: {text}");
        }
    }
}

#[test]
fn a_commit_of_a_file_that_the_document_refers_to_has_an_entry() {
    let referring = OLD.replace("'#/components/schemas/Book'", "../shared/book.yaml");
    let book = |kind: &str| format!("type: object\nproperties:\n  title: {{type: {kind}}}\n");
    let workspace = committed(OLD);
    workspace.write("spec/openapi.yaml", &referring);
    workspace.write("shared/book.yaml", &book("string"));
    commit(&workspace, "The book is elsewhere");
    workspace.write("shared/other.yaml", "unused");
    commit(&workspace, "Another file");
    workspace.write("shared/book.yaml", &book("integer"));
    commit(&workspace, "Titles are numbers");
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
            matches!(error.downcast_ref(), Some(DocumentError::Unreadable(_))),
            "{range}: {error}"
        );
    }
}
