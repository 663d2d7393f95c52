//! The committed crate equals the output for the committed inputs.

use crate::support::{Inputs, repository};

#[test]
fn the_committed_crate_is_fresh() {
    let mut out = Vec::new();
    let fresh =
        crate::support::tool::regen(&crate::support::tool::layout(repository()), true, &mut out)
            .unwrap();
    assert!(fresh, "{}", String::from_utf8_lossy(&out));
}

#[test]
fn the_clients_of_the_test_documents_are_fresh() {
    let documents = xtask::test_documents(&crate::support::tool::layout(repository())).unwrap();
    assert!(!documents.is_empty());
    for layout in documents {
        let mut out = Vec::new();
        let fresh = crate::support::tool::regen(&layout, true, &mut out).unwrap();
        assert!(fresh, "{}", String::from_utf8_lossy(&out));
    }
}

#[test]
fn no_client_of_a_test_document_can_be_published() {
    let root = repository();
    for layout in xtask::test_documents(&crate::support::tool::layout(&root)).unwrap() {
        let manifest = root.join(&layout.generated).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).unwrap();
        assert!(manifest.contains("\npublish = false\n"), "{manifest}");
        assert!(!manifest.contains("documentation ="), "{manifest}");
    }
    let ours = Inputs::committed().tree();
    assert!(!ours.get("Cargo.toml").unwrap().contains("publish"));
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    let inputs = Inputs::committed();
    assert_eq!(inputs.tree(), &inputs.generated());
}

#[test]
fn docs_rs_builds_the_crate_with_all_features_and_shows_which_bring_an_item() {
    let tree = Inputs::committed().tree();
    let manifest = tree.get("Cargo.toml").unwrap();
    for line in [
        "documentation = \"https://docs.rs/company-intel\"",
        "[package.metadata.docs.rs]\nall-features = true\nrustdoc-args = [\"--cfg\", \"docsrs\"]\n",
    ] {
        assert!(manifest.contains(line), "{line}: {manifest}");
    }
    let root = tree.get("src/lib.rs").unwrap();
    assert!(root.contains("#![cfg_attr(docsrs, feature(doc_cfg))]\n"));
    // Each feature is described where callers choose it.
    let (_, features) = manifest.split_once("\n[features]\n").unwrap();
    let (features, _) = features.split_once("\n[dependencies]").unwrap();
    let names = features.lines().filter(|line| !line.starts_with('#'));
    let readme = tree.get("README.md").unwrap();
    for name in names.filter_map(|line| Some(line.split_once(" = ")?.0)) {
        let described = name == "default" || readme.contains(&format!("`{name}`"));
        assert!(described, "{name}: {readme}");
    }
}

#[test]
fn each_feature_of_the_crate_turns_that_of_the_runtime_on() {
    // Packages are tested in one build, in which all features of the runtime are on.
    let manifest = Inputs::committed().tree().get("Cargo.toml").unwrap();
    let (_, features) = manifest.split_once("\n[features]\n").unwrap();
    let (features, _) = features.split_once("\n[dependencies]").unwrap();
    let features = features.lines().filter_map(|line| line.split_once(" = "));
    let mut count = 0;
    for (name, turns_on) in features.filter(|(name, _)| *name != "default") {
        assert!(
            turns_on.contains(&format!("\"generated-client/{name}\""))
                || turns_on == "[\"dep:generated-cli\", \"generated-cli/metered\"]"
                || turns_on == "[\"cli\", \"generated-cli/mcp\"]",
            "{name}: {turns_on}"
        );
        count += 1;
    }
    assert!(count > 10, "{manifest}");
}

#[test]
fn every_generated_file_says_who_wrote_it() {
    for (path, content) in Inputs::committed().tree().iter() {
        assert!(
            client_generator::emit::is_ours(content.as_bytes()),
            "{path}"
        );
    }
}
