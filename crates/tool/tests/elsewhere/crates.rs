//! Crates of the file: generated, updated, chosen and kept in their folders.

use std::fs;

use serde_json::Value;

use super::support::{DOCUMENT, Elsewhere, OVERLAY, files, of_the_repository};

/// Runs a crate's life in a separate repository.
#[test]
fn a_document_becomes_a_crate_that_follows_it() {
    let elsewhere = Elsewhere::new();
    let before = of_the_repository();
    elsewhere.write("api.yaml", DOCUMENT);
    elsewhere.write(
        "next/api.yaml",
        &DOCUMENT
            .replace("/things:", "/items:")
            .replace("'1'", "'2'"),
    );
    elsewhere.git(&["init", "--quiet"]);
    elsewhere.expect(&["init", "api.yaml", "--output", "client"], 0);
    let config = elsewhere.read("openapi-crate.toml");
    // What the size of this document has chosen.
    for choice in ["handles = \"none\"\n", "features = \"none\"\n"] {
        assert!(config.contains(choice), "{config}");
    }
    let config = config.replace("runtime =", "overlays = [\"title.yaml\"]\nruntime =");
    elsewhere.write("openapi-crate.toml", &(config + "license = \"MIT\"\n"));
    elsewhere.write("title.yaml", OVERLAY);
    elsewhere.expect(&["check"], 1);
    elsewhere.says(&["generate"], 0, "client/CHANGELOG.md, which is yours now");
    // A file that a person adds stays, and is not reported.
    elsewhere.write("client/tests/mine.rs", "");
    elsewhere.commit();
    elsewhere.says(&["check"], 0, "Fresh client");

    // The document is replaced by hand: stale.
    let first = elsewhere.read("api.yaml");
    elsewhere.write("api.yaml", &elsewhere.read("next/api.yaml"));
    let printed = elsewhere.expect(&["check"], 1);
    assert!(printed.contains("Stale client/src"), "{printed}");
    assert!(
        printed.contains("run `openapi-crate generate`"),
        "{printed}"
    );
    elsewhere.write("api.yaml", &first);

    // A document that breaks callers: the version in the file follows, and the changelog.
    elsewhere.says(&["update", "next/api.yaml"], 0, "0.1.0 to 0.2.0");
    let config = elsewhere.read("openapi-crate.toml");
    assert!(config.contains("version = \"0.2.0\""), "{config}");
    assert!(
        elsewhere
            .read("client/Cargo.toml")
            .contains("version = \"0.2.0\"")
    );
    let manifest = elsewhere.read("client/Cargo.toml");
    assert!(manifest.contains("license = \"MIT\""), "{manifest}");
    assert!(
        manifest.contains("description = \"Typed client for T\""),
        "{manifest}"
    );
    let changelog = elsewhere.read("client/CHANGELOG.md");
    assert!(changelog.contains("0.2.0"), "{changelog}");
    assert!(elsewhere.read("api.yaml").contains("/items:"));
    elsewhere.says(&["update", "next/api.yaml"], 0, "is unchanged");
    elsewhere.commit();
    elsewhere.expect(&["check"], 0);
    assert!(before == of_the_repository(), "the repository changed");
}

#[test]
#[ignore = "the gate runs it: it makes several crates"]
fn several_crates_share_a_file_and_one_is_chosen() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("some/folder/one.yaml", DOCUMENT);
    elsewhere.write("two.yaml", &DOCUMENT.replace("Small", "Large"));
    let config = "[crates.one]\ndocument = \"some/folder/one.yaml\"\noutput = \"clients/one\"\n\
         [crates.two]\ndocument = \"two.yaml\"\noutput = \"clients/two\"\n";
    elsewhere.write("openapi-crate.toml", config);
    let printed = elsewhere.run("some/folder", &["generate"]);
    assert_eq!(printed.code, 0, "{}", printed.text);
    for name in ["one", "two"] {
        let manifest = elsewhere.read(&format!("clients/{name}/Cargo.toml"));
        assert!(
            manifest.contains(&format!("name = \"{name}\"")),
            "{manifest}"
        );
    }
    elsewhere.says(
        &["update", "two.yaml"],
        2,
        "choose one with `--crate`: one, two",
    );
    elsewhere.says(
        &["update", "two.yaml", "--crate", "twoo"],
        2,
        "did you mean `two`?",
    );
    elsewhere.expect(&["check", "--crate", "one"], 0);
    // The file by its name alone, and from another folder.
    elsewhere.expect(&["check", "--config", "openapi-crate.toml"], 0);
    let printed = elsewhere.run(
        "some/folder",
        &["check", "--config", "../../openapi-crate.toml"],
    );
    assert_eq!(printed.code, 0, "{}", printed.text);
}

