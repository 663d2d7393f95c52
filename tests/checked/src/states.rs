//! The values of a schema that a client has to tell apart, and others at random.

use std::collections::BTreeMap;

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Value, json};

use crate::{Document, check};

/// How many states of a place are inside of another one.
const INNER: usize = 12;

/// One value for each state of each place: of an object, all properties and only the required ones, and each property absent, null, and in each
/// of its own states; of a list, empty and with each state of an element; of a union and an enumeration, each member.
pub fn states(document: &Document, schema: &Value) -> Vec<Value> {
    let mut values = Values::new(document, Direction::Request);
    values.states(schema)
}

/// In which direction values travel: properties that are only read are in no request, and those that are only written in no response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client to the service.
    Request,
    /// From the service to the client.
    Response,
}

/// What makes values of the schemas of a document: the same at each run.
pub struct Values<'d> {
    document: &'d Document,
    direction: Direction,
    /// The states of schemas with a name, by the depth that is left.
    known: BTreeMap<(String, u8), Vec<Value>>,
    seed: u64,
}

impl<'d> Values<'d> {
    /// Values that travel in a direction.
    pub fn new(document: &'d Document, direction: Direction) -> Self {
        Self {
            document,
            direction,
            known: BTreeMap::new(),
            seed: 0x5eed,
        }
    }

    /// One value for each state of each place, as [`states`] says. Each is what the schema allows.
    pub fn states(&mut self, schema: &Value) -> Vec<Value> {
        let all = self.within(schema, 6);
        self.allowed(schema, all)
    }

    /// Values at random that the schema allows, at most this many.
    pub fn random(&mut self, schema: &Value, count: usize) -> Vec<Value> {
        let all = (0..count).filter_map(|_| self.any(schema, 5)).collect();
        self.allowed(schema, all)
    }

    fn allowed(&self, schema: &Value, all: Vec<Value>) -> Vec<Value> {
        let mut allowed: Vec<Value> = Vec::new();
        for value in all {
            if check(self.document, schema, &value, "").is_ok() && !allowed.contains(&value) {
                allowed.push(value);
            }
        }
        allowed
    }

