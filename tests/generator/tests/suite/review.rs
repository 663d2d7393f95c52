//! `cargo xtask review` in a small workspace with the packages of the tests: it writes what differs, and nothing of a group that does not build.

use crate::support::{Workspace, repository, tool};

/// Tests of one package, in the file that `review` runs.
struct Group {
    package: &'static str,
    folder: &'static str,
    file: &'static str,
    tests: &'static str,
}

const GROUPS: [Group; 4] = [
    Group {
        package: "generator-tests",
        folder: "generator",
        file: "tests/suite.rs",
        tests: "
mod reference {
    #[test]
    fn a_fact_is_written() {
        reviewed_facts::assert_reviewed(\"written.txt\", Some(\"new\"));
    }
}
",
    },
    Group {
        package: "company-intel-sandbox",
        folder: "sandbox",
        file: "src/lib.rs",
        tests: "",
    },
    Group {
        package: "conformance-tests",
        folder: "conformance",
        file: "tests/conformance.rs",
        tests: "
struct Client;

mod payloads {
    #[test]
    fn nothing_is_written() {
        reviewed_facts::assert_reviewed(\"kept.txt\", Some(\"new\"));
        crate::Client.books();
    }
}
",
    },
    Group {
        package: "public-api-tests",
        folder: "public-api",
        file: "src/lib.rs",
        tests: "",
    },
];

fn workspace() -> Workspace {
    let facts = repository().join("tests/facts");
    let mut members = Vec::new();
    let mut workspace = Workspace::with("openapi: 3.0.3\n");
    for group in GROUPS {
        let (package, folder) = (group.package, format!("tests/{}", group.folder));
        let manifest = format!(
            "[package]\nname = \"{package}\"\nedition = \"2024\"\n[features]\ngate = []\n[dependencies]\nreviewed-facts = {{ path = {facts:?} }}\n"
        );
        workspace = workspace
            .file(&format!("{folder}/Cargo.toml"), &manifest)
            .file(&format!("{folder}/src/lib.rs"), "")
            .file(&format!("{folder}/{}", group.file), group.tests);
        members.push(folder);
    }
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
    workspace
        .file("Cargo.toml", &manifest)
        .file("tests/facts/reference.txt", "[operations]\n")
        .file("tests/facts/written.txt", "old")
        .file("tests/facts/kept.txt", "old")
}

#[test]
#[ignore = "builds a workspace: the gate does"]
fn review_writes_what_differs_and_nothing_of_a_group_that_does_not_build() {
    let workspace = workspace();
    let layout = tool::layout(workspace.root());
    let is_green = xtask::review(&layout, true, &mut Vec::new()).unwrap();
    assert!(!is_green);
    assert_eq!(workspace.read("tests/facts/written.txt"), "new");
    assert_eq!(workspace.read("tests/facts/kept.txt"), "old");
}
