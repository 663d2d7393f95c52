//! The values of members that have one: a type for each, which the fields of structs name.

use std::collections::BTreeMap;

use openapi_model::{Model, names};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Value;

/// The types of constants, by the JSON of their values.
pub(super) struct Constants(BTreeMap<String, (syn::Ident, TokenStream)>);

impl Constants {
    /// Those of all structs of a model.
    pub(super) fn of(model: &Model) -> Self {
        let schemas = model.schemas.iter().filter(|schema| schema.is_visible);
        let properties = schemas.flat_map(|schema| schema.properties());
        let values = properties.filter_map(|property| property.place.constant.as_ref());
        let mut taken = std::collections::HashSet::new();
        let mut all = BTreeMap::new();
        let by_json = values.map(|value| (value.to_string(), value));
        for (json, value) in by_json.collect::<BTreeMap<_, _>>() {
            let Some(literal) = literal(value) else {
                continue;
            };
            let mut name = format!("{}Constant", names::pascal(value.as_str().unwrap_or(&json)));
            while model.schema(&name).is_some() || !taken.insert(name.clone()) {
                name.push('_');
            }
            all.insert(json, (names::ident(&name), literal));
        }
        Self(all)
    }

    /// The type of a field with this value.
    pub(super) fn field(&self, value: &Value) -> TokenStream {
        let name = self.0.get(&value.to_string()).map(|(name, _)| name);
        quote!(::generated_client::wire::Constant<#name>)
    }

    /// Declares the types.
    pub(super) fn declared(&self) -> TokenStream {
        let all = self.0.values();
        let all = all
            .map(|(name, literal)| quote!(::generated_client::wire::constant!(#name, #literal);));
        quote!(#(#all)*)
    }
}

/// A value as a variant of the runtime's literals; `None` where no member has it as its only one.
pub(super) fn literal(value: &Value) -> Option<TokenStream> {
    let (variant, value) = match value {
        Value::String(text) => (quote!(Text), quote!(#text)),
        Value::Number(_) => {
            let number = proc_macro2::Literal::i64_unsuffixed(value.as_i64()?);
            (quote!(Integer), quote!(#number))
        }
        Value::Bool(value) => (quote!(Boolean), quote!(#value)),
        _ => return None,
    };
    Some(quote!(#variant(#value)))
}
