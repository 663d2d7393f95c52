//! Random values.

use serde_json::{Map, Value, json};

use super::{Values, members};
use crate::scalars::{is_free, may_be};

impl Values<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.draw.below(bound)
    }

    fn one_of(&mut self, all: &[Value]) -> Option<Value> {
        let index = self.below(all.len());
        all.get(index).cloned()
    }

    /// Returns a random value; `None` at the maximum depth.
    pub(super) fn any(&mut self, schema: &Value, depth: u8) -> Option<Value> {
        // An object has its constants at any depth.
        if let Some(only) = self.constant(schema) {
            return Some(only);
        }
        let inner = depth.checked_sub(1)?;
        let children = self.document.chosen(schema);
        if !children.is_empty() {
            let index = self.below(children.len());
            let child = children.get(index)?;
            let value = self.any(child, inner)?;
            return self.allowed(child, vec![value]).pop();
        }
        let schema = self.document.flat(schema, 8);
        let is_nullable = may_be(&schema, "null") || schema.get("nullable") == Some(&json!(true));
        if is_nullable && self.below(6) == 0 {
            return Some(Value::Null);
        }
        if let Some(values) = schema.get("enum").and_then(Value::as_array) {
            return self.one_of(values);
        }
        if let Some(members) = members(&schema) {
            let index = self.below(members.len());
            let member = members.get(index)?;
            // A value that its own member does not allow may fit another one, which does not know all of it.
            let value = self.any(member, inner)?;
            return self.allowed(member, vec![value]).pop();
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
