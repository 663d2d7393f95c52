//! Helpers of the engine that nothing uses any more.

use syn::visit::{self, Visit};

use super::Context;

pub(super) fn run(file: &mut syn::File, _: &Context<'_>) -> syn::Result<()> {
    let mut used = Used::default();
    for item in &file.items {
        if !matches!(item, syn::Item::Mod(_)) {
            used.visit_item(item);
        }
    }
    file.items.retain(|item| match item {
        syn::Item::Mod(module) if module.ident == "error" => used.error,
        syn::Item::Mod(module) if module.ident == "defaults" => used.defaults,
        _ => true,
    });
    Ok(())
}

/// Which helpers occur in a path, or in an attribute.
#[derive(Default)]
struct Used {
    error: bool,
    defaults: bool,
}

impl Visit<'_> for Used {
    fn visit_ident(&mut self, ident: &syn::Ident) {
        self.error |= ident == "ConversionError";
        self.defaults |= ident == "defaults";
    }

    fn visit_attribute(&mut self, attribute: &syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.defaults |=
                list.path.is_ident("serde") && list.tokens.to_string().contains("defaults ::");
        }
        visit::visit_attribute(self, attribute);
    }
}
