//! YAML and JSON files as strings and as JSON values.
//! Strict reading refuses ambiguous files: duplicate keys, merge keys and keys that are not strings. For a provider's document, tolerant
//! reading makes these warnings. A document may have several files, all below one folder, and none is fetched from the network.

mod document;
mod files;
mod input;
mod locate;
mod locate_json;
mod parse;
mod patch;
mod references;
mod value;

pub use document::{bundled, document, joined};
pub use files::{Fetch, LARGEST, Refused, Root, below, bytes, first, string};
pub(crate) use files::{limited, utf8};
pub use input::original;
pub use input::{Reading, Source};
pub(crate) use references::texts;
pub use references::{BUNDLED, leaves, references};
