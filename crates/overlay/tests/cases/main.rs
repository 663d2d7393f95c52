//! OpenAPI Overlay as the specification has it: a folder of cases, and what is refused.
//! A case of `fixtures/` is a document, an overlay, and the document after it, with its keys in order.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that panics is a test that fails"
)]

mod bounds;
mod forms;
mod random;

use std::path::{Path, PathBuf};

use openapi_document::finding::DocumentError;
use openapi_document::source::Source;
use openapi_overlay::{Overlay, Selection, dead_target};
use serde_json::Value;

/// The cases, by name.
fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    cases.sort();
    cases
}

/// The file of a case, whichever of the two formats it has.
fn file(case: &Path, stem: &str) -> PathBuf {
    ["yaml", "json"]
        .map(|extension| case.join(format!("{stem}.{extension}")))
        .into_iter()
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("{} has no {stem}", case.display()))
}

fn read(path: &Path) -> Source {
    Source::read(Path::new(""), path.to_str().unwrap()).unwrap()
}

/// Value and order of keys at once.
fn text(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap()
}

#[test]
fn each_case_gives_its_output_with_its_keys_in_order() {
    let cases = cases();
    assert!(cases.len() > 10, "the fixtures are gone");
    for case in cases {
        let source = read(&file(&case, "overlay"));
        let overlay = Overlay::read(&source).unwrap();
        let mut document = read(&file(&case, "openapi")).value;
        openapi_overlay::apply(&mut document, &overlay, &source, Selection::MayBeEmpty).unwrap();
        let output = read(&file(&case, "output")).value;
        assert_eq!(text(&document), text(&output), "{}", case.display());
    }
}

const DOCUMENT: &str = "\
openapi: 3.0.3
info: {title: Library, version: '1'}
tags: [{name: books}, {name: shelves}]
paths: {}
";

/// Applies an overlay of this version and these actions to [`DOCUMENT`].
fn applied(version: &str, actions: &str, selection: Selection) -> Result<Value, DocumentError> {
    let source = Source::parse(
        "overlay.yaml",
        format!("overlay: {version}\ninfo: {{title: Case, version: 1.0.0}}\nactions:\n{actions}"),
    )?;
    let overlay = Overlay::read(&source).map_err(DocumentError::Findings)?;
    let mut document = Source::parse("openapi.yaml", DOCUMENT.to_owned())?.value;
    openapi_overlay::apply(&mut document, &overlay, &source, selection)
        .map_err(|finding| DocumentError::Findings(vec![*finding]))?;
    Ok(document)
}

macro_rules! refused {
    ($($name:ident: $version:literal, $selection:ident, $actions:literal;)*) => {
        $(
            #[test]
            fn $name() {
                let stop = applied($version, $actions, Selection::$selection).unwrap_err();
                insta::assert_snapshot!(stop.to_string());
            }
        )*
    };
}

refused! {
    object_into_text: "1.1.0", MayBeEmpty, "  - target: $.info\n    update: {title: {en: Library}}\n";
    text_into_object: "1.1.0", MayBeEmpty, "  - target: $.info\n    update: Library\n";
    list_into_object: "1.1.0", MayBeEmpty, "  - target: $\n    update: {paths: [/books]}\n";
    copy_of_another_kind: "1.1.0", MayBeEmpty, "  - target: $.info\n    copy: $.tags\n";
    copy_of_several_nodes: "1.1.0", MayBeEmpty, "  - target: $.info\n    copy: $.tags[*]\n";
    copy_of_nothing: "1.1.0", MayBeEmpty, "  - target: $.info\n    copy: $.webhooks\n";
    removal_of_the_root: "1.1.0", MayBeEmpty, "  - target: $\n    remove: true\n";
    targets_of_several_kinds: "1.1.0", MayBeEmpty, "  - target: $['info','tags']\n    update: {x-seen: true}\n";
    empty_selection_when_strict: "1.1.0", MustNotBeEmpty, "  - target: $.tagz[0]\n    remove: true\n";
    no_effect_when_strict: "1.1.0", MustNotBeEmpty, "  - target: $.info\n    description: Nothing is said.\n";
    update_beside_copy: "1.1.0", MayBeEmpty, "  - target: $.info\n    update: {}\n    copy: $.tags[0]\n";
    fields_of_1_1_in_1_0: "1.0.0", MayBeEmpty, "  - target: $.info\n    copy: $.tags[0]\n";
    repeated_action: "1.1.0", MayBeEmpty, "  - target: $.tags\n    update: x\n  - target: $.tags\n    update: x\n";
    copy_of_nothing_by_a_reusable_action: "1.2.0", MayBeEmpty, "  - {$ref: '#/components/actions/copy', target: $.info}\ncomponents:\n  actions:\n    copy:\n      fields:\n        copy: $.webhooks\n";
    reference_to_nothing: "1.2.0", MayBeEmpty, "  - target: $.info\n    $ref: '#/components/actions/a'\n";
    version_from_the_future: "1.3.0", MayBeEmpty, "  - target: $.info\n    update: {}\n";
}

#[test]
fn a_target_that_selects_nothing_is_found_at_its_place() {
    let text = "overlay: 1.1.0\ninfo: {title: T, version: 1.0.0}\nactions: [{target: $.lost, remove: true}]\n";
    let source = Source::parse("overlay.yaml", text.to_owned()).unwrap();
    let overlay = Overlay::read(&source).unwrap();
    let document = Source::parse("openapi.yaml", DOCUMENT.to_owned()).unwrap();
    let dead = dead_target(&document.value, &overlay.actions[0], &source).unwrap();
    assert_eq!(
        (dead.rule, &*dead.pointer),
        ("overlay-target", "/actions/0/target")
    );
    assert!(dead.to_string().contains("overlay.yaml:3"), "{dead}");
}
