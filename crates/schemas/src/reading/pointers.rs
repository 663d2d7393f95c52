//! Locations of the values of a document, found from the values.

use std::collections::HashMap;

use openapi_document::pointer;
use serde_json::Value;

/// Key of a member, or index of an element.
#[derive(Clone, Copy)]
enum Token<'d> {
    Key(&'d str),
    Index(usize),
}

/// For each value that may be a schema, by its address: the value around it, and its key there.
#[derive(Default)]
pub(super) struct Pointers<'d> {
    around: HashMap<*const Value, (*const Value, Token<'d>)>,
}

impl<'d> Pointers<'d> {
    /// Reads a document.
    pub(super) fn read(root: &'d Value) -> Self {
        let mut pointers = Self::default();
        let mut waiting = vec![root];
        while let Some(value) = waiting.pop() {
            match value {
                Value::Object(map) => {
                    for (key, inner) in map {
                        pointers.add(value, Token::Key(key), inner, &mut waiting);
                    }
                }
                Value::Array(list) => {
                    for (index, inner) in list.iter().enumerate() {
                        pointers.add(value, Token::Index(index), inner, &mut waiting);
                    }
                }
                _ => {}
            }
        }
        pointers
    }

    fn add(
        &mut self,
        around: &'d Value,
        token: Token<'d>,
        value: &'d Value,
        waiting: &mut Vec<&'d Value>,
    ) {
        if !matches!(value, Value::Null | Value::Number(_) | Value::String(_)) {
            self.around.insert(value, (around, token));
            waiting.push(value);
        }
    }

    /// Returns the location of an object, an array or a boolean; that of the whole document for any other value.
    pub(super) fn pointer(&self, value: &Value) -> String {
        let mut tokens = Vec::new();
        let mut at = std::ptr::from_ref(value);
        while let Some((around, token)) = self.around.get(&at) {
            tokens.push(*token);
            at = *around;
        }
        let tokens = tokens.into_iter().rev();
        tokens.fold(String::new(), |pointer, token| match token {
            Token::Key(key) => pointer::join(&pointer, key),
            Token::Index(index) => format!("{pointer}/{index}"),
        })
    }
}
