//! Files that are no case of a kind that is played.

use std::fs;

use conformance_tests::calls::CallCase;
use conformance_tests::cases::{FOLDER, read_folder};

const GOOD: &str = "about: A 500.\nservice: {status: 500}\ncaller: {paid: {outcome: unknown 4}}\n";

#[test]
fn every_folder_of_cases_is_played() {
    let mut found: Vec<_> = fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, ["README.md", "calls", "pages", "waits"]);
}

/// Returns why a folder with a good case and this one is refused.
fn refused(name: &str, text: &str) -> String {
    let folder = std::env::temp_dir().join(format!("cases-{}", std::process::id()));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.yaml"), GOOD).unwrap();
    fs::write(folder.join(name), text).unwrap();
    let read: Result<Vec<CallCase>, _> = read_folder(&folder);
    fs::remove_dir_all(&folder).unwrap();
    read.unwrap_err()
}

#[test]
fn a_file_that_is_no_case_is_refused_by_name() {
    let other = GOOD.replace("500", "501");
    let twice = other.replace("501}", "501, status: 501}");
    for (name, text, error) in [
        ("b.yml", &*other, "b.yml: its name does not end in `.yaml`"),
        (
            "b.yaml",
            &twice,
            "b.yaml: service: duplicate field `status`",
        ),
        ("b.yaml", GOOD, "the service does the same in"),
        (
            "b.yaml",
            "about: A 501.\n",
            "b.yaml: missing field `service`",
        ),
        (
            "b.yaml",
            &other.replace("status", "state"),
            "b.yaml: service: unknown field `state`",
        ),
        (
            "b.yaml",
            &other.replace("501.", "501"),
            "b.yaml: `about` is no sentence",
        ),
    ] {
        let refused = refused(name, text);
        assert!(refused.contains(error), "{refused}");
    }
}
