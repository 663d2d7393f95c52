//! The values of required fields that callers need not give: their documented defaults.

use openapi_model::{Model, Property, Scalar, Schema, names, sent_default, variants};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Value;

/// Returns the documented default of a required property, as an expression; `None` for one that callers give.
pub(super) fn default_value(
    model: &Model,
    schema: &Schema,
    property: &Property,
) -> Option<TokenStream> {
    let is_whole = model.resolved(&property.place).scalar() == Some(Scalar::Integer);
    let named = model.referenced(&property.place);
    Some(match sent_default(model, schema, &property.name)? {
        Value::String(text) => match named.filter(|named| !named.texts().is_empty()) {
            Some(named) => {
                let all = variants(named);
                let (_, variant) = all.iter().find(|(value, _)| value == text)?;
                let (name, variant) = (names::ident(&named.name), names::ident(variant));
                quote!(#name::#variant)
            }
            None => quote!(#text.into()),
        },
        Value::Bool(is_true) => quote!(#is_true),
        Value::Array(_) => quote!(::std::vec::Vec::new()),
        Value::Number(number) => {
            let literal = match number.as_i64().filter(|_| is_whole) {
                Some(whole) => Literal::i64_unsuffixed(whole),
                None => Literal::f64_unsuffixed(number.as_f64()?),
            };
            quote!(#literal)
        }
        Value::Null | Value::Object(_) => return None,
    })
}
