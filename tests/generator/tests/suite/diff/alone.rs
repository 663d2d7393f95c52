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
    };
    log(&options, &mut out)?;
    Ok(String::from_utf8(out).unwrap())
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
