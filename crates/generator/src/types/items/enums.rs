//! Enumerations. In responses they are open: a value that the document does not list decodes, is kept, and is written back unchanged.
//! In requests they are closed: only listed values compile.

use std::collections::HashMap;

use openapi_model::{Aliases, Schema, names, variants};
use proc_macro2::TokenStream;
use quote::quote;

use crate::types::docs;

pub(super) fn emit(schema: &Schema) -> TokenStream {
    let values = EnumValues::of(schema);
    let (name, documented, table) = (&values.name, values.documented_variants(), values.table());
    let (copied, other, made) = if schema.is_open() {
        // What callers send, too, is written as it was read.
        let casing = (!schema.usage.request).then(|| quote!(in_any_case));
        let other = quote! {
            /// A value that the document does not list, kept as received.
            Unrecognized(::std::string::String),
        };
        (None, Some(other), quote!(open_enum!(#name #casing, #table)))
    } else {
        (
            Some(quote!(Copy,)),
            None,
            quote!(closed_enum!(#name, #table)),
        )
    };
    quote! {
        #[derive(Clone, #copied Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum #name {
            #documented
            #other
        }

        ::generated_client::wire::#made;
    }
}

struct EnumValues<'s> {
    name: syn::Ident,
    values: Vec<&'s str>,
    variants: Vec<syn::Ident>,
    /// The description of each.
    texts: Vec<Option<&'s str>>,
    /// Each enum value with its other spellings.
    spellings: Vec<Vec<&'s str>>,
}

impl<'s> EnumValues<'s> {
    fn of(schema: &'s Schema) -> Self {
        let values: Vec<&str> = schema.texts().iter().map(String::as_str).collect();
        let aliases = schema.place.aliases.iter();
        let aliases: HashMap<&str, &[String]> = aliases.flat_map(Aliases::spellings).collect();
        Self {
            name: names::ident(&schema.name),
            variants: variants(schema)
                .iter()
                .map(|(_, variant)| names::ident(variant))
                .collect(),
            texts: (0..values.len())
                .map(|index| schema.place.labels.get(index)?.text.as_deref())
                .collect(),
            spellings: values
                .iter()
                .map(|value| {
                    let others = aliases.get(value).copied().unwrap_or_default();
                    let others = others.iter().map(String::as_str);
                    std::iter::once(*value).chain(others).collect()
                })
                .collect(),
            values,
        }
    }

    fn documented_variants(&self) -> TokenStream {
        let all = self.values.iter().zip(&self.variants).zip(&self.texts);
        let docs = all.map(|((value, variant), text)| {
            let name = variant.to_string();
            let description = text.filter(|text| !text.trim().is_empty()).map(docs::text);
            let value = if value.is_empty() {
                vec!["The empty string.".to_owned()]
            } else {
                docs::unless_repeated(None, value, &name)
            };
            docs::attributes(&docs::paragraphs(description.into_iter().chain([value])))
        });
        let variants = &self.variants;
        quote!(#(#(#docs)* #variants,)*)
    }

    /// The variants with their values, as the macros of the runtime take them.
    fn table(&self) -> TokenStream {
        let (variants, spellings) = (&self.variants, &self.spellings);
        quote!(#(#variants = #(#spellings)|*),*)
    }
}
