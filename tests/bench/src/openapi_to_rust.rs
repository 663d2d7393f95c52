//! openapi-to-rust's client of the same document.

#![allow(warnings, reason = "made by another generator")]

pub mod client {
    include!(concat!(env!("OUT_DIR"), "/openapi_to_rust/client.rs"));
}

pub mod types {
    include!(concat!(env!("OUT_DIR"), "/openapi_to_rust/types.rs"));
}
