//! Progenitor's client of the same document.

#![allow(warnings, reason = "made by another generator")]

include!(concat!(env!("OUT_DIR"), "/peer.rs"));
