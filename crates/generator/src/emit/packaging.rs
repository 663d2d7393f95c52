//! The command that writes a crate and the source of its runtime. The manifest, the headers and the names of the inputs depend on them.

use std::collections::BTreeMap;

use openapi_document::source::Source;
use openapi_overrides::OverrideSet;

use super::manifest;

/// Settings of the files of a crate, besides its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packaging {
    /// The command that writes the crate, as the user types it. The first line of each file names it.
    pub command: String,
    /// The source of the runtime.
    pub runtime: Runtime,
    /// The overrides folder, as its files are called in messages.
    pub overrides: Option<String>,
}

/// The source of a crate's runtime. All but a member of a workspace are standalone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// From the workspace that the crate is a member of: its manifest inherits.
    Workspace,
    /// The registry, by version.
    Version,
    /// The folder with the crates of the runtime, as the manifest is to name it.
    Path(String),
    /// From a tag of a git repository.
    Git {
        /// The address of the repository.
        url: String,
        /// The tag.
        tag: String,
    },
    /// Modules of the crate, which contain the sources of the runtime.
    Vendored(Sources),
}

/// The files of the runtime: path below the folder `runtime/`, and content.
pub type Sources = &'static [(&'static str, &'static str)];

impl Default for Packaging {
    /// A member of this workspace.
    fn default() -> Self {
        Self {
            command: "cargo xtask regen".to_owned(),
            runtime: Runtime::Workspace,
            overrides: None,
        }
    }
}

impl Packaging {
    /// Returns the settings of a standalone crate.
    pub fn alone(runtime: Runtime) -> Self {
        Self {
            command: "openapi-crate generate".to_owned(),
            runtime,
            overrides: None,
        }
    }

    /// SHA-256 of every input, by a name that is the same on each machine: below the workspace, or below the folder of the document and that
    /// of the overrides.
    pub fn inputs(&self, published: &Source, overrides: &OverrideSet) -> BTreeMap<String, String> {
        let inputs = manifest::inputs(published, overrides);
        if self.runtime == Runtime::Workspace {
            return inputs;
        }
        let document = published
            .path
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        inputs
            .into_iter()
            .map(|(path, digest)| {
                let overrides = self.overrides.as_deref().unwrap_or_default();
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
