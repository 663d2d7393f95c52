//! What a caller cannot write by mistake, and what he writes instead.

#[cfg(feature = "gate")]
mod fail;
mod pass;
