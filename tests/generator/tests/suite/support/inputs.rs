//! The committed inputs and their outputs, each created once for all tests.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use client_generator::emit::FileTree;
use client_generator::generate;
use openapi_document::source::Source;
use openapi_model::Model;
use openapi_overrides::{OverrideSet, ReconciledDocument, reconcile};
use serde_json::Value;

use super::emitted::Emitted;
use super::repository;

/// The committed inputs, read once for all tests.
pub(crate) struct Inputs {
    pub(crate) published: Source,
    pub(crate) overrides: OverrideSet,
}

impl Inputs {
    pub(crate) fn committed() -> &'static Self {
        static INPUTS: LazyLock<Inputs> = LazyLock::new(|| {
            let layout = crate::support::tool::layout(repository());
            Inputs {
                published: Source::read(&layout.root, &layout.document).unwrap(),
                overrides: OverrideSet::load(&layout.root, &layout.overrides).unwrap(),
            }
        });
        &INPUTS
    }

    /// Returns the reconciled document of the inputs.
    pub(crate) fn reconciled(&'static self) -> &'static ReconciledDocument {
        static RECONCILED: OnceLock<ReconciledDocument> = OnceLock::new();
        RECONCILED.get_or_init(|| reconcile(&self.published, &self.overrides).unwrap())
    }

    /// Returns the files of the crate; a warning is an error as in the commands that write it.
    pub(crate) fn tree(&'static self) -> &'static FileTree {
        static TREE: OnceLock<FileTree> = OnceLock::new();
        TREE.get_or_init(|| self.generated())
    }

    /// Generates the files again.
    pub(crate) fn generated(&'static self) -> FileTree {
        crate::support::tool::tree(self.reconciled()).unwrap()
    }

    /// Returns the model of the reconciled document.
    pub(crate) fn model(&'static self) -> &'static Model {
        static MODEL: OnceLock<Model> = OnceLock::new();
        MODEL.get_or_init(|| {
            let reconciled = self.reconciled();
            let code = generate::code(&reconciled.source, &reconciled.report).unwrap();
            code.model
        })
    }

    /// Returns the pointer of the schema of each type of the crate, by its name in Rust.
    pub(crate) fn types(&'static self) -> BTreeMap<String, String> {
        let manifest = self.tree().get("manifest.yaml").unwrap();
        let manifest: Value = serde_yaml::from_str(manifest).unwrap();
        serde_json::from_value(manifest["types"].clone()).unwrap()
    }

    /// Returns the items of the crate.
    pub(crate) fn emitted(&'static self) -> &'static Emitted {
        static EMITTED: OnceLock<Emitted> = OnceLock::new();
        EMITTED.get_or_init(|| Emitted::of_tree(self.tree()))
    }
}
