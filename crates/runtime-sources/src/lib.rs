#![doc = include_str!("../README.md")]

/// The files of the runtime: path below the folder `runtime/` of the repository, and text. Beside the sources of its crates, without tests,
/// these are their manifests, that of the workspace, and both texts of the licence.
pub static SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/table.rs"));