/// An override of the second of two crates.
const OVERRIDE: &str = r#"overlay: 1.1.0
info: {title: Things are called items, version: 1.0.0}
x-override: {published: Things., observed: Items., reference: "1", retire-when: The id is another one.}
actions:
  - target: $.paths['/things'].get
    x-expect:
      operationId: things
    update:
      x-rust-name: items
"#;

#[test]
#[ignore = "the gate runs it: it makes several crates"]
fn an_update_of_one_of_two_crates_prints_commands_that_work_and_leaves_the_other() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("one.yaml", DOCUMENT);
    elsewhere.write("two.yaml", DOCUMENT);
    elsewhere.write("next.yaml", &DOCUMENT.replace("things,", "stuff,"));
    elsewhere.write("overrides/two/assumed/items.yaml", OVERRIDE);
    let package = "version = \"0.1.0\"\n";
    let config = format!(
        "[crates.one]\ndocument = \"one.yaml\"\noutput = \"one\"\n[crates.one.package]\n{package}\
         [crates.two]\ndocument = \"two.yaml\"\noutput = \"two\"\n[crates.two.package]\n{package}"
    );
    elsewhere.write("openapi-crate.toml", &config);
    elsewhere.git(&["init", "--quiet"]);
    elsewhere.expect(&["generate"], 0);
    elsewhere.commit();
    let before = files(&elsewhere.home().join("one"));
    let printed = elsewhere.expect(&["update", "next.yaml", "--crate", "two"], 1);
    let guard = "--crate two overrides guard items --document next.yaml";
    assert!(
        printed.contains(&format!("`openapi-crate {guard}`")),
        "{printed}"
    );
    elsewhere.expect(&guard.split(' ').collect::<Vec<_>>(), 0);
    elsewhere.commit();
    elsewhere.says(&["update", "next.yaml", "--crate", "two"], 0, "two/");
    elsewhere.expect(&["check"], 0);
    assert!(before == files(&elsewhere.home().join("one")));
    elsewhere.says(
        &["update", "next.yaml", "--crate", "two"],
        0,
        "is unchanged",
    );
}

#[test]
#[ignore = "the gate runs it: it makes several crates"]
fn a_crate_stays_in_a_folder_of_its_own() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("in/a.yaml", DOCUMENT);
    elsewhere.write("in/some/file", "");
    let config = |output: &str| {
        let crates = format!("[crates.one]\ndocument = \"a.yaml\"\noutput = \"{output}\"\n");
        elsewhere.write("in/openapi-crate.toml", &crates);
    };
    config("client");
    let run = |folder: &str, arguments: &[&str], code: i32| {
        let printed = elsewhere.run(folder, arguments);
        assert_eq!(printed.code, code, "{arguments:?}: {}", printed.text);
        printed.text
    };
    run("in", &["generate"], 0);
    let before = files(&elsewhere.home());
    let config_of = ["check", "--config", "../openapi-crate.toml"];
    run("in/some", &config_of, 0);
    // The file says where its crates are.
    let printed = run("in", &["generate", "--output", "other"], 2);
    assert!(printed.contains("<DOCUMENT>"), "{printed}");
    assert!(before == files(&elsewhere.home()), "something was written");
    // No file has a version.
    elsewhere.write("next.yaml", &DOCUMENT.replace("/things:", "/items:"));
    elsewhere.git(&["init", "--quiet"]);
    elsewhere.commit();
    let printed = run("in", &["update", "../next.yaml"], 1);
    assert!(
        printed.contains("no file declares the version of the package"),
        "{printed}"
    );
    assert!(printed.contains("[crates.one.package]"), "{printed}");
    // Two names of one folder, and a link that leads out.
    let twice = "[crates.one]\ndocument = \"a.yaml\"\noutput = \"s/./o\"\n[crates.two]\ndocument = \"a.yaml\"\noutput = \"s/o\"\n";
    elsewhere.write("in/openapi-crate.toml", twice);
    assert!(run("in", &["generate"], 2).contains("clashes with"));
    #[cfg(unix)]
    {
        fs::create_dir_all(elsewhere.home().join("outside")).unwrap();
        std::os::unix::fs::symlink("../outside", elsewhere.home().join("in/link")).unwrap();
        config("link/client");
        let printed = run("in", &["generate"], 2);
        assert!(
            printed.contains("out of the folder of the file"),
            "{printed}"
        );
        // A link of a person in the folder of the crate is no file of it.
        std::os::unix::fs::symlink("gone", elsewhere.home().join("in/client/mine")).unwrap();
        config("client");
        run("in", &["check"], 0);
    }
}

