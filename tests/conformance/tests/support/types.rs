//! All types of the crate, read from its source by the build script: the compiler has no list of them.

include!(concat!(env!("OUT_DIR"), "/types.rs"));
pub(crate) use every_type;
