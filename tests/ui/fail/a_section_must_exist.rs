//! Sections are a closed list: an unknown section cannot be requested.

use company_intel::types::EnrichmentSection;

fn main() {
    let _ = EnrichmentSection::Weather;
}
