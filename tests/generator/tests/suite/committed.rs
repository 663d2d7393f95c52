//! The committed crate is what the committed inputs give.

use xtask::commands::{self, Layout};

use crate::support::{Inputs, repository};

#[test]
fn the_committed_crate_is_fresh() {
    let mut out = Vec::new();
    let fresh = commands::regen(&Layout::at(repository()), true, &mut out).unwrap();
    assert!(fresh, "{}", String::from_utf8_lossy(&out));
}

#[test]
fn the_clients_of_the_test_documents_are_fresh() {
    let documents = commands::test_documents(&Layout::at(repository())).unwrap();
    assert!(!documents.is_empty());
    for layout in documents {
        let mut out = Vec::new();
        let fresh = commands::regen(&layout, true, &mut out).unwrap();
        assert!(fresh, "{}", String::from_utf8_lossy(&out));
    }
}

#[test]
fn no_client_of_a_test_document_can_be_published() {
    let root = repository();
    for layout in commands::test_documents(&Layout::at(&root)).unwrap() {
        let manifest = root.join(&layout.generated).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).unwrap();
        assert!(manifest.contains("\npublish = false\n"), "{manifest}");
    }
    let ours = Inputs::committed().tree();
    assert!(!ours.get("Cargo.toml").unwrap().contains("publish"));
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    let inputs = Inputs::committed();
    assert_eq!(inputs.tree(), inputs.tree());
}

#[test]
fn every_generated_file_says_who_wrote_it() {
    for (path, content) in Inputs::committed().tree().iter() {
        assert!(xtask::emit::is_ours(content.as_bytes()), "{path}");
    }
}