    fn within(&mut self, schema: &Value, depth: u8) -> Vec<Value> {
        let Some(inner) = depth.checked_sub(1) else {
            return Vec::new();
        };
        let name = schema.get("$ref").and_then(Value::as_str);
        let key = name.map(|name| (name.to_owned(), depth));
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key)) {
            return known.clone();
        }
        let flat = self.document.flat(schema, 8);
        let found = self.of_flat(&flat, inner);
        if let Some(key) = key {
            self.known.insert(key, found.clone());
        }
        found
    }

    /// The first states of a place inside of another one, and its last, which is null where it may be.
    fn inner(&mut self, schema: &Value, depth: u8) -> Vec<Value> {
        let mut all = self.within(schema, depth);
        let last = all.last().filter(|_| all.len() > INNER).cloned();
        all.truncate(INNER);
        all.extend(last);
        all
    }

    fn of_flat(&mut self, schema: &Value, depth: u8) -> Vec<Value> {
        let mut found = Vec::new();
        if let Some(only) = schema.get("const") {
            found.push(only.clone());
        } else if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            found.extend(values.iter().cloned());
        } else if let Some(members) = members(schema) {
            for member in members {
                found.extend(self.within(&member, depth));
            }
        } else if may_be(schema, "object") || schema.get("properties").is_some() {
            found.extend(self.objects(schema, depth));
        } else if may_be(schema, "array") {
            found.extend(self.lists(schema, depth));
        }
        if may_be(schema, "boolean") && found.is_empty() {
            found.extend([json!(true), json!(false)]);
        }
        if found.is_empty() {
            found.extend(number(schema));
            if may_be(schema, "string") {
                found.extend(texts(schema));
            }
        }
        if may_be(schema, "null") || schema.get("nullable") == Some(&json!(true)) {
            found.push(Value::Null);
        }
        found
    }

    fn lists(&mut self, schema: &Value, depth: u8) -> Vec<Value> {
        if let Some(elements) = schema.get("prefixItems").and_then(Value::as_array) {
            let first = |element| self.inner(element, depth).into_iter().next();
            let all: Option<Vec<Value>> = elements.iter().map(first).collect();
            return all.map(Value::from).into_iter().collect();
        }
        let items = schema.get("items").map(|items| self.inner(items, depth));
        let items = items.unwrap_or_default();
        let least = schema
            .get("minItems")
            .and_then(Value::as_u64)
            .unwrap_or(1)
            .max(1);
        let mut found = vec![json!([])];
        for (index, _) in items.iter().enumerate() {
            let around = items.iter().cycle().skip(index);
            found.push(around.take(least as usize).cloned().collect());
        }
        if items.len() > 1 {
            found.push(items.iter().take(3).cloned().collect());
        }
        found
    }

    /// The properties that travel, with whether each is always there.
    fn properties<'s>(&self, schema: &'s Value) -> Vec<(&'s String, &'s Value, bool)> {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array);
        // Another name of a property is no property of its own.
        let is_alias = |name: &String| {
            let mut all = properties.into_iter().flatten();
            all.any(|(_, property)| {
                let aliases = property.get("x-aliases").and_then(Value::as_array);
                aliases.is_some_and(|aliases| aliases.iter().any(|alias| alias == name))
            })
        };
        let all = properties
            .into_iter()
            .flatten()
            .filter(|(name, _)| !is_alias(name))
            .filter_map(|(name, property)| {
                let flat = self.document.flat(property, 8);
                let other_way = match self.direction {
                    Direction::Request => "readOnly",
                    Direction::Response => "writeOnly",
                };
                if flat.get(other_way) == Some(&json!(true)) {
                    return None;
                }
                // A client writes a constant without being asked.
                let values = flat.get("enum").and_then(Value::as_array);
                let is_constant =
                    flat.get("const").is_some() || values.is_some_and(|values| values.len() == 1);
                let is_required = required.is_some_and(|all| all.iter().any(|one| one == name));
                Some((name, property, is_constant || is_required))
            });
        all.collect()
    }

    fn objects(&mut self, schema: &Value, depth: u8) -> Vec<Value> {
        let properties = self.properties(schema);
        let all: Vec<(&String, Vec<Value>, bool)> = properties
            .into_iter()
            .map(|(name, property, is_required)| (name, self.inner(property, depth), is_required))
            .collect();
        let first = |is_wanted: &dyn Fn(bool) -> bool| -> Map<String, Value> {
            let wanted = all
                .iter()
                .filter(|(_, _, is_required)| is_wanted(*is_required));
            let first = wanted
                .filter_map(|(name, states, _)| Some(((*name).clone(), states.first()?.clone())));
            first.collect()
        };
        let (whole, least) = (first(&|_| true), first(&|is_required| is_required));
        let mut found = vec![whole.clone().into(), least.into()];
        for (name, states, is_required) in &all {
            if !is_required {
                let mut without = whole.clone();
                without.remove(*name);
                found.push(without.into());
            }
            for state in states {
                let mut with = whole.clone();
                with.insert((*name).clone(), state.clone());
                found.push(with.into());
            }
        }
        if let Some(others) = schema
            .get("additionalProperties")
            .filter(|others| others.is_object())
        {
            for state in self.inner(others, depth) {
                let mut with = whole.clone();
                with.insert("another one".to_owned(), state);
                found.push(with.into());
            }
        }
        found
    }

    /// A number below a bound; 0 without one.
    fn below(&mut self, bound: usize) -> usize {
        // SplitMix64.
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.seed;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = mixed ^ (mixed >> 31);
        (mixed as usize).checked_rem(bound).unwrap_or_default()
    }

    fn one_of(&mut self, all: &[Value]) -> Option<Value> {
        let index = self.below(all.len());
        all.get(index).cloned()
    }

    /// A value at random; `None` where the depth is used up.
    fn any(&mut self, schema: &Value, depth: u8) -> Option<Value> {
        let inner = depth.checked_sub(1)?;
        let schema = self.document.flat(schema, 8);
        let is_nullable = may_be(&schema, "null") || schema.get("nullable") == Some(&json!(true));
        if is_nullable && self.below(6) == 0 {
            return Some(Value::Null);
        }
        if let Some(only) = schema.get("const") {
            return Some(only.clone());
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return self.one_of(values);
        }
        if let Some(members) = members(&schema) {
            let index = self.below(members.len());
            return self.any(members.get(index)?, inner);
        }
        if may_be(&schema, "object") || schema.get("properties").is_some() {
            let mut object = Map::new();
            for (name, property, is_required) in self.properties(&schema) {
                if (is_required || self.below(2) == 0)
                    && let Some(value) = self.any(property, inner)
                {
                    object.insert(name.clone(), value);
                }
            }
            if let Some(others) = schema
                .get("additionalProperties")
                .filter(|others| others.is_object())
            {
                for index in 0..self.below(3) {
                    object.extend(
                        self.any(others, inner)
                            .map(|value| (format!("other {index}"), value)),
                    );
                }
            }
            return Some(object.into());
        }
        if may_be(&schema, "array") && schema.get("prefixItems").is_none() {
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0) as usize;
            let count = least + self.below(4);
            let items = schema.get("items")?;
            return Some((0..count).filter_map(|_| self.any(items, inner)).collect());
        }
        let all = self.of_flat(&schema, inner);
        match all.first() {
            Some(Value::String(_)) if is_free(&schema) => {
                let length = self.below(9);
                let alphabet: Vec<char> =
                    "aZ09 -_.~!*'();:@&=+$,/?#[]%\"\\<>\u{e4}\u{20ac}\u{1f600}\n"
                        .chars()
                        .collect();
                let text = (0..length).filter_map(|_| alphabet.get(self.below(alphabet.len())));
                Some(text.collect::<String>().into())
            }
            Some(Value::Number(one)) if one.is_i64() => {
                let low = schema
                    .get("minimum")
                    .and_then(Value::as_i64)
                    .unwrap_or(-1000);
                let high = schema
                    .get("maximum")
                    .and_then(Value::as_i64)
                    .unwrap_or(1_000_000);
                let span = usize::try_from(high.saturating_sub(low))
                    .unwrap_or(1)
                    .max(1);
                Some(json!(low.saturating_add(self.below(span) as i64)))
            }
            _ => self.one_of(&all),
        }
    }
}

