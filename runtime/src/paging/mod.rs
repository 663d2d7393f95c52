//! Paged lists as lazy streams, with quotes for the cost and an offset to resume after an error.
//!
//! ```text
//! Paged (generated) ─▶ Pages: one call per page ─▶ Items: one record at a time
//!   └─ As: the same operation, with pages or records read as types of the caller
//!                        ├─ Identity: hashes of a page's records, to detect repeated pages; pure
//!                        └─ Cursor: the next offset, and whether the service sent the requested page; pure
//!                             └─ Standing: the progress of one list in a page
//! ```

mod cursor;
mod identity;
mod items;
mod paged;
mod pages;
mod pages_as;
mod recast;
mod standing;
#[cfg(test)]
mod tests;

pub use crate::decode::records::RejectedRecord;
pub use items::Items;
pub use paged::{List, Paged};
pub use pages::Pages;
pub use pages_as::PagesAs;
pub use recast::ItemsAs;
