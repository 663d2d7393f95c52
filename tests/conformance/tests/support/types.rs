//! All types of the crate, which the build script reads from its source: the compiler has no list of them.

include!(concat!(env!("OUT_DIR"), "/types.rs"));
pub(crate) use every_type;
