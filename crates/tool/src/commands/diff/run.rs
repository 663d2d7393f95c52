//! Compares documents of a workspace.

use std::io::Write;

use anyhow::Result;
use client_generator::surface;
use openapi_diff::Surfaces;
use openapi_diff::command::{self, Options, refuse};
use openapi_document::finding::{Finding, distinct};
use openapi_overrides::OverrideReport;

use super::sides::{Side, sides};
use client_generator::generate::Layout;

/// Compares documents of a workspace, and prints the report. Returns whether it stays below `fail_on` and answers all requests.
pub fn diff(layout: &Layout, options: &Options, out: &mut dyn Write) -> Result<bool> {
    let sides = sides(layout, options)?;
    let documents = sides.each_ref().map(|side| &side.document);
    refuse(documents)?;
    let surfaces = if options.wire_only {
        Surfaces::Skipped
    } else {
        surfaces(&sides)
    };
    command::run(documents, surfaces, options, out)
}

fn surfaces(sides: &[Side; 2]) -> Surfaces {
    let [
        Side {
            callers: Ok(old), ..
        },
        Side {
            callers: Ok(new), ..
        },
    ] = sides
    else {
        return Surfaces::Unknown(obstacles(sides));
    };
    // Callers cannot see the override that a string comes from.
    let no_overrides = OverrideReport::default();
    match surface::between(&old.source, &new.source, &no_overrides) {
        Ok(differences) => Surfaces::Compared(differences),
        Err(stops) => {
            let mut findings = Vec::new();
            for (document, stop) in [old, new].into_iter().zip(stops) {
                if let Some(stop) = stop {
                    findings.extend_from_slice(document.attribute(stop).findings());
                }
            }
            Surfaces::Unknown(findings)
        }
    }
}

/// Returns the reasons why a side has no Rust, each once.
fn obstacles(sides: &[Side; 2]) -> Vec<Finding> {
    let reasons = sides.iter().filter_map(|side| side.callers.as_ref().err());
    distinct(reasons.flatten().cloned().collect())
}
