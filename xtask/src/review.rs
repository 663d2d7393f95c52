//! `cargo xtask review`: runs the tests that compare reviewed files with the document. With `--accept` they write the files, and a person
//! reads them.

use std::io::Write;
use std::process::Command;

use anyhow::{Context, Result};

use client_generator::generate::Layout;
use openapi_crate::commands::status::line;

/// The tests, as arguments of `cargo test`, in an order in which each reads what those before it write.
const TESTS: [&[&str]; 4] = [
    &[
        "-p",
        "generator-tests",
        "--test=suite",
        "--",
        "architecture::purity",
        "diff::cases",
        "gone::",
        "overrides::",
        "payloads::",
        "reference::",
        "snapshots::",
        "update::played",
        "--skip=the_client_of_each_update",
        "--include-ignored",
    ],
    &["-p", "company-intel-sandbox", "--lib", "--", "coverage::"],
    &[
        "-p",
        "conformance-tests",
        "--test=conformance",
        "--",
        "drift::",
        "payloads::",
        "snapshots::",
    ],
    &[
        "-p",
        "public-api-tests",
        "--features=gate",
        "--",
        "--include-ignored",
    ],
];

/// Runs the tests, which say why each is red; returns whether all are green. With `accept`, files that differ are written.
pub fn review(layout: &Layout, accept: bool, out: &mut dyn Write) -> Result<bool> {
    let update = if accept { "always" } else { "no" };
    let mut is_green = true;
    for arguments in TESTS {
        line(out, "Testing", arguments.get(1).unwrap_or(&""))?;
        out.flush()?;
        let status = Command::new("cargo")
            .args(["test", "--quiet", "--no-fail-fast"])
            .args(arguments)
            .current_dir(&layout.root)
            .env("INSTA_UPDATE", update)
            .env("RUST_BACKTRACE", "0")
            .status()
            .context("starting cargo")?;
        is_green &= status.success();
    }
    let next = match (is_green, accept) {
        (true, true) => {
            "`git diff` shows what was written: compare it with the provider's reference"
        }
        (true, false) => return Ok(true),
        (false, true) => "what is still red is for a person",
        (false, false) => {
            "`cargo xtask review --accept` writes what differs; what is red after that is for a person"
        }
    };
    line(out, "Help", next)?;
    Ok(is_green)
}
