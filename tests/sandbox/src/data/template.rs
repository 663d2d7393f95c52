//! Many records: templates used in turn, with a company's names in place of `{name}`, `{legal_name}`, `{category}` and `{website}`.

use serde_json::Value;

use crate::data::companies::Company;

/// Returns `count` records, numbered from 0.
pub(super) fn bulk(templates: &[Value], company: &Company, count: usize) -> Vec<(u64, Value)> {
    let templates = templates.iter().cycle().take(count);
    let records = templates.map(|template| fill(template, company));
    (0..).zip(records).collect()
}

/// Returns the template with the company's names.
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

/// Returns the record with these properties added; existing ones stay.
pub(super) fn with(mut record: Value, properties: Value) -> Value {
    if let (Some(record), Value::Object(properties)) = (record.as_object_mut(), properties) {
        for (name, value) in properties {
            record.entry(name).or_insert(value);
        }
    }
    record
}

/// Counts reviews per provider.
pub(super) fn by_provider(reviews: &[Value]) -> Value {
    let mut counts = serde_json::Map::new();
    for provider in reviews.iter().filter_map(|review| review.get("provider")) {
        let provider = provider.as_str().unwrap_or_default();
        let count = counts.get(provider).and_then(Value::as_u64);
        counts.insert(provider.to_owned(), (count.unwrap_or_default() + 1).into());
    }
    counts.into()
}
