//! Hashes that are equal for equivalent schemas.

use std::hash::{DefaultHasher, Hash, Hasher};

use openapi_document::resolver::reference;
use serde_json::Value;

use super::document::{Document, FingerprintKey};
use super::keywords::{is_wrapping, says_nothing};
use super::read::read;
use super::site::Site;
use super::types;

/// Returns a hash that is equal for schemas that are equivalent down to `depth`.
pub fn fingerprint<'d>(document: &mut Document<'d>, site: &Site<'d>, depth: u8) -> u64 {
    let meant = match site.parts.as_slice() {
        [part]
            if reference(part).is_some() && part.as_object().is_some_and(|map| map.len() == 1) =>
        {
            document.object(part).unwrap_or(part)
        }
        [part] => part,
        _ => site.home,
    };
    let key = FingerprintKey {
        address: std::ptr::from_ref(meant),
        depth,
        or_null: site.or_null,
    };
    if let Some(known) = document.fingerprints.get(&key) {
        return *known;
    }
    let number = computed(document, site, depth);
    if site.parts.len() == 1 {
        document.fingerprints.insert(key, number);
    }
    number
}

fn computed<'d>(document: &mut Document<'d>, site: &Site<'d>, depth: u8) -> u64 {
    let reading = read(document, site);
    let mut hasher = DefaultHasher::new();
    (reading.types, reading.null).hash(&mut hasher);
    let mut enum_values: Vec<String> = reading
        .enum_values
        .iter()
        .flatten()
        .map(|enum_value| enum_value.value.to_string())
        .collect();
    enum_values.sort();
    enum_values.hash(&mut hasher);
    // Parts come in any order, so their hashes are added.
    let mut sum: u64 = 0;
    for (keyword, value) in reading
        .parts
        .iter()
        .filter_map(|part| part.as_object())
        .flatten()
    {
        if is_wrapping(keyword) || says_nothing(types::ALL, keyword, value) {
            continue;
        }
        match (keyword.as_str(), value) {
            (
                "type" | "nullable" | "enum" | "const" | "oneOf" | "anyOf" | "discriminator"
                | "required",
                _,
            ) => {}
            ("properties" | "patternProperties", Value::Object(map)) => {
                for (name, schema) in map {
                    let inner = below(document, &Site::new(Some(schema), schema), depth);
                    sum = sum.wrapping_add(hash(&(keyword, name, inner)));
                }
            }
            (
                "items" | "additionalProperties" | "not" | "contains" | "propertyNames",
                Value::Object(_),
            ) => {
                let inner = below(document, &Site::new(Some(value), value), depth);
                sum = sum.wrapping_add(hash(&(keyword, inner)));
            }
            _ => sum = sum.wrapping_add(hash(&(keyword, value.to_string()))),
        }
    }
    for name in reading
        .all("required")
        .filter_map(Value::as_array)
        .flatten()
    {
        sum = sum.wrapping_add(hash(&("required", name.to_string())));
    }
    for one in reading
        .choices
        .iter()
        .flat_map(|choice| &choice.alternatives)
    {
        let inner = below(document, &Site::alternative(one), depth);
        sum = sum.wrapping_add(hash(&("alternative", inner)));
    }
    sum.hash(&mut hasher);
    hasher.finish()
}

/// Returns the hash of a schema one level below; 0 below the last one.
fn below<'d>(document: &mut Document<'d>, site: &Site<'d>, depth: u8) -> u64 {
    let depth = depth.checked_sub(1);
    depth.map_or(0, |depth| fingerprint(document, site, depth))
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
