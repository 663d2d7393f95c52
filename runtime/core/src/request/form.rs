//! Bodies of `application/x-www-form-urlencoded`: pairs of a name and a value.

use serde::Serialize;

use crate::request::style::ParameterStyle;
use crate::request::tree::Tree;
use crate::transport::encode::encode;

/// The pairs of a form, in order.
///
/// A list is a pair for each element, and nested values are JSON: the default of OpenAPI for properties without an encoding.
#[derive(Debug, Clone, Default)]
pub struct Form {
    pairs: Vec<String>,
    problem: Option<String>,
}

impl Form {
    /// Makes a form without pairs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the form of an object. `styles` lists the properties that have an encoding.
    pub fn of(value: &(impl Serialize + ?Sized), styles: &[(&str, ParameterStyle)]) -> Self {
        let mut form = Self::new();
        match Tree::of(value) {
            Ok(Tree::Object(members)) => {
                for (name, value) in &members {
                    let style = styles.iter().find(|(property, _)| property == name);
                    form.add(name, style.map(|(_, style)| *style), value);
                }
            }
            Ok(_) => form.problem = Some("is not an object, as a form requires".to_owned()),
            Err(problem) => form.problem = Some(problem),
        }
        form
    }

    /// Adds a value in the style of its encoding, if it has one. An absent value adds nothing.
    pub fn value(
        &mut self,
        name: &str,
        style: Option<ParameterStyle>,
        value: &(impl Serialize + ?Sized),
    ) -> &mut Self {
        match Tree::of(value) {
            Ok(value) => self.add(name, style, &value),
            Err(problem) => self.refuse(name, &problem),
        }
        self
    }

    /// Returns whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.problem.is_none()
    }

    fn add(&mut self, name: &str, style: Option<ParameterStyle>, value: &Tree) {
        if let Some(style) = style {
            match style.expand(name, value) {
                Ok(pairs) => self.pairs.extend(pairs),
                Err(problem) => self.refuse(name, &problem),
            }
            return;
        }
        let items = match value {
            Tree::List(items) => items.as_slice(),
            value => std::slice::from_ref(value),
        };
        for item in items {
            let text = match item {
                Tree::Nothing => continue,
                Tree::Scalar { text, .. } => text.clone(),
                nested => nested.json(),
            };
            self.pairs
                .push(format!("{}={}", encode(&name), encode(&text)));
        }
    }

    fn refuse(&mut self, name: &str, problem: &str) {
        self.problem
            .get_or_insert_with(|| format!("has a property `{name}` that {problem}"));
    }

    pub(crate) fn encode(&self) -> Result<String, String> {
        match &self.problem {
            None => Ok(self.pairs.join("&")),
            Some(problem) => Err(problem.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use crate::request::style::{Place, Style};

    #[test]
    fn a_form_repeats_lists_and_writes_objects_as_json() {
        // The example of OpenAPI 3.1.1, "Encoding the x-www-form-urlencoded Media Type".
        let value = json!({
            "address": {"city": "London"},
            "id": "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "none": null,
            "tags": ["a b", "c&d"],
        });
        assert_eq!(
            Form::of(&value, &[]).encode().unwrap(),
            "address=%7B%22city%22%3A%22London%22%7D&id=f81d4fae-7dec-11d0-a765-00a0c91e6bf6&tags=a%20b&tags=c%26d"
        );
    }

    #[test]
    fn a_property_of_a_form_has_the_style_of_its_encoding() {
        let value = json!({"a": {"x": 1}, "b": [1, 2]});
        let deep = ParameterStyle::new(Place::Query, Style::DeepObject).explode(true);
        let joined = ParameterStyle::new(Place::Query, Style::Form);
        let form = Form::of(&value, &[("a", deep), ("b", joined)]);
        assert_eq!(form.encode().unwrap(), "a%5Bx%5D=1&b=1,2");
        let mut form = Form::new();
        form.value("b", Some(joined), &[1, 2])
            .value("c", None, &None::<u8>);
        assert_eq!(form.encode().unwrap(), "b=1,2");
    }

    #[test]
    fn a_body_that_is_not_a_form_is_refused() {
        assert!(Form::new().is_empty());
        assert!(
            Form::of(&[1], &[])
                .encode()
                .unwrap_err()
                .contains("not an object")
        );
        let mut form = Form::new();
        form.value("a", None, &BTreeMap::from([([1], 2)]));
        assert_eq!(
            form.encode().unwrap_err(),
            "has a property `a` that cannot be written: key must be a string"
        );
        assert!(!form.is_empty());
    }
}
