//! Renamed properties: one removed and one added to the same schema, with no other candidates.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use openapi_document::keywords::is_words;
use serde_json::Value;

use openapi_schemas::reading::{Member, names_types};

/// Keywords of a property without documentation and extensions, and whether it is required.
type Said<'d> = (Vec<(&'d str, &'d Value)>, bool);

/// Returns pairs of an old name and a new one.
pub(super) fn renames<'d>(
    before: &BTreeMap<&'d str, Member<'d>>,
    after: &BTreeMap<&'d str, Member<'d>>,
) -> Vec<(&'d str, &'d str)> {
    let (gone, come) = (left(before, after), left(after, before));
    let (alone, others) = (by_schema(&gone), by_schema(&come));
    let mut found = Vec::new();
    for (name, schema) in &gone {
        let is_alone = alone.get(schema).is_some_and(|names| names.len() == 1);
        if let (Some([other]), true) = (others.get(schema).map(Vec::as_slice), is_alone)
            && (is_telling(schema) || !words(name).is_disjoint(&words(other)))
        {
            found.push((*name, *other));
        }
    }
    found
}

/// Returns the properties that the others lack.
fn left<'d>(
    all: &BTreeMap<&'d str, Member<'d>>,
    others: &BTreeMap<&'d str, Member<'d>>,
) -> Vec<(&'d str, Said<'d>)> {
    let left = all.iter().filter(|(name, _)| !others.contains_key(*name));
    let left = left.filter_map(|(name, property)| Some((*name, said(property)?)));
    left.collect()
}

/// Returns the names with each schema.
fn by_schema<'s, 'd>(all: &'s [(&'d str, Said<'d>)]) -> HashMap<&'s Said<'d>, Vec<&'d str>> {
    let mut by_schema: HashMap<&Said<'d>, Vec<&'d str>> = HashMap::new();
    for (name, schema) in all {
        by_schema.entry(schema).or_default().push(name);
    }
    by_schema
}

/// Returns the schema of a property without documentation and extensions, and whether it is required. `None` if several schemas declare it.
fn said<'d>(property: &Member<'d>) -> Option<Said<'d>> {
    let [schema] = property.parts.as_slice() else {
        return None;
    };
    let mut keywords: Vec<(&str, &Value)> = schema
        .as_object()?
        .iter()
        .map(|(keyword, value)| (keyword.as_str(), value))
        .filter(|(keyword, _)| !is_words(keyword) && !keyword.starts_with("x-"))
        .collect();
    keywords.sort_by_key(|(keyword, _)| *keyword);
    Some((keywords, property.required.is_some()))
}

/// Returns whether a schema has more than a type that any property may have.
fn is_telling((keywords, _): &Said<'_>) -> bool {
    keywords.iter().any(|(keyword, _)| !names_types(keyword))
}

/// Returns the words of a name, in lowercase.
fn words(name: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut word = String::new();
    let mut was_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || was_small && c.is_uppercase() {
            words.insert(std::mem::take(&mut word));
        }
        was_small = c.is_lowercase();
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
    }
    words.insert(word);
    words.remove("");
    words
}
