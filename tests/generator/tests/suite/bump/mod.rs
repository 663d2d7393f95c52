//! The version bump that a changed document requires: predicted, compared with rustdoc's items, and proved by compiling callers.
//!
//! Each pair of documents is generated; all crates are modules of one, so that one build and one run of rustdoc are enough.
//! The suite tests the generator, and uses fixtures like the other suites, so it is no separate crate.

mod additive;
mod build;
mod caller;
mod pairs;
#[cfg(feature = "gate")]
mod reality;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use client_generator::emit::{self, FileTree, Packaging};
use client_generator::generate;
use client_generator::surface::{self, Bump, Difference, Surface};
use openapi_document::source::Source;
use openapi_overrides::{OverrideReport, OverrideSet, reconcile};

use self::pairs::{PAIRS, Pair};

/// A pair, read and compared.
struct Compared {
    pair: &'static Pair,
    /// Modules of its two documents; a document of several pairs has one module.
    modules: [String; 2],
    old: Surface,
    differences: Vec<Difference>,
}

impl Compared {
    fn due(&self) -> Option<Bump> {
        self.differences.iter().map(|one| one.bump).max()
    }
}

/// A document with its crate, generated once.
struct Made {
    surface: Surface,
    tree: FileTree,
}

impl Made {
    fn of(document: &Source) -> Self {
        let code = generate::code(document, &OverrideReport::default()).unwrap();
        let reconciled = reconcile(document, &OverrideSet::default()).unwrap();
        let tree = emit::emit(&reconciled, &code, &Packaging::default()).unwrap();
        Self {
            surface: surface::of(document, &code).unwrap(),
            tree,
        }
    }
}

/// All pairs, and all documents by module.
struct All {
    pairs: Vec<Compared>,
    documents: BTreeMap<String, Made>,
}

static ALL: LazyLock<All> = LazyLock::new(|| {
    let mut known: BTreeMap<String, (String, Made)> = BTreeMap::new();
    let mut read = |document: Source| {
        let module = format!("d{:03}", known.len());
        let text = document.text.clone();
        let (module, made) = known
            .entry(text)
            .or_insert_with(|| (module, Made::of(&document)));
        (module.clone(), made.surface.clone())
    };
    let pairs = PAIRS
        .iter()
        .map(|pair| {
            let [(old_module, old), (new_module, new)] = pair.documents.clone().map(&mut read);
            Compared {
                pair,
                modules: [old_module, new_module],
                differences: surface::compare(&old, &new),
                old,
            }
        })
        .collect();
    All {
        pairs,
        documents: known.into_values().collect(),
    }
});

#[test]
fn every_kind_of_change_has_the_bump_that_people_expect() {
    let mut wrong = Vec::new();
    for compared in &ALL.pairs {
        if compared.due() != compared.pair.bump {
            wrong.push(format!(
                "{}: {:#?}",
                compared.pair.name, compared.differences
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The code of callers builds, and sends another value.
#[test]
fn a_conversion_from_another_member_is_major() {
    let linked = |member: &str| {
        let properties = "properties:\n        book: {type: string}\n        other: {type: string}\n        id: {type: string}\n    Note:";
        let text = include_str!("write.yaml");
        let (before, after) = text.split_once("    Receipt:").unwrap();
        let after = after.replacen(
            "properties:\n        id: {type: string}\n    Note:",
            properties,
            1,
        );
        let text = format!("{before}    Receipt:{after}");
        let mut document = Source::parse("openapi.yaml", text).unwrap().value;
        document["paths"]["/notes"]["post"]["responses"]["201"]["links"] = serde_json::json!({
            "book": {"operationId": "replaceBook", "parameters": {"isbn": format!("$response.body#/{member}")}},
        });
        Source::parse("openapi.json", document.to_string()).unwrap()
    };
    let [old, new] = ["book", "other"].map(linked);
    let differences = surface::between(&old, &new, &OverrideReport::default()).unwrap();
    let conversion = "impl TryFrom<&types::Receipt> for types::Isbn";
    let bump = differences.iter().find(|one| one.item == conversion);
    assert_eq!(
        bump.map(|one| one.bump),
        Some(Bump::Major),
        "{differences:#?}"
    );
}

#[test]
fn sentences() {
    let mut text = String::new();
    for compared in &ALL.pairs {
        text.push_str(&format!("{}\n", compared.pair.name));
        for one in &compared.differences {
            let place = one.new.as_ref().or(one.old.as_ref()).unwrap();
            text.push_str(&format!("    {}: {} (#{place})\n", one.bump, one.sentence));
        }
    }
    insta::assert_snapshot!(text);
}
