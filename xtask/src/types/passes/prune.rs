//! Helpers of the engine that nothing uses any more.

use quote::ToTokens;

use super::Context;

pub(super) fn run(file: &mut syn::File, _: &Context<'_>) -> syn::Result<()> {
    let everything: String = file
        .items
        .iter()
        .filter(|item| !matches!(item, syn::Item::Mod(_)))
        .map(|item| item.to_token_stream().to_string())
        .collect();
    file.items.retain(|item| match item {
        syn::Item::Mod(module) if module.ident == "error" => everything.contains("ConversionError"),
        syn::Item::Mod(module) if module.ident == "defaults" => everything.contains("defaults ::"),
        _ => true,
    });
    Ok(())
}
