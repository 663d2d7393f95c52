//! Compares the table of keywords with the table of rules.

use openapi_diff::RULES;
use openapi_document::keywords::{KEYWORDS, Role, Takes};

/// A keyword that no rule names constrains no value, or contains schemas that do.
#[test]
fn every_keyword_that_allows_or_refuses_values_is_in_a_rule() {
    let leads_on = [Takes::Schema, Takes::Schemas, Takes::NamedSchemas];
    let without = KEYWORDS.iter().filter(|row| {
        let is_open = matches!(row.role, Role::Words | Role::Name | Role::Reference);
        !(is_open
            || leads_on.contains(&row.takes)
            || RULES
                .iter()
                .any(|rule| !rule.is_whole() && rule.is_about(row.name)))
    });
    assert_eq!(without.map(|row| row.name).collect::<Vec<_>>(), [""; 0]);
}
