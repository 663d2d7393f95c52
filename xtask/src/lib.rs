//! The commands of this repository that are about it alone, on top of `openapi-crate`.

mod bench;
mod regen;
mod review;
mod soak;

pub use bench::bench;
pub use regen::{regen, test_documents};
pub use review::review;
pub use soak::soak;
