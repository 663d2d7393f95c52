//! Paths as people write them: emitted code has long paths, `::generated_client::Credits`, and a file has `use` lines and short names.
//! Input: the items of a file. A name that the file uses for anything else is never imported; its path then keeps the crate's name. String
//! literals and documentation are not read.

mod cut;
mod declared;
mod scope;
mod shorten;
mod walk;

pub(crate) use cut::in_prelude;
pub(super) use shorten::shorten;
