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
    /// Makes the form of an object. `styles` lists the properties that have an encoding.
    pub fn of(value: &(impl Serialize + ?Sized), styles: &[(&str, ParameterStyle)]) -> Self {
        let mut form = Self::default();
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
        let query = |style| ParameterStyle::new(Place::Query, style);
        let deep = query(Style::DeepObject).explode(true);
        let form = Form::of(&value, &[("a", deep), ("b", query(Style::Form))]);
        assert_eq!(form.encode().unwrap(), "a%5Bx%5D=1&b=1,2");
    }

    #[test]
    fn a_body_that_is_not_a_form_is_refused() {
        let refusal = |form: Form| form.encode().unwrap_err();
        assert!(refusal(Form::of(&[1], &[])).contains("not an object"));
        let unnamed = BTreeMap::from([([1], 2)]);
        assert!(refusal(Form::of(&unnamed, &[])).contains("key must be a string"));
    }
}
