//! The client of a document without prices does not speak of money.

use std::collections::BTreeSet;

use crate::support::{Workspace, repository};

const MONEY: [&str; 24] = [
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
    "ledger",
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

/// The words of a text, lower-case.
fn words(text: &str) -> BTreeSet<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .map(str::to_owned)
        .collect()
}

/// Words about money in the files of a client that its document does not have.
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
        // The same words are found where the document decides otherwise.
        let metered = client(&format!("{document}\nx-metered: true\n"));
        assert!(metered.len() > 50, "{name}: {metered:?}");
    }
}

/// The core of the runtime makes the calls of plain clients. What it knows of money would be in each of them.
#[test]
fn the_core_of_the_runtime_does_not_speak_of_money() {
    let folder = repository().join("runtime/core");
    let mut files = Vec::new();
    let mut folders = vec![folder.join("src"), folder.join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push((
                    path.display().to_string(),
                    std::fs::read_to_string(&path).unwrap(),
                )),
            }
        }
    }
    assert!(files.len() > 100, "{}", files.len());
    // Messages quote what a service sent, without its quotes; and a window of a decoder reserves bits.
    assert_eq!(found("quote quotes reserves", files), [""; 0]);
}

#[test]
fn a_document_that_says_a_price_cannot_be_free_of_them() {
    let document = "openapi: 3.0.3\ninfo: {title: T, version: '1'}\nx-metered: false\npaths:\n  /a:\n    get: {operationId: a, \
                    x-credits: [{credits: 1}], responses: {'204': {description: d}}}\n";
    let failure = Workspace::with(document).failure();
    assert!(
        failure.contains("`x-metered` is false, and /paths/~1a/get says what a call costs"),
        "{failure}"
    );
}
