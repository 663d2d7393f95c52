//! The generator from outside: its output for documents, its messages about bad ones, and its architecture.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that panics is a test that fails"
)]

mod access;
mod anything;
mod architecture;
mod bump;
mod cases;
mod chosen;
mod command;
mod committed;
mod defaults;
mod detection;
mod diff;
mod documentation;
mod documents;
mod envelopes;
mod evidence;
mod families;
mod features;
mod fields;
mod foreign;
mod gone;
mod groups;
mod handles;
mod hostile;
mod ids;
mod included;
mod losses;
mod messages;
mod names_of_rust;
mod one_type;
mod overlays;
mod overrides;
mod paths;
mod payloads;
mod plain;
mod provenance;
mod rebase;
mod reference;
mod regeneration;
mod required;
mod review;
mod shapes;
mod snapshots;
mod support;
mod surface;
mod types_only;
mod update;
mod vendored;
mod verdicts;
mod webhooks;
