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
mod bounds;
mod bump;
mod charge;
mod command;
mod committed;
mod constants;
mod defaults;
mod detection;
mod diff;
mod documentation;
mod documents;
mod due;
mod envelopes;
mod evidence;
mod families;
mod features;
mod fields;
mod foreign;
mod formats;
mod further;
mod groups;
mod handles;
mod hostile;
mod idempotency;
mod ids;
mod included;
mod losses;
mod messages;
mod named;
mod names_in_files;
mod names_of_rust;
mod one_type;
mod operations;
mod overlays;
mod overrides;
mod package;
mod paths;
mod payloads;
mod plain;
mod presence;
mod provenance;
mod rebase;
mod reference;
mod regeneration;
mod required;
mod schemas;
mod shapes;
mod snapshots;
mod support;
mod surface;
mod unmet;
mod update;
mod vendored;
mod verdicts;
mod webhooks;
