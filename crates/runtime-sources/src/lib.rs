#![doc = include_str!("../README.md")]

/// The files of the runtime: path below the folder `runtime/` of the repository, and content. They are the sources of its crates without
/// tests, their manifests, that of the workspace, and the licences.
pub static SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// The files of the crate `checked-tests`, by their paths in it: a service that knows an API by its document alone, and checks requests.
pub static CHECKED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/checked.rs"));
