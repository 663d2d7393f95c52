//! What a caller cannot write by mistake, and what he writes instead.

mod fail;
mod pass;
