//! Records in bulk: templates taken in turn, with a company's names put in the places `{name}`, `{legal_name}`, `{category}` and `{website}`.

use serde_json::Value;

use crate::data::companies::Company;

/// `count` records with their number from 0.
pub(super) fn bulk(templates: &[Value], company: &Company, count: usize) -> Vec<(u64, Value)> {
    let templates = templates.iter().cycle().take(count);
    let records = templates.map(|template| fill(template, company));
    (0..).zip(records).collect()
}

/// The template with the company's names.
pub(super) fn fill(template: &Value, company: &Company) -> Value {
    match template {
        Value::String(text) => text
            .replace("{name}", &company.name)
            .replace("{legal_name}", &company.legal_name)
            .replace("{category}", &company.product_category)
            .replace("{website}", &company.website())
            .into(),
        Value::Array(items) => items.iter().map(|item| fill(item, company)).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(name, value)| (name.clone(), fill(value, company)))
            .collect(),
        other => other.clone(),
    }
}

/// The record with these properties added; what the record has already stays.
pub(super) fn with(mut record: Value, properties: Value) -> Value {
    if let (Some(record), Value::Object(properties)) = (record.as_object_mut(), properties) {
        for (name, value) in properties {
            record.entry(name).or_insert(value);
        }
    }
    record
}

/// Reviews per provider.
pub(super) fn by_provider(reviews: &[Value]) -> Value {
    let mut counts = serde_json::Map::new();
    for provider in reviews.iter().filter_map(|review| review.get("provider")) {
        let provider = provider.as_str().unwrap_or_default();
        let count = counts.get(provider).and_then(Value::as_u64);
        counts.insert(provider.to_owned(), (count.unwrap_or_default() + 1).into());
    }
    counts.into()
}
