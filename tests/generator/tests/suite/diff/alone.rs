//! Tests of the comparison without a workspace.

use openapi_diff::Wire;
use openapi_diff::command::{Options, alone};
use openapi_document::finding::DocumentError;

use super::command::{OLD, PLAIN, new};
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
