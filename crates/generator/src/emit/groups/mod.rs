//! The files of a crate that is split: for each group the builders, methods, types and tables that only this group needs, which are there
//! with its feature, and beside them what is always there. The paths that callers write are those of a crate that is not split.

mod client;
mod files;
mod homes;
mod lists;
mod mentions;
mod parts;
mod roots;
mod split;
mod waits;

pub(crate) use files::features_of_types;
pub(super) use files::insert;
