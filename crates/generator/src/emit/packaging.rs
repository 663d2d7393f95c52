//! Whether a crate belongs to this workspace or stands alone: its manifest, its headers and the names of its inputs follow from that.

use std::collections::BTreeMap;

use openapi_document::source::Source;
use openapi_overrides::OverrideSet;

use super::header::{MARK, STANDALONE};
use super::manifest;

/// What the files of a crate depend on besides its code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Packaging {
    /// A member of the workspace, from which its manifest inherits. `cargo xtask regen` writes it.
    #[default]
    Workspace,
    /// A crate that needs no workspace. `cargo xtask generate` writes it.
    Standalone(Standalone),
}

/// Where the inputs of a crate are that stands alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standalone {
    /// The path of the runtime crate, as the manifest is to name it; `None` names its version alone.
    pub runtime: Option<String>,
    /// The overrides folder, as its files are called in messages.
    pub overrides: Option<String>,
}

impl Packaging {
    /// The text in the first line of each file.
    pub(super) fn mark(&self) -> &'static str {
        match self {
            Self::Workspace => MARK,
            Self::Standalone(_) => STANDALONE,
        }
    }

    /// SHA-256 of every input, by a name that is the same on each machine: below the workspace, or below the folder of the document and that
    /// of the overrides.
    pub fn inputs(&self, published: &Source, overrides: &OverrideSet) -> BTreeMap<String, String> {
        let inputs = manifest::inputs(published, overrides);
        let Self::Standalone(standalone) = self else {
            return inputs;
        };
        let document = published
            .path
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        inputs
            .into_iter()
            .map(|(path, digest)| {
                let overrides = standalone.overrides.as_deref().unwrap_or_default();
                let name = match below(&path, overrides) {
                    Some(name) => format!("overrides/{name}"),
                    None => below(&path, document).unwrap_or(&path).to_owned(),
                };
                (name, digest)
            })
            .collect()
    }
}

/// The rest of a path that lies in a folder.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let folder = folder.trim_end_matches('/');
    if folder.is_empty() {
        return None;
    }
    path.strip_prefix(folder)?.strip_prefix('/')
}
