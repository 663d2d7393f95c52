//! Lists that come in pages, as lazy streams that know what the next page costs and where to go on after a failure.
//!
//! ```text
//! Paged (generated) ─▶ Pages: one call per page ─▶ Items: one record at a time
//!                        ├─ Identity: what tells one page from another; pure
//!                        └─ Cursor: where to go on, and whether the service does as it was asked; pure
//!                             └─ Standing: the same for one list of several
//! ```

mod cursor;
mod identity;
mod items;
mod paged;
mod pages;
mod standing;
#[cfg(test)]
mod tests;

pub use items::Items;
pub use paged::{List, Paged};
pub use pages::Pages;
