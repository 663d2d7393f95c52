//! The list of the handles of a client: a template, formatted as rustfmt does.

use openapi_model::{Handle, Model};

use super::sources::condition;

/// The module that declares the handles. Those of a group need its feature.
pub(super) fn list(model: &Model) -> String {
    let (mut declared, mut exported) = (String::new(), String::new());
    for Handle {
        name, type_name, ..
    } in &model.handles
    {
        let mut operations = model.operations.iter();
        let behind = operations.find(|one| one.handle.as_ref() == Some(name));
        let condition = behind.map_or_else(String::new, |one| condition(model, one));
        declared.push_str(&format!("{condition}mod {name};\n"));
        exported.push_str(&format!("{condition}pub use {name}::{type_name};\n"));
    }
    let head = "//! The operations by tag: handles, which the methods of [`Client`](crate::Client) return.\n";
    format!("{head}\n{declared}\n{exported}")
}
