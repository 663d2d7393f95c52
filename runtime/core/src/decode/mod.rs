//! Bytes to typed bodies: one reader of JSON, and the types that it reads.

pub(crate) mod allowance;
pub(crate) mod bridge;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its main function"
)]
pub(crate) mod decode;
#[cfg(feature = "enums")]
pub(crate) mod enums;
pub(crate) mod explain;
pub(crate) mod failure;
#[cfg(any(
    feature = "enums",
    feature = "paging",
    feature = "styles",
    feature = "waiting"
))]
pub(crate) mod member;
pub(crate) mod nullable;
pub(crate) mod object;
pub(crate) mod pointer;
pub(crate) mod read;
pub(crate) mod reader;
#[cfg(feature = "records")]
pub(crate) mod records;
mod scan;
pub(crate) mod set_aside;
pub mod wire;

#[cfg(test)]
mod tests;
