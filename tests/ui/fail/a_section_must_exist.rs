//! Sections are a closed list: a section that does not exist is not asked for.

use company_intel::types::EnrichmentSection;

fn main() {
    let _ = EnrichmentSection::Weather;
}
