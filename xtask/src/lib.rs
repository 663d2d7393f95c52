//! Generates a typed client crate from an OpenAPI document and what is known better than it.
//!
//! ```text
//! spec/openapi.yaml ─ source ─▶ Source                    text, value, positions
//! overrides/        ─ overrides ─▶ OverrideSet            one Overlay per file
//! overrides::reconcile ─▶ ReconciledDocument              pure from here on
//! dialect ─▶ one vocabulary, lint ─▶ findings             stops ahead of anything the engine panics on
//! openapi::Model ─▶ types, operations ─▶ Code
//! emit ─▶ FileTree ─ install ─▶ generated/
//!
//! Source × Source ─ diff, surface ─▶ diff::Report         what a new document means
//! OverrideSet × Source × Source ─ rebase ─▶ OverrideSet   the overrides of one document in the terms of another
//! ```

pub mod commands;
pub mod dialect;
pub mod diff;
pub mod emit;
pub mod finding;
pub mod generate;
pub mod install;
pub mod layout;
pub mod lint;
pub mod names;
pub mod openapi;
pub mod operations;
pub mod overlay;
pub mod overrides;
pub mod pointer;
pub mod readable;
pub mod rebase;
pub mod source;
pub mod surface;
pub mod types;
