//! The file `openapi-crate.toml`: found, read, and its mistakes with a place.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::support::{DOCUMENT, Elsewhere, files, of_the_repository};

#[test]
fn a_command_without_its_file_says_what_it_looked_for_and_changes_nothing() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("some/folder/new.yaml", DOCUMENT);
    let before = (of_the_repository(), files(&elsewhere.home()));
    for arguments in [
        &["generate"][..],
        &["check"],
        &["validate"],
        &["update", "new.yaml"],
        &["diff"],
        &["overrides", "list"],
        &["overrides", "check"],
        &["overrides", "guard"],
        &["overrides", "rebase", "--document", "new.yaml"],
        &["overrides", "new", "upstream/a", "--target", "$.info"],
    ] {
        let printed = elsewhere.run("some/folder", arguments);
        assert_eq!(printed.code, 2, "{arguments:?}: {}", printed.text);
        assert!(
            printed.text.contains("error[no-config]"),
            "{arguments:?}: {}",
            printed.text
        );
        assert!(
            printed.text.contains("openapi-crate.toml"),
            "{}",
            printed.text
        );
        assert!(printed.text.contains("some/folder"), "{}", printed.text);
    }
    let after = (of_the_repository(), files(&elsewhere.home()));
    assert!(before == after, "a command wrote something");
}

#[test]
fn errors_in_the_file_have_a_place() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("a.yaml", DOCUMENT);
    elsewhere.write("old/core/Cargo.toml", "[package]\nversion = \"0.0.9\"\n");
    let good = "[crates.small]\ndocument = \"a.yaml\"\noutput = \"client\"\n";
    let crates = |more: &str| format!("{good}{more}");
    for (text, place, message) in [
        (
            crates("outptu = \"b\"\n"),
            "openapi-crate.toml:4:1",
            "unknown field `outptu`",
        ),
        (
            crates("runtime = \"elsewhere\"\n"),
            "openapi-crate.toml:4:11",
            "`runtime` is \"registry\"",
        ),
        (
            crates("[crates.small.package]\nname = \"b\"\n"),
            "openapi-crate.toml:5:1",
            "that of its table",
        ),
        (
            crates("overlays = [\"gone.yaml\"]\n"),
            "openapi-crate.toml:4:13",
            "there is no gone.yaml",
        ),
        (
            good.replace("client", "../out"),
            "openapi-crate.toml:3:10",
            "not a path below the folder",
        ),
        (
            good.replace("crates.small", "crates.\"Not a name\""),
            "openapi-crate.toml:1:9",
            "cannot be the name of a crate",
        ),
        (
            crates("[crates.other]\ndocument = \"a.yaml\"\noutput = \"client/other\"\n"),
            "openapi-crate.toml:3:10",
            "a folder of this crate clashes with one of the crate",
        ),
        (
            crates(
                "[crates.other]\ndocument = \"a.yaml\"\noutput = \"other\"\noverrides = \"old\"\n",
            )
            .replace("\"client\"\n", "\"client\"\noverrides = \"old\"\n"),
            "openapi-crate.toml:3:10",
            "a folder of this crate clashes with one of the crate `other`",
        ),
        (
            crates("runtime = {path = \"old\"}\n"),
            "openapi-crate.toml:4:11",
            "the runtime has the version 0.0.9, and crates are made for",
        ),
        (
            crates("runtime = {path = \"gone\"}\n"),
            "openapi-crate.toml:4:11",
            "there is no runtime",
        ),
        (String::new(), "openapi-crate.toml", "the file has no crate"),
        (
            "crates = 1".to_owned(),
            "openapi-crate.toml:1:10",
            "expected a map",
        ),
    ] {
        elsewhere.write("openapi-crate.toml", &text);
        let printed = elsewhere.expect(&["generate"], 2);
        assert!(
            printed.contains(place) && printed.contains(message),
            "{text}\n{printed}"
        );
        assert!(!elsewhere.home().join("client").exists(), "{text}");
    }
    // An unknown member of the package, and a file in the way.
    elsewhere.write(
        "openapi-crate.toml",
        &crates("[crates.small.package]\nversoin = \"1.0.0\"\n"),
    );
    let printed = elsewhere.expect(&["generate"], 1);
    assert!(printed.contains("did you mean `version`?"), "{printed}");
    assert!(printed.contains("openapi-crate.toml wrote it"), "{printed}");
    elsewhere.write("openapi-crate.toml", good);
    elsewhere.write("client/README.md", "mine");
    elsewhere.says(&["generate"], 1, "error[foreign-file]");
    assert_eq!(files(&elsewhere.home().join("client")).len(), 1);
}

#[test]
fn init_writes_a_file_where_it_is_told_and_for_crates_that_generate_writes() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("in/api.yaml", DOCUMENT);
    let wrong = DOCUMENT.replace("'1'", "'1', x-rust-package: {publish: 1}");
    elsewhere.write("in/wrong.yaml", &wrong);
    let run = |command: &[&str], code: i32| {
        elsewhere.expect(&[command, &["--config", "in/crates.toml"]].concat(), code)
    };
    elsewhere.write("in/client/README.md", "mine");
    for document in ["wrong.yaml", "api.yaml"] {
        run(&["init", document, "--output", "client"], 1);
    }
    assert!(!elsewhere.home().join("in/crates.toml").exists());
    run(&["init", "api.yaml", "--output", "small"], 0);
    assert_eq!(elsewhere.read("in/.gitignore"), "target/\n");
    let text = elsewhere.read("in/crates.toml");
    assert!(text.contains("runtime = \"vendored\""), "{text}");
    // What the tool and cargo write beside the crate is accepted.
    elsewhere.write(
        "in/crates.toml",
        &text.replace("runtime", "strict = true\nruntime"),
    );
    run(&["generate"], 0);
    elsewhere.write("in/small/Cargo.lock", "");
    elsewhere.read("in/small/CHANGELOG.md");
    run(&["check"], 0);
    elsewhere.write("in/small/mine.rs", "");
    let printed = run(&["check"], 1);
    assert!(printed.contains("Foreign small/mine.rs"), "{printed}");
}

/// The table of the page names every key of a crate that the program reads, and no other.
#[test]
fn the_page_lists_what_the_file_may_say() {
    let elsewhere = Elsewhere::new();
    let keys = |text: &str| -> BTreeSet<String> {
        elsewhere.write("openapi-crate.toml", text);
        let printed = elsewhere.expect(&["check"], 2);
        let (_, expected) = printed.split_once("expected ").unwrap();
        let expected = expected.lines().next().unwrap();
        let quoted = expected.split('`').skip(1).step_by(2);
        quoted.map(str::to_owned).collect()
    };
    let mut read = keys("[crates.small]\nunknown = 1\n");
    read.extend(keys("unknown = 1\n"));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/your-own-api.md");
    let page = fs::read_to_string(page).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let listed = rows
        .filter_map(|row| row.split_once('`'))
        .map(|(key, _)| key.to_owned());
    let listed: BTreeSet<String> = listed
        .map(|key| key.replace("crates.NAME", "crates"))
        .collect();
    assert_eq!(listed, read);
}
