//! Generates a typed client crate from an OpenAPI document and overrides.
//!
//! ```text
//! spec/openapi.yaml ─ source ─▶ Source                    content, value, positions
//! overrides/        ─ overrides ─▶ OverrideSet            one Overlay per file
//! overrides::reconcile ─▶ ReconciledDocument              pure from here on
//! schemas ─▶ one vocabulary, lint ─▶ findings             stops ahead of what would not compile
//! Model ─▶ types, operations ─▶ Code
//! emit ─▶ FileTree
//! ```

pub mod emit;
pub mod generate;
pub mod lint;
pub mod operations;
pub mod surface;
mod task;
pub mod types;
