//! The list of the handles of a client: a template, formatted as rustfmt does.

use openapi_model::{Handle, Model};

use super::sources::condition;

/// The module that declares the handles. Those of a group need its feature.
pub(super) fn list(model: &Model) -> String {
    let of_handle = |handle: &Handle| {
        let mut operations = model.operations.iter();
        let behind = operations.find(|one| one.handle.as_ref() == Some(&handle.name));
        behind.map_or_else(String::new, |one| condition(model, one))
    };
    let head = "//! The operations by tag: handles, which the methods of [`Client`](crate::Client) return.\n";
    let declared = model
        .handles
        .iter()
        .map(|handle| format!("{}mod {};\n", of_handle(handle), handle.name));
    let exported = model.handles.iter().map(|handle| {
        format!(
            "{}pub use {}::{};\n",
            of_handle(handle),
            handle.name,
            handle.type_name
        )
    });
    format!(
        "{head}\n{}\n{}",
        declared.collect::<String>(),
        exported.collect::<String>()
    )
}
