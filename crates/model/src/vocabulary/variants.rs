//! The variants that the values of an enumeration become: unique, and always identifiers.

use std::collections::HashSet;

use super::schema::Schema;
use crate::names;

/// The variant that holds values that the document does not list.
const CATCH_ALL: &str = "Unrecognized";

/// Signs that are values, or distinguish two of them.
const SIGNS: [(char, &str); 22] = [
    ('!', "Not"),
    ('#', "Hash"),
    ('$', "Dollar"),
    ('%', "Percent"),
    ('&', "And"),
    ('*', "Star"),
    ('+', "Plus"),
    (',', "Comma"),
    ('-', "Minus"),
    ('.', "Dot"),
    ('/', "Slash"),
    (':', "Colon"),
    (';', "Semicolon"),
    ('<', "Less"),
    ('=', "Equal"),
    ('>', "Greater"),
    ('?', "Question"),
    ('@', "At"),
    ('^', "Caret"),
    ('_', "Underscore"),
    ('|', "Bar"),
    ('~', "Tilde"),
];

/// Returns the strings of an enumeration with the variants that they become.
pub fn variants(schema: &Schema) -> Vec<(&str, String)> {
    let values: Vec<&str> = schema.texts().iter().map(String::as_str).collect();
    let mut taken = HashSet::from([CATCH_ALL.to_owned()]);
    // Each keeps its natural name if it is the first of that name, whatever the others are called.
    let labels = &schema.place.labels;
    let mut names: Vec<Option<String>> = values
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let label = labels.get(index).and_then(|label| label.name.as_deref());
            label.map_or_else(|| natural(value), names::pascal)
        })
        .map(|name| Some(name).filter(|name| taken.insert(name.clone())))
        .collect();
    for (value, name) in values.iter().zip(&mut names) {
        if name.is_none() {
            let unique = names::unique(&natural(value), |name| taken.insert(name.to_owned()));
            *name = Some(unique);
        }
    }
    let names = names.into_iter().map(Option::unwrap_or_default);
    values.into_iter().zip(names).collect()
}

fn natural(value: &str) -> String {
    if value.is_empty() || value.chars().any(names::is_part) {
        names::pascal(value)
    } else {
        spelled(value)
    }
}

/// Spells a string without letters and digits: the names of its signs, or their numbers.
pub(crate) fn spelled(value: &str) -> String {
    let spelled = value.chars().map(|c| {
        let sign = SIGNS.iter().find(|(sign, _)| *sign == c);
        sign.map_or_else(
            || format!("U{:x}", u32::from(c)),
            |(_, name)| (*name).to_owned(),
        )
    });
    spelled.collect()
}
