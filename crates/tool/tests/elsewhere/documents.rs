//! Documents: from standard input or a revision, and with Overlays.

use std::fs;
use std::process::Command;

use super::support::{DOCUMENT, Elsewhere, OVERLAY};

#[test]
fn an_overlay_of_any_tool_applies_and_is_an_input() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("a.yaml", DOCUMENT);
    elsewhere.write("o.yaml", OVERLAY);
    elsewhere.expect(
        &[
            "generate",
            "a.yaml",
            "--overlay",
            "o.yaml",
            "--output",
            "crate",
        ],
        0,
    );
    assert!(elsewhere.read("crate/Cargo.toml").contains("name = \"t\""));
    // The error names the file that breaks it.
    let broken = OVERLAY.replace("title: T", "x-rust-package: {nope: 1}");
    elsewhere.write("o.yaml", &broken);
    elsewhere.says(
        &["validate", "a.yaml", "--overlay", "o.yaml"],
        1,
        "o.yaml wrote it",
    );
    elsewhere.write("o.yaml", "overlay: 1.0.0\n");
    elsewhere.says(&["validate", "a.yaml", "--overlay", "o.yaml"], 1, "o.yaml");
}

#[test]
fn a_document_comes_from_a_path_standard_input_or_a_revision() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("a.yaml", DOCUMENT);
    elsewhere.git(&["init", "--quiet"]);
    elsewhere.commit();
    for document in ["a.yaml", "HEAD:a.yaml"] {
        elsewhere.expect(&["generate", document, "--output", "one"], 0);
    }
    let mut command = Command::new(&elsewhere.program);
    let command = command.args(["generate", "-", "--output", "two"]);
    let input = fs::File::open(elsewhere.home().join("a.yaml")).unwrap();
    let status = command.current_dir(elsewhere.home()).stdin(input).status();
    assert!(status.unwrap().success());
    let one = |path: &str| elsewhere.read(&format!("one/{path}"));
    assert_eq!(one("src/client.rs"), elsewhere.read("two/src/client.rs"));
    // No message contains the secret parts of an address.
    for address in [
        "https://a.example/b.yaml",
        "http://user:canary@a.example/b.yaml?key=canary",
    ] {
        let printed = elsewhere.expect(&["validate", address], 1);
        assert!(
            printed.contains("documents are read from files") && !printed.contains("canary"),
            "{printed}"
        );
    }
}
