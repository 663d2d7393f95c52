//! The architecture of the project: allowed imports, access to the disk, and no knowledge of this one API in the generator
//! and the runtime.

mod builds;
mod impls;
mod keywords;
mod layers;
mod pages;
mod promises;
mod purity;
mod rules;
mod workflows;
