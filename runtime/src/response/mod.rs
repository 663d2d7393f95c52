//! What a call gives back beside its body, and how it went.

pub(crate) mod failure;
pub(crate) mod history;
pub(crate) mod request_id;
#[expect(
    clippy::module_inception,
    reason = "the room has the name of what comes out of it"
)]
pub(crate) mod response;
pub(crate) mod undecoded;

pub use history::Attempt;
pub use response::Meta;
pub use undecoded::{Undecoded, Unreadable};
