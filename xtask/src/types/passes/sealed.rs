//! Structs that cannot be built or matched whole from outside: a new field upstream breaks no caller.
//! Bodies that a caller gives whole stay open, because nothing else builds them.

use super::Context;
use super::items::structs;

pub(super) fn run(file: &mut syn::File, context: &Context<'_>) -> syn::Result<()> {
    for item in structs(file) {
        let given_whole = context
            .model
            .schema(&item.ident.to_string())
            .is_some_and(|schema| !schema.usage.response && !schema.is_flat());
        if matches!(item.fields, syn::Fields::Named(_)) && !given_whole {
            item.attrs.push(syn::parse_quote!(#[non_exhaustive]));
        }
    }
    Ok(())
}
