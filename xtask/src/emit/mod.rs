//! Everything that stands in the generated crate, as text. Pure: nothing here touches the disk.

mod access;
mod cargo_toml;
mod code;
mod files;
mod header;
mod left_out;
mod manifest;
mod overrides_md;
mod packaging;
mod readme;
mod sources;
mod tree;

pub use code::Code;
pub use files::{DOCUMENT, MANIFEST, emit};
pub use header::{MARK, is_ours};
pub use packaging::{Packaging, Standalone};
pub(crate) use readme::emit as readme;
pub(crate) use sources::lib as root;
pub use tree::FileTree;
