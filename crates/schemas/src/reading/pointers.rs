//! Locations of the values of a document, found from the values.

use std::borrow::Cow;
use std::collections::HashMap;

use openapi_document::pointer;
use serde_json::Value;

/// The value around each value and its key there, by the address of the value.
#[derive(Default)]
pub(super) struct Pointers<'d> {
    around: HashMap<*const Value, (*const Value, Cow<'d, str>)>,
}

impl<'d> Pointers<'d> {
    /// Reads a document.
    pub(super) fn read(root: &'d Value) -> Self {
        let mut pointers = Self::default();
        let mut waiting = vec![root];
        while let Some(value) = waiting.pop() {
            let inner: Vec<(Cow<'d, str>, &'d Value)> = match value {
                Value::Object(map) => map.iter().map(|(key, one)| (key.into(), one)).collect(),
                Value::Array(list) => {
                    let list = list.iter().enumerate();
                    list.map(|(index, one)| (index.to_string().into(), one))
                        .collect()
                }
                _ => continue,
            };
            for (key, one) in inner {
                pointers.around.insert(one, (value, key));
                waiting.push(one);
            }
        }
        pointers
    }

    /// Returns the location of a value; that of the whole document for a value of none of its objects and lists.
    pub(super) fn pointer(&self, value: &Value) -> String {
        let mut keys = Vec::new();
        let mut at = std::ptr::from_ref(value);
        while let Some((around, key)) = self.around.get(&at) {
            keys.push(key);
            at = *around;
        }
        let keys = keys.into_iter().rev();
        keys.fold(String::new(), |pointer, key| pointer::join(&pointer, key))
    }
}