#[test]
#[ignore = "the gate runs it: it makes several crates"]
fn programs_read_json_of_each_crate() {
    let elsewhere = Elsewhere::new();
    elsewhere.write(
        "a.yaml",
        &DOCUMENT.replace("{description: None.}", "{$ref: '#/gone'}"),
    );
    elsewhere.expect(&["init", "a.yaml", "--output", "client"], 0);
    let json = |arguments: &[&str], code| -> Value {
        let printed = elsewhere.expect(arguments, code);
        let line = printed.lines().find(|line| line.starts_with('{')).unwrap();
        serde_json::from_str(line).unwrap()
    };
    let stale = json(&["check", "--json"], 1);
    assert_eq!(stale["fresh"], false);
    assert_eq!(stale["files"]["Missing"][0], "client/Cargo.toml");
    let made = json(&["generate", "--json"], 0);
    assert_eq!(made["package"], "small");
    let warning = &made["warnings"][0];
    assert_eq!(
        (&warning["severity"], &warning["line"]),
        (&"warning".into(), &4.into())
    );
    assert_eq!(json(&["check", "--json"], 0)["fresh"], true);
    elsewhere.write("a.yaml", "openapi: 3.0.3\n");
    let invalid = json(&["validate", "--json"], 1);
    assert_eq!(invalid["valid"], false);
    assert_eq!(invalid["findings"][0]["file"], "a.yaml");
}

#[test]
fn a_crate_around_another_one_leaves_it() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("api.yaml", DOCUMENT);
    elsewhere.write(".git/config", "// Generated by `openapi-crate generate`.\n");
    elsewhere.expect(&["generate", "api.yaml", "--output", "inner"], 0);
    let inner = elsewhere.read("inner/src/lib.rs");
    let printed = elsewhere.expect(&["generate", "api.yaml", "--output", "."], 0);
    assert!(!printed.contains("Deleted"), "{printed}");
    assert_eq!(elsewhere.read("inner/src/lib.rs"), inner);
}

#[test]
fn a_name_that_no_package_can_have_is_refused_as_that() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("api.yaml", DOCUMENT);
    let arguments = [
        "init",
        "api.yaml",
        "--output",
        "client",
        "--name",
        "Bad Name!",
    ];
    elsewhere.says(&arguments, 2, "`Bad Name!`");
}

#[test]
fn a_document_without_info_and_with_tabs_before_a_comment_has_the_given_name() {
    let elsewhere = Elsewhere::new();
    let written = DOCUMENT.replace("openapi: 3.0.3\n", "openapi: 3.0.3\n\t# No title.\n");
    let lines = written.lines().filter(|line| !line.starts_with("info:"));
    elsewhere.write("api.yaml", &lines.collect::<Vec<_>>().join("\n"));
    let arguments = [
        "generate", "api.yaml", "--output", "client", "--name", "mine",
    ];
    elsewhere.says(&arguments, 0, "Generated mine: 1 operation");
}

#[test]
fn a_second_crate_does_not_turn_off_the_overrides_of_the_first() {
    let elsewhere = Elsewhere::new();
    elsewhere.write("api.yaml", DOCUMENT);
    elsewhere.write("overrides/upstream/.keep", "");
    let table = |name: &str| {
        format!(
            "[crates.{name}]\ndocument = \"api.yaml\"\noutput = \"{name}\"\n[crates.{name}.package]\nversion = \"0.1.0\"\n"
        )
    };
    elsewhere.write("openapi-crate.toml", &(table("one") + &table("two")));
    elsewhere.says(&["generate"], 2, "`overrides/one`");
}
