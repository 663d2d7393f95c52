//! The inputs that a crate was generated from, which shows later which of them changed.

use std::collections::BTreeMap;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::overrides::OverrideSet;
use crate::source::Source;

/// SHA-256 of every input by its path.
pub fn inputs(published: &Source, overrides: &OverrideSet) -> BTreeMap<String, String> {
    std::iter::once(published)
        .chain(overrides.overrides.iter().map(|one| &one.source))
        .chain(&overrides.questions.source)
        .map(|source| (source.path.clone(), fingerprint(&source.text)))
        .collect()
}

fn fingerprint(text: &str) -> String {
    // A checkout may have changed the line ends.
    let digest = Sha256::digest(text.replace("\r\n", "\n").as_bytes());
    digest.iter().fold(String::new(), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

pub(super) fn emit(published: &Source, overrides: &OverrideSet) -> String {
    let mut text = String::from("inputs:\n");
    for (path, digest) in inputs(published, overrides) {
        text.push_str(&format!("  {path}: sha256:{digest}\n"));
    }
    text
}
