//! Inline schemas that the document names with `x-rust-type-name`. Equal ones with the same name are one type.

use openapi_schemas::reading::is_same;
use serde_json::Value;

use super::naming::RESERVED;
use super::registry::SchemaRegistry;
use super::same::is_of_place;
use super::type_name::TYPE_NAME;
use crate::names;

/// The type of an inline schema with a name.
pub(super) fn named_inline<'d>(
    registry: &mut SchemaRegistry<'d>,
    schema: &'d Value,
) -> Option<String> {
    let wanted = schema.get(TYPE_NAME)?.as_str()?;
    let name = names::pascal(wanted);
    if RESERVED.contains(&name.as_str()) {
        registry.written.naming.reserve(&name);
    }
    let at = registry.written.pointer(schema);
    if registry.written.naming.give(&at, wanted) {
        return Some(name);
    }
    let source = registry.written.source;
    let first = registry
        .written
        .naming
        .at(&name)
        .and_then(|at| source.value.pointer(at));
    let mut document = registry.written.document.borrow_mut();
    let is_shared = first.is_some_and(|first| is_same(&mut document, first, schema, is_of_place));
    drop(document);
    if is_shared {
        registry.written.naming.note(&at, &name);
        return Some(name);
    }
    let other = registry.written.naming.give_unique(&at, wanted);
    registry.renamed(&at, wanted, &other);
    Some(other)
}
