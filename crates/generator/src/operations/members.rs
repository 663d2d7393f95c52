//! The members of a body whose bounds are checked before it is sent.

use openapi_model::{Body, BodyKind, Model, ParameterType, Place, Schema};
use proc_macro2::TokenStream;
use quote::quote;

use super::checks::{Check, element, is_text, patterns};
use super::value::{self, Argument};
use crate::types::Hold;

/// Returns whether a value of any operation is checked before it is sent.
pub(crate) fn has_checks(model: &Model) -> bool {
    is_checked(model, |value| {
        let on = TokenStream::new();
        !Check::own(value, &on).statements().is_empty()
    })
}

/// Returns whether a value of any operation is checked against a pattern.
pub(crate) fn has_patterns(model: &Model) -> bool {
    is_checked(model, |value| !patterns(value).is_empty())
}

/// Returns whether the format of a value of any operation is checked.
pub(crate) fn has_formats(model: &Model) -> bool {
    is_checked(model, |value| {
        let kind = value.kind.value().map(element);
        value.constraints.format.is_some()
            || matches!(kind, Some(ParameterType::Formatted(runtime)) if runtime.is_native())
    })
}

fn is_checked(model: &Model, is_checked: fn(&Argument) -> bool) -> bool {
    let mut operations = model.operations.iter();
    operations.any(|operation| {
        let mut values = value::arguments(model, operation);
        for body in &operation.bodies {
            values.extend(value::parts(model, body).unwrap_or_default());
            values.extend(members(model, body));
        }
        values.iter().any(is_checked)
    })
}

/// Returns the members of a body whose bounds are checked: plain values, and lists of them, of a struct that only callers make.
pub(super) fn members<'m>(model: &'m Model, body: &'m Body) -> Vec<Argument<'m>> {
    let Some(schema) = sent_struct(model, body) else {
        return Vec::new();
    };
    let mut members = value::properties(model, body, schema);
    members.retain(|member| {
        let place = schema.property(member.wire);
        place.is_some_and(|place| match model.resolved(place).items() {
            Some(items) => {
                let is_nullable = place.nullable || items.nullable;
                let has_newtype = model.referenced(items).is_some() && !is_text(member);
                let has_own_type = place.rust_type.is_some() || place.reference().is_some();
                is_plain(model, items) && !is_nullable && !has_newtype && !has_own_type
            }
            None => is_plain(model, place),
        })
    });
    members
}

/// Returns whether values are scalars without a type that an override chooses.
fn is_plain(model: &Model, place: &Place) -> bool {
    let resolved = model.resolved(place);
    let has_own_type = place.rust_type.is_some() || resolved.rust_type.is_some();
    !has_own_type && resolved.scalar().is_some()
}

/// The struct of a body that only callers make.
pub(super) fn sent_struct<'m>(model: &'m Model, body: &Body) -> Option<&'m Schema> {
    let schema = model.referenced(&body.schema)?;
    let is_own = !schema.usage.response && !body.schema.nullable && schema.object().is_some();
    let is_written = matches!(body.kind, BodyKind::Json | BodyKind::Form);
    (is_own && is_written).then_some(schema)
}

/// Returns the statements that check the members of a body, which code reaches so.
pub(super) fn check(model: &Model, body: &Body, reached: &TokenStream) -> TokenStream {
    let Some(schema) = sent_struct(model, body) else {
        return TokenStream::new();
    };
    let checks = members(model, body).into_iter().map(|member| {
        let place = schema.property(member.wire);
        let is_nullable = place.is_some_and(|place| place.nullable);
        let is_named = place.is_some_and(|place| model.referenced(place).is_some());
        let check = Check {
            owner: reached.clone(),
            hold: match (member.required, is_nullable) {
                (true, false) => Hold::Plain,
                (false, true) => Hold::Nullable,
                _ => Hold::Option,
            },
            is_newtype: is_named && !is_text(&member) && !member.is_list(),
            on: quote!(request),
            argument: &member,
        };
        check.statements()
    });
    checks.collect()
}
