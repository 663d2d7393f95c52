//! How the project is built: which file may import which, who may touch the disk, and that the generator and the runtime
//! know nothing of this one API.

mod graph;
mod impls;
mod imports;
mod layers;
mod made_up;
mod modules;
mod purity;
mod rules;
