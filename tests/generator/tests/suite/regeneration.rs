//! `regen` on disk: the files that it writes, deletes and leaves alone, and its messages.

use openapi_crate::install::STAGING;
use xtask::{regen, test_documents};

use crate::support::Workspace;
use crate::update::{DOCUMENT, SIZE};

/// The header of a file that a command wrote.
fn ours() -> String {
    format!(
        "// {}\n",
        client_generator::emit::mark("openapi-crate generate")
    )
}

#[test]
fn regenerating_twice_changes_nothing() {
    let workspace = Workspace::with(DOCUMENT).file("overrides/assumed/size.yaml", SIZE);
    let (_, first) = workspace.regen(false);
    assert!(
        first.contains("       Wrote generated/src/types.rs"),
        "{first}"
    );
    let types = workspace.root().join("generated/src/types.rs");
    let written = std::fs::metadata(&types).unwrap().modified().unwrap();
    let (fresh, second) = workspace.regen(false);
    assert!(fresh);
    assert!(!second.contains("Wrote"), "{second}");
    assert_eq!(
        std::fs::metadata(&types).unwrap().modified().unwrap(),
        written
    );
    assert!(workspace.regen(true).0);
}

#[test]
fn check_names_every_stale_missing_and_stray_file_and_writes_nothing() {
    let workspace = Workspace::with(DOCUMENT);
    workspace.regen(false);
    workspace.write("generated/src/types.rs", &(ours() + "// edited\n"));
    workspace.write("generated/src/left_over.rs", &ours());
    std::fs::remove_file(workspace.root().join("generated/README.md")).unwrap();

    let (fresh, output) = workspace.regen(true);
    assert!(!fresh);
    for line in [
        "       Stale generated/src/types.rs\n",
        "     Missing generated/README.md\n",
        "       Stray generated/src/left_over.rs\n",
        "openapi-crate generate",
    ] {
        assert!(output.contains(line), "{line}: {output}");
    }
    assert!(!workspace.exists("generated/README.md"));
    assert!(workspace.exists("generated/src/left_over.rs"));

    let (fresh, output) = workspace.regen(false);
    assert!(fresh, "{output}");
    assert!(
        output.contains("     Deleted generated/src/left_over.rs\n"),
        "{output}"
    );
    assert!(!workspace.exists("generated/src/left_over.rs"));
    assert!(workspace.regen(true).0);
}

#[test]
fn a_file_without_our_header_is_never_deleted() {
    let workspace = Workspace::with(DOCUMENT);
    workspace.regen(false);
    workspace.write("generated/notes.md", "mine");
    let (_, output) = workspace.regen(false);
    assert!(output.contains("Foreign generated/notes.md"), "{output}");
    assert_eq!(workspace.read("generated/notes.md"), "mine");
    assert!(
        !workspace.regen(true).0,
        "a foreign file must not pass unnoticed"
    );
}

#[test]
fn a_crate_has_the_licences_that_its_publisher_puts_into_it() {
    let workspace = Workspace::with(DOCUMENT);
    workspace.regen(false);
    workspace.write("generated/LICENSE-MIT", "mine");
    let (fresh, output) = workspace.regen(true);
    assert!(fresh, "{output}");
    assert_eq!(workspace.read("generated/LICENSE-MIT"), "mine");
}

#[test]
fn an_interrupted_run_is_completed_by_the_next() {
    let workspace = Workspace::with(DOCUMENT);
    workspace.regen(false);
    let types = workspace.read("generated/src/types.rs");
    // As after a crash between staging and renaming.
    workspace.write(&format!("{STAGING}/generated/src/types.rs"), "half a fi");
    std::fs::remove_file(workspace.root().join("generated/src/types.rs")).unwrap();
    assert!(workspace.regen(false).0);
    assert_eq!(workspace.read("generated/src/types.rs"), types);
    assert!(!workspace.exists(STAGING));
}

#[test]
fn line_ends_of_a_checkout_do_not_count_as_a_change() {
    let workspace = Workspace::with(DOCUMENT);
    workspace.regen(false);
    workspace.write("spec/openapi.yaml", &DOCUMENT.replace('\n', "\r\n"));
    let (fresh, output) = workspace.regen(true);
    assert!(fresh, "{output}");
}

#[test]
fn each_folder_of_test_documents_gets_a_client_and_is_checked() {
    let workspace = Workspace::with(DOCUMENT)
        .file("tests/documents/large/openapi.yaml", DOCUMENT)
        .file("tests/documents/large/overrides/assumed/size.yaml", SIZE)
        .file("tests/documents/bare/openapi.yaml", DOCUMENT)
        .file("tests/documents/.cache/notes", "of an editor")
        .file("tests/documents/README.md", "of people");
    let run = |check| {
        let mut out = Vec::new();
        let fresh = regen(&workspace.layout(), check, &mut out).unwrap();
        (fresh, String::from_utf8(out).unwrap())
    };
    let documents = test_documents(&workspace.layout()).unwrap();
    let documents: Vec<&str> = documents
        .iter()
        .map(|layout| layout.document.as_str())
        .collect();
    assert_eq!(
        documents,
        [
            "tests/documents/bare/openapi.yaml",
            "tests/documents/large/openapi.yaml"
        ]
    );
    assert!(!run(true).0);
    assert!(!workspace.exists("tests/documents/bare/client"));

    let (fresh, output) = run(false);
    assert!(fresh, "{output}");
    let types = |client: &str| workspace.read(&format!("{client}/src/types.rs"));
    assert_eq!(types("tests/documents/bare/client"), types("generated"));
    assert!(types("tests/documents/large/client").contains("pub size: "));
    let (fresh, output) = run(true);
    assert!(fresh, "{output}");

    // A stale crate does not hide the others, nor does a later fresh one.
    let stale = "tests/documents/bare/client/src/types.rs";
    workspace.write(stale, &ours());
    let (fresh, output) = run(true);
    assert!(!fresh);
    for line in [
        &format!("Stale {stale}\n"),
        "Fresh tests/documents/large/client",
    ] {
        assert!(output.contains(&format!("       {line}")), "{output}");
    }
}
