//! How the project is built: which module may import which, who may touch the disk, and that the generator and the runtime
//! know nothing of this one API.

mod impls;
mod keywords;
mod layers;
mod pages;
mod purity;
mod rules;
