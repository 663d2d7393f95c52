//! What OpenAPI Links promise: a field of one response is an argument of another call.

use std::collections::BTreeSet;

use quote::quote;

use super::Context;
use crate::names;
use crate::openapi::{Hop, Model, TextFormat};

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    let mut written = BTreeSet::new();
    for conversion in &context.model.conversions {
        let target = names::ident(&conversion.parameter_type);
        let from_value = conversion
            .value_type
            .as_ref()
            .filter(|value_type| **value_type != conversion.parameter_type);
        if let Some(value_type) = from_value
            && written.insert((value_type.clone(), target.to_string()))
        {
            let value_type = names::ident(value_type);
            file.items.extend(
                syn::parse2::<syn::File>(quote! {
                    impl ::std::convert::From<#value_type> for #target {
                        fn from(value: #value_type) -> Self {
                            Self(value.0)
                        }
                    }

                    impl ::std::convert::From<&#value_type> for #target {
                        fn from(value: &#value_type) -> Self {
                            Self(value.0.clone())
                        }
                    }
                })?
                .items,
            );
        }
        if written.insert((conversion.owner.clone(), target.to_string())) {
            let owner = names::ident(&conversion.owner);
            let hop = Hop::to(&conversion.owner, &conversion.property);
            let field = names::ident(&context.model.field(&hop));
            let made = match (context.model.insists_on(&hop), is_uuid(context.model, &hop)) {
                (true, false) => quote!(Self::from(&value.#field)),
                (true, true) => quote!(Self::from(value.#field.as_str())),
                (false, false) => {
                    quote!(value.#field.as_ref().map(Self::from).unwrap_or_default())
                }
                (false, true) => {
                    quote!(value.#field.as_ref().map(|id| Self::from(id.as_str())).unwrap_or_default())
                }
            };
            let doc = format!(
                " Takes `{}`. Where that is missing the result is empty, and the call that gets it is refused before it is sent.",
                conversion.property
            );
            file.items.push(syn::parse2(quote! {
                impl ::std::convert::From<&#owner> for #target {
                    #[doc = #doc]
                    fn from(value: &#owner) -> Self {
                        #made
                    }
                }
            })?);
        }
    }
    Ok(())
}

/// Whether a property has the runtime's type of UUIDs, and no name.
fn is_uuid(model: &Model, hop: &Hop) -> bool {
    let owner = model.schema(&hop.owner);
    let mut properties = owner.into_iter().flat_map(|owner| owner.properties());
    let property = properties.find(|(name, _)| **name == hop.property);
    property.is_some_and(|(_, place)| TextFormat::of(place) == Some(TextFormat::Uuid))
}
