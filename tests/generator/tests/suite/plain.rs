//! The client of a document without prices does not mention money.

use std::collections::BTreeSet;

use crate::support::{Workspace, repository};

const MONEY: [&str; 23] = [
    "account",
    "bill",
    "billed",
    "budget",
    "budgets",
    "charge",
    "charged",
    "cost",
    "costs",
    "credit",
    "credits",
    "is_metered",
    "metered",
    "money",
    "outcome",
    "paid",
    "price",
    "priced_by",
    "prices",
    "quote",
    "quotes",
    "reserves",
    "spent",
];

/// Returns the words of a string, in lower case.
fn words(text: &str) -> BTreeSet<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .map(str::to_owned)
        .collect()
}

/// Returns the words about money in the files of a client that are not in its document.
fn found(document: &str, files: impl IntoIterator<Item = (String, String)>) -> Vec<String> {
    let own = words(document);
    let mut found = Vec::new();
    for (path, text) in files {
        let said = words(&text);
        let money = MONEY.iter().filter(|word| said.contains(**word));
        let money = money.filter(|word| !own.contains(**word));
        found.extend(money.map(|word| format!("{path}: {word}")));
    }
    found
}

fn client(document: &str) -> Vec<String> {
    let workspace = Workspace::with(document);
    workspace.regen(false);
    let files = workspace.files().into_iter();
    let files = files.filter(|(path, _)| path.starts_with("generated/"));
    found(
        document,
        files.map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap())),
    )
}

#[test]
fn a_client_without_prices_does_not_speak_of_money() {
    for name in ["depot", "forms", "names"] {
        let path = repository().join(format!("tests/documents/{name}/openapi.yaml"));
        let document = std::fs::read_to_string(path).unwrap();
        assert_eq!(client(&document), [""; 0], "{name}");
        // The same words occur if the document is metered.
        let metered = client(&format!("{document}\nx-metered: true\n"));
        assert!(metered.len() > 15, "{name}: {metered:?}");
    }
}

/// What the feature `metered` adds to the runtime: folders and files, and the files that name items of these.
const METERED: [&str; 15] = [
    "/cache/redis.rs",
    "/account/",
    "/journal/",
    "/meter/",
    "/money/",
    "/document/tariff.rs",
    "/testing/spent.rs",
    "/client/call.rs",
    "/client/raw.rs",
    "/document/mod.rs",
    "/error/mod.rs",
    "/request/options.rs",
    "/src/lib.rs",
    "/src/testing.rs",
    "/waiting/mod.rs",
];

/// The runtime makes the calls of plain clients, so its words on money would be in each of them.
#[test]
fn the_core_of_the_runtime_does_not_speak_of_money() {
    let folder = repository().join("runtime/core");
    let mut files = Vec::new();
    let mut folders = vec![folder.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.display().to_string();
            if path.is_dir() {
                folders.push(path)
            } else if !METERED.iter().any(|one| name.contains(one)) {
                files.push((name, std::fs::read_to_string(&path).unwrap()))
            }
        }
    }
    assert!(files.len() > 100, "{}", files.len());
    // Messages quote responses, without quotation marks; and the window of a decoder reserves bits.
    assert_eq!(found("quote quotes reserves", files), [""; 0]);
}

const CONTRADICTORY: &str = "openapi: 3.0.3
info: {title: T, version: '1'}
x-metered: false
paths:
  /a:
    get: {operationId: a, x-credits: [{credits: 1}], responses: {'204': {description: d}}}
  /b:
    get: {operationId: b, x-credits: [{credits: 2}], responses: {'204': {description: d}}}
";

#[test]
fn a_document_that_says_prices_and_none_is_told_so_once_and_with_both_places() {
    let failure = Workspace::with(CONTRADICTORY).failure();
    assert!(
        failure.contains("`x-metered` is false, and /paths/~1a/get says what a call costs"),
        "{failure}"
    );
    assert_eq!(
        failure.matches("says what a call costs").count(),
        1,
        "{failure}"
    );
    assert!(failure.contains("at #/x-metered"), "{failure}");
}

/// A free operation beside one with a price is no contradiction.
#[test]
fn a_document_with_a_price_and_a_free_operation_is_metered() {
    let document = CONTRADICTORY.replace("x-metered: false\n", "");
    let workspace = Workspace::with(&document.replace("credits: 2", "credits: 0"));
    assert!(workspace.regen(false).0);
    assert!(
        workspace
            .read("generated/Cargo.toml")
            .contains("\"metered\"")
    );
}

#[test]
fn an_override_decides_whether_a_contradictory_document_is_metered() {
    for (actions, is_metered) in [
        (
            "  - target: $\n    x-expect: {x-metered: false}\n    update: {x-metered: true}\n",
            true,
        ),
        (
            "  - target: $.paths['/a'].get['x-credits']\n    x-expect: [{credits: 1}]\n    remove: true\n  \
             - target: $.paths['/b'].get['x-credits']\n    x-expect: [{credits: 2}]\n    remove: true\n",
            false,
        ),
    ] {
        let decision = format!(
            "overlay: 1.1.0\ninfo: {{title: Calls cost or not, version: 1.0.0}}\nx-override: {{published: Both., observed: One., \
             reference: '1', retire-when: It is published.}}\nactions:\n{actions}"
        );
        let workspace = Workspace::with(CONTRADICTORY);
        let workspace = workspace.file("overrides/assumed/metered.yaml", &decision);
        let (is_current, shown) = workspace.regen(false);
        assert!(is_current, "{shown}");
        let manifest = workspace.read("generated/Cargo.toml");
        assert_eq!(manifest.contains("\"metered\""), is_metered, "{manifest}");
    }
}
