#![doc = include_str!("../README.md")]

/// The files of the runtime: path below the folder `runtime/` of the repository, and content. They are the sources of its crates without
/// tests, their manifests, that of the workspace, and the licences.
pub static SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/table.rs"));
