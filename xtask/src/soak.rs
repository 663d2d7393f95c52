//! `cargo xtask soak`: what takes too long for every change.

use std::process::Command;

use anyhow::{Context, Result};

use client_generator::generate::Layout;

/// Runs `.ci/soak`; whether all of its steps passed.
pub fn soak(layout: &Layout) -> Result<bool> {
    let script = layout.root.join(".ci/soak");
    let status = Command::new(script).status().context("starting .ci/soak")?;
    Ok(status.success())
}
