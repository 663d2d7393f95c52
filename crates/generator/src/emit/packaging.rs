//! The command that writes a crate and the source of its runtime. The manifest and the headers depend on them.

/// Settings of the files of a crate, besides its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packaging {
    /// The command that writes the crate, as the user types it. The first line of each file names it.
    pub command: String,
    /// The source of the runtime.
    pub runtime: Runtime,
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
        }
    }
}

impl Packaging {
    /// Returns the settings of a standalone crate.
    pub fn alone(runtime: Runtime) -> Self {
        Self {
            command: "openapi-crate generate".to_owned(),
            runtime,
        }
    }
}
