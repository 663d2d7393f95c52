//! All files of the generated crate. Pure: nothing here touches the disk.

mod access;
mod blank_lines;
mod calls;
mod cargo_features;
mod cargo_toml;
mod catalogue;
mod code;
mod features;
mod files;
mod guide;
mod handles;
mod header;
mod left_out;
mod manifest;
mod overrides_md;
mod packaging;
mod paths;
mod readme;
mod shown;
mod sources;
mod tables;
mod tree;
mod vendored;
mod webhooks;

pub use calls::{Calls, calls_of, program};
pub use cargo_toml::RUNTIME_VERSION;
pub use code::Code;
pub(crate) use features::ALL as ALL_OPERATIONS;
pub use files::{DOCUMENT, MANIFEST, emit};
pub use header::{is_ours, mark};
pub use packaging::{Packaging, Runtime, Sources};
pub(crate) use paths::in_prelude;
pub(crate) use readme::emit as readme;
pub(crate) use sources::lib as root;
pub use tree::FileTree;
pub(crate) use vendored::{is_vendored, undone as without_vendored};
