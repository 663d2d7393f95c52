//! The parameters of an operation that request a page.

use serde_json::{Number, Value};

use super::names::{
    BACKWARDS, CURSORS, FIRST_PAGES, LAST_IDS, LIMITS, OFFSETS, PAGES, is_ordinary, plain,
};
use crate::{Location, Operation, Parameter, ParameterType};

/// The parameters that request a page.
pub(super) struct Asked<'m> {
    pub(super) cursor: Option<(&'m Parameter, &'static [&'static str])>,
    pub(super) last_id: Option<&'m Parameter>,
    pub(super) page: Option<&'m Parameter>,
    pub(super) offset: Option<&'m Parameter>,
    pub(super) limit: Option<&'m Parameter>,
    /// All strings.
    pub(super) texts: Vec<&'m Parameter>,
    /// The parameter for the pages before.
    pub(super) backwards: Option<&'m Parameter>,
}

impl<'m> Asked<'m> {
    pub(super) fn by(operation: &'m Operation) -> Self {
        let ordinary = operation.parameters.iter();
        let mut ordinary = ordinary.filter(|one| is_ordinary(&one.name));
        let query = ordinary
            .clone()
            .filter(|one| one.location == Location::Query);
        let query: Vec<&Parameter> = query.collect();
        let texts: Vec<&Parameter> = query.iter().copied().filter(|one| is_text(one)).collect();
        let integers = query.iter().copied().filter(|one| is_integer(one));
        let integers: Vec<&Parameter> = integers.collect();
        let mut cursors = CURSORS.iter();
        Self {
            cursor: cursors.find_map(|(name, next)| Some((first(&texts, &[*name])?, *next))),
            last_id: first(&texts, &LAST_IDS),
            page: first(&integers, &PAGES),
            offset: first(&integers, &OFFSETS),
            limit: first(&integers, &LIMITS),
            texts,
            backwards: ordinary.find(|one| plain(&one.name).starts_with(BACKWARDS)),
        }
    }

    /// Any that chooses a page or bounds it.
    pub(super) fn any(&self) -> Option<&'m Parameter> {
        let cursor = self.cursor.map(|(cursor, _)| cursor);
        cursor.or(self.page).or(self.offset).or(self.limit)
    }
}

/// Returns the parameter that has the first of these names.
fn first<'m>(parameters: &[&'m Parameter], names: &[&str]) -> Option<&'m Parameter> {
    let mut names = names.iter();
    names.find_map(|name| {
        parameters
            .iter()
            .find(|one| plain(&one.name) == *name)
            .copied()
    })
}

fn is_integer(parameter: &Parameter) -> bool {
    matches!(parameter.kind, ParameterType::Integer(_))
}

fn is_text(parameter: &Parameter) -> bool {
    match &parameter.kind {
        ParameterType::Formatted(runtime) => runtime.is_uuid(),
        kind => *kind == ParameterType::Text,
    }
}

/// Returns whether the description of a parameter has one of these words.
pub(super) fn says(parameter: &Parameter, words: &[&str]) -> bool {
    let description = parameter.text.join(" ").to_lowercase();
    let mut all = description.split(|c: char| !c.is_alphanumeric());
    all.any(|word| words.contains(&word))
}

/// Returns the number of the first page, from the default, the bounds or the description of the parameter.
pub(super) fn first_page(parameter: &Parameter) -> Option<u64> {
    if let Some(default) = parameter.default.as_ref().and_then(Value::as_u64) {
        return Some(default).filter(|default| *default < 2);
    }
    let minimum = parameter.constraints.minimum.as_ref();
    let minimum = minimum.and_then(Number::as_u64);
    let above = parameter.constraints.above.as_ref();
    let is_above_zero = above.and_then(Number::as_u64) == Some(0);
    if minimum == Some(1) || minimum.is_none() && is_above_zero {
        return Some(1);
    }
    let text = parameter.text.join(" ").to_lowercase();
    let found = FIRST_PAGES.iter().find(|(phrase, _)| text.contains(phrase));
    found.map(|(_, first)| *first)
}
