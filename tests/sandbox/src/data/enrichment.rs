//! Enrichment: one record for all companies, with each company's facts inserted, reduced to the requested sections.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::arguments::Arguments;
use crate::data::companies::Company;
use crate::data::template::{fill, with};

/// Sections by name. Sections with unpublished content hold made-up values of different forms.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(super) struct Enrichment {
    sections: Map<String, Value>,
}

impl Enrichment {
    pub(super) fn body(&self, company: &Company, arguments: &Arguments) -> Value {
        let wanted = arguments.texts("sections");
        let is_wanted = |name: &str| !arguments.is_given("sections") || wanted.contains(&name);
        let mut data = Map::from_iter([("uuid".to_owned(), company.uuid.clone().into())]);
        for (name, section) in self.sections.iter().filter(|(name, _)| is_wanted(name)) {
            let mut section = fill(section, company);
            if name == "firmographic" {
                section = with(section, facts(company));
            }
            data.insert(name.clone(), section);
        }
        json!({ "data": data })
    }
}

fn facts(company: &Company) -> Value {
    json!({
        "name": company.name,
        "legal_name": company.legal_name,
        "website": company.website(),
        "founded_year": company.founded_year,
        "headcount_range": company.headcount_range,
    })
}
