//! Structs. They cannot be built or matched whole from outside: a new field upstream breaks no caller.

use openapi_model::{Model, Object, Others, Schema, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::documentation::{of_field, of_others};
use super::fields::{Field, Kind};
use super::setters;
use crate::types::context::Context;
use crate::types::docs;

/// The struct of an object, with a constructor and setters where callers send it.
pub(super) fn emit(
    context: &Context<'_>,
    schema: &Schema,
    object: &Object,
    fields: &[Field<'_>],
) -> TokenStream {
    let name = names::ident(&schema.name);
    let has_default = has_default(context.model, schema, fields);
    let default = has_default.then(|| quote!(Default,));
    let declared = fields.iter().map(|field| {
        let lines = match (field.property, &object.others) {
            (Some(property), _) => of_field(context, property, field.kind == Kind::Records),
            (None, Others::Of(others)) => of_others(others),
            (None, _) => Vec::new(),
        };
        let docs = docs::attributes(&lines);
        let (ident, ty) = (&field.ident, &field.ty);
        if field.is_constant() {
            quote!(pub(crate) #ident: #ty)
        } else {
            let place = field.property.map(|property| &property.place);
            let deprecated = docs::deprecated(place.is_some_and(|place| place.deprecated));
            quote!(#(#docs)* #deprecated pub #ident: #ty)
        }
    });
    let built = schema
        .usage
        .request
        .then(|| setters::emit(context.model, schema, fields));
    quote! {
        #[derive(Clone, Debug, #default PartialEq)]
        #[non_exhaustive]
        pub struct #name {
            #(#declared),*
        }

        #built
    }
}

/// Returns whether the type has a default: a request type without required members, or a response type whose content has a default.
fn has_default(model: &Model, schema: &Schema, fields: &[Field<'_>]) -> bool {
    if schema.usage.request {
        return !fields.iter().any(|field| field.is_required);
    }
    let mut fields = fields.iter();
    model.is_defaulted(schema)
        || fields.all(|field| {
            let property = field.property;
            property.is_some_and(|one| !field.was_option || !schema.is_content(&one.name))
        })
}