fn may_be(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::Array(all)) => all.iter().any(|one| one == name),
        Some(one) => one == name,
        None => false,
    }
}

/// The members of a union, each with what the schema says beside it, and with the value of the discriminator that selects it.
fn members(schema: &Value) -> Option<Vec<Value>> {
    let key = ["oneOf", "anyOf"]
        .into_iter()
        .find(|key| schema.get(key).is_some_and(Value::is_array))?;
    let mut beside = schema.as_object()?.clone();
    let all = beside.remove(key)?;
    let discriminator = beside.remove("discriminator");
    for annotation in ["nullable", "default", "example", "title", "description"] {
        beside.remove(annotation);
    }
    let property = discriminator
        .as_ref()
        .and_then(|one| one.get("propertyName"))
        .and_then(Value::as_str);
    let mapping = discriminator
        .as_ref()
        .and_then(|one| one.get("mapping"))
        .and_then(Value::as_object);
    let members = all.as_array()?.iter().map(|member| {
        let mut parts = vec![member.clone()];
        let target = member.get("$ref").and_then(Value::as_str);
        if let (Some(property), Some(target)) = (property, target) {
            let name = target.rsplit('/').next().unwrap_or_default();
            let mapped = mapping
                .into_iter()
                .flatten()
                .find(|(_, to)| *to == target || *to == name);
            let tag = mapped.map_or(name, |(tag, _)| tag.as_str());
            parts.push(json!({"required": [property], "properties": {property: {"enum": [tag]}}}));
        }
        let mut whole = beside.clone();
        match (whole.is_empty(), parts.len()) {
            (true, 1) => member.clone(),
            _ => {
                whole.insert("allOf".to_owned(), parts.into());
                whole.into()
            }
        }
    });
    Some(members.collect())
}

