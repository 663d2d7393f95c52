//! Bytes to typed bodies: strict and fast first; a body that fails is decoded again, leniently.

pub(crate) mod allowance;
#[expect(
    clippy::module_inception,
    reason = "the module is named after its main function"
)]
pub(crate) mod decode;
pub(crate) mod decoder;
pub(crate) mod enums;
pub(crate) mod explain;
pub(crate) mod lenient;
pub(crate) mod located;
pub(crate) mod member;
pub(crate) mod nullable;
pub(crate) mod pointer;
pub(crate) mod records;
pub(crate) mod set_aside;
pub(crate) mod watch;
pub mod wire;
