//! Values whose scale depends on a sibling: methods that know it.

use std::collections::BTreeMap;

use quote::quote;

use super::Context;
use super::fields::field_of;
use crate::names;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for one in &context.model.scales {
        let owner = names::ident(&one.owner);
        let property = field_of(context.model, &one.owner, &one.property);
        let by = field_of(context.model, &one.owner, &one.scale.by);
        let scale = names::ident(&format!("{property}_scale"));
        let fraction = names::ident(&format!("{property}_fraction"));
        let scale_docs = format!(
            " The most that `{}` can be, by `{}`; `None` for a word whose scale is not known.",
            one.property, one.scale.by
        );
        let fraction_docs = format!(
            " `{}` as a fraction of its scale, from 0 to 1.",
            one.property
        );
        let mut by_scale: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for (word, most) in &one.scale.words {
            by_scale.entry(most.to_string()).or_default().push(word);
        }
        let arms = by_scale.iter().filter_map(|(most, words)| {
            let most = proc_macro2::Literal::f64_suffixed(most.parse().ok()?);
            Some(quote!(#(#words)|* => Some(#most),))
        });
        file.items.push(syn::parse2(quote! {
            impl #owner {
                #[doc = #scale_docs]
                #[must_use]
                pub fn #scale(&self) -> ::std::option::Option<f64> {
                    match self.#by.as_ref()?.as_str() {
                        #(#arms)*
                        _ => None,
                    }
                }

                #[doc = #fraction_docs]
                #[must_use]
                pub fn #fraction(&self) -> ::std::option::Option<f64> {
                    self.#property.as_ref()?.on_scale(self.#scale()?)
                }
            }
        })?);
    }
    Ok(())
}
