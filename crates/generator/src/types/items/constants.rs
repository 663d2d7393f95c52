//! The values of members that have one: a type for each, which the fields of structs name.

use std::collections::BTreeMap;

use openapi_model::{Model, names};
use proc_macro2::TokenStream;
use quote::quote;

/// The types of constants, by their values.
pub(super) struct Constants(BTreeMap<String, syn::Ident>);

impl Constants {
    /// Those of all structs of a model.
    pub(super) fn of(model: &Model) -> Self {
        let schemas = model.schemas.iter().filter(|schema| schema.is_met);
        let properties = schemas.flat_map(|schema| schema.properties());
        let values = properties.filter_map(|property| property.place.constant.as_ref());
        let mut taken = std::collections::HashSet::new();
        let mut all = BTreeMap::new();
        for value in values.collect::<std::collections::BTreeSet<_>>() {
            let mut name = format!("{}Constant", names::pascal(value));
            while model.schema(&name).is_some() || !taken.insert(name.clone()) {
                name.push('_');
            }
            all.insert(value.clone(), names::ident(&name));
        }
        Self(all)
    }

    /// The type of a field with this value.
    pub(super) fn field(&self, value: &str) -> TokenStream {
        let name = self.0.get(value);
        quote!(::generated_client::wire::Constant<#name>)
    }

    /// Declares the types.
    pub(super) fn declared(&self) -> TokenStream {
        let all = self.0.iter().map(|(value, name)| {
            quote! {
                pub(crate) struct #name;

                impl ::generated_client::wire::Known for #name {
                    const TEXT: &'static str = #value;
                }
            }
        });
        quote!(#(#all)*)
    }
}
