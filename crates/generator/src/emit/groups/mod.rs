//! The files of a crate that is split by features. Each group has the builders, methods, types and tables that only it needs, with its
//! feature; the rest needs no feature. The public paths are those of a crate that is not split.

mod client;
mod files;
mod lists;
mod membership;
mod mentions;
mod parts;
mod roots;
mod split;
mod waits;

pub(crate) use files::features_of_types;
pub(super) use files::insert;
