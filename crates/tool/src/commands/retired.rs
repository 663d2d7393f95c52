//! The overrides that go, and the files that go with them: their evidence.

use std::io::{self, Write};

use openapi_overrides::{Override, Retired};

use super::status::line;
use crate::install::Changes;
use client_generator::generate::Layout;

/// Prints the overrides that go, with the reasons.
pub(crate) fn print(retired: &[Retired], out: &mut dyn Write) -> io::Result<()> {
    for Retired { by, reason } in retired {
        line(out, "Retired", &format!("{} ({reason})", by.source.path))?;
    }
    Ok(())
}

/// Deletes the retired overrides and what only they had. Evidence that another override names stays.
pub(crate) fn changes(layout: &Layout, retired: &[Retired], kept: &[Override]) -> Changes {
    let mut gone = Vec::new();
    for Retired { by, .. } in retired {
        gone.push(by.source.path.clone());
        for file in &by.about.evidence {
            if !kept.iter().any(|one| one.about.evidence.contains(file)) {
                gone.push(format!("{}/{file}", layout.overrides));
            }
        }
    }
    gone.sort();
    gone.dedup();
    gone.retain(|file| layout.root.join(file).exists());
    gone.into_iter().map(|file| (file, None)).collect()
}
