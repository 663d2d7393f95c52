//! What a person can ask for. Commands take a writer, so that a test reads what a person would see.

mod bench;
pub mod check;
pub mod diff;
pub mod generate;
mod lock;
pub mod overrides;
mod paging;
mod regen;
mod regen_all;
pub mod release;
mod retired;
pub mod review;
mod soak;
mod status;
pub mod update;
mod warnings;
mod workspace;

pub use crate::layout::Layout;
pub use bench::bench;
pub use regen::regen;
pub use regen_all::{regen_all, test_documents};
pub use soak::soak;
pub use workspace::workspace;
