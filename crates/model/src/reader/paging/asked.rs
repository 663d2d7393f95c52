//! The parameters of an operation that request a page.

use serde_json::Value;

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
    /// Two parameters of any type that look like the position and the size of a page.
    pub(super) pair: Option<[&'m Parameter; 2]>,
    /// The parameter for the pages before.
    pub(super) backwards: Option<&'m Parameter>,
}

impl<'m> Asked<'m> {
    pub(super) fn by(operation: &'m Operation) -> Self {
        let query = |is: fn(&ParameterType) -> bool, name: &str| {
            let mut parameters = operation.parameters.iter();
            parameters.find(|one| {
                one.location == Location::Query
                    && is(&one.kind)
                    && is_ordinary(&one.name)
                    && plain(&one.name) == name
            })
        };
        let is_integer = |kind: &ParameterType| matches!(kind, ParameterType::Integer(_));
        let is_text = |kind: &ParameterType| match kind {
            ParameterType::Formatted(runtime) => runtime.is_uuid(),
            kind => *kind == ParameterType::Text,
        };
        let is_any = |_: &ParameterType| true;
        let first = |is, names: &[&str]| names.iter().find_map(|name| query(is, name));
        let mut cursors = CURSORS.iter();
        let mut positions = CURSORS.iter().map(|(name, _)| *name);
        let position = positions
            .find_map(|name| query(is_any, name))
            .or_else(|| first(is_any, &LAST_IDS))
            .or_else(|| first(is_any, &PAGES))
            .or_else(|| first(is_any, &OFFSETS));
        let size = first(is_any, &LIMITS);
        let texts = operation.parameters.iter();
        let texts = texts.filter(|one| one.location == Location::Query && is_text(&one.kind));
        Self {
            pair: position.zip(size).map(|(position, size)| [position, size]),
            texts: texts.filter(|one| is_ordinary(&one.name)).collect(),
            cursor: cursors.find_map(|(name, next)| Some((query(is_text, name)?, *next))),
            last_id: first(is_text, &LAST_IDS),
            page: first(is_integer, &PAGES),
            offset: first(is_integer, &OFFSETS),
            limit: first(is_integer, &LIMITS),
            backwards: (operation.parameters.iter())
                .find(|one| is_ordinary(&one.name) && plain(&one.name).starts_with(BACKWARDS)),
        }
    }

    /// Any that chooses a page or bounds it.
    pub(super) fn any(&self) -> Option<&'m Parameter> {
        let cursor = self.cursor.map(|(cursor, _)| cursor);
        cursor.or(self.page).or(self.offset).or(self.limit)
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
    let number = |number: &Option<serde_json::Number>| number.as_ref()?.as_u64();
    let bounds = &parameter.constraints;
    if let Some(least) = number(&bounds.minimum).or_else(|| Some(number(&bounds.above)? + 1))
        && least == 1
    {
        return Some(1);
    }
    let text = parameter.text.join(" ").to_lowercase();
    let found = FIRST_PAGES.iter().find(|(phrase, _)| text.contains(phrase));
    found.map(|(_, first)| *first)
}