fn number(schema: &Value) -> Option<Value> {
    let is_whole = may_be(schema, "integer");
    if !is_whole && !may_be(schema, "number") {
        return None;
    }
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let low = bound("minimum").or(bound("exclusiveMinimum"));
    let high = bound("maximum").or(bound("exclusiveMaximum"));
    let unit = bound("multipleOf").filter(|of| *of > 0.0);
    let usual = if is_whole { 7.0 } else { 1.5 };
    let fits =
        |number: f64| low.is_none_or(|low| number > low) && high.is_none_or(|high| number < high);
    let middle = match (low, high) {
        (Some(low), Some(high)) => (low + high) / 2.0,
        (Some(low), None) => low + 1.0,
        (None, Some(high)) => high - 1.0,
        (None, None) => usual,
    };
    let number = if fits(usual) { usual } else { middle };
    let number = unit.map_or(number, |unit| (number / unit).ceil().max(1.0) * unit);
    Some(match is_whole {
        true => json!(number.floor() as i64),
        false => json!(number),
    })
}

/// Whether nothing is said of a string but that it is one.
fn is_free(schema: &Value) -> bool {
    [
        "format",
        "pattern",
        "minLength",
        "maxLength",
        "contentMediaType",
        "contentEncoding",
    ]
    .iter()
    .all(|key| schema.get(key).is_none())
}

fn texts(schema: &Value) -> Vec<Value> {
    let pattern = schema.get("pattern").and_then(Value::as_str);
    if let Some(text) = pattern.and_then(matching) {
        let examples = ["example", "default"]
            .into_iter()
            .filter_map(|key| schema.get(key).cloned());
        return [json!(text)].into_iter().chain(examples).collect();
    }
    let format = schema.get("format").and_then(Value::as_str);
    let text = match format {
        Some("date-time") => "2026-01-02T03:04:05Z",
        Some("date") => "2026-01-02",
        Some("uuid" | "uuid4") => "00000000-0000-4000-8000-000000000001",
        Some("uri" | "url") => "https://example.com/a",
        Some("email") => "a@example.com",
        Some("byte") => "YWI=",
        Some("decimal") => "1.50",
        _ => "a \"b\" \u{e4}",
    };
    let limit = |key: &str| schema.get(key).and_then(Value::as_u64);
    let mut text = text.to_owned();
    while limit("minLength").is_some_and(|least| (text.chars().count() as u64) < least) {
        text.push('z');
    }
    if let Some(most) = limit("maxLength") {
        text = text
            .chars()
            .take(usize::try_from(most).unwrap_or(usize::MAX))
            .collect();
    }
    let reserved = is_free(schema).then(|| json!("a,b;c=d&e/f?g|h+%20."));
    [json!(text)].into_iter().chain(reserved).collect()
}

/// The shortest text that a pattern matches, where its syntax is known.
fn matching(pattern: &str) -> Option<String> {
    let hir = regex_syntax::Parser::new().parse(pattern).ok()?;
    let mut text = String::new();
    write(&hir, &mut text).then_some(text)
}

fn write(hir: &Hir, text: &mut String) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => true,
        HirKind::Literal(literal) => {
            let literal = std::str::from_utf8(&literal.0);
            literal.map(|literal| text.push_str(literal)).is_ok()
        }
        HirKind::Class(Class::Unicode(class)) => {
            let preferred = ['a', 'A', '1', '-', ' '];
            let contains = |c: &char| {
                class
                    .iter()
                    .any(|range| (range.start()..=range.end()).contains(c))
            };
            let first = class.iter().next().map(|range| range.start());
            let found = preferred.into_iter().find(contains).or(first);
            found.map(|c| text.push(c)).is_some()
        }
        HirKind::Class(Class::Bytes(_)) => false,
        HirKind::Repetition(repetition) => {
            let count = repetition.min.max(u32::from(repetition.max != Some(0)));
            (0..count).all(|_| write(&repetition.sub, text))
        }
        HirKind::Capture(capture) => write(&capture.sub, text),
        HirKind::Concat(parts) => parts.iter().all(|part| write(part, text)),
        HirKind::Alternation(parts) => parts.first().is_some_and(|part| write(part, text)),
    }
}
