//! Walks over everything in a scope that names or declares something.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};

use super::scope::{self, shares_scope};

/// The keys of serde whose string values are paths.
const SERDE_PATHS: [&str; 8] = [
    "default",
    "deserialize_with",
    "from",
    "into",
    "serialize_with",
    "skip_serializing_if",
    "try_from",
    "with",
];

/// The treatment of each kind of name.
pub(super) trait Names {
    /// Visits a path, with the number of its trait segments in `<T as Trait>::item`. Returns whether it was changed.
    fn path(&mut self, path: &mut syn::Path, position: Option<&mut usize>) -> bool;

    /// A name that an item, a generic parameter or an import declares, and whether it can be that of a value.
    fn declares(&mut self, _name: &syn::Ident, _is_value: bool) {}

    /// Visits a plain name, such as that of a variable.
    fn mentions(&mut self, _name: &syn::Ident) {}
}

/// Calls [`Names`] for each name of the items that it visits.
pub(super) struct Walk<N> {
    names: N,
}

impl<N: Names> Walk<N> {
    pub(super) fn over(items: &mut [syn::Item], names: N) -> N {
        let mut walk = Self { names };
        items.iter_mut().for_each(|item| walk.visit_item_mut(item));
        walk.names
    }

    fn path(&mut self, path: &mut syn::Path, position: Option<&mut usize>) -> bool {
        self.names.path(path, position)
    }

    /// All names of tokens that are not read as code.
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => self.names.mentions(&name),
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    fn derive(&mut self, list: &mut syn::MetaList) -> syn::Result<()> {
        let mut traits =
            list.parse_args_with(Punctuated::<syn::Path, syn::Token![,]>::parse_terminated)?;
        let mut changed = false;
        for one in &mut traits {
            changed |= self.path(one, None);
        }
        if changed {
            list.tokens = quote!(#traits);
        }
        Ok(())
    }

    fn serde(&mut self, list: &mut syn::MetaList) -> syn::Result<()> {
        let mut metas =
            list.parse_args_with(Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated)?;
        let mut changed = false;
        for meta in &mut metas {
            if let syn::Meta::NameValue(pair) = meta
                && SERDE_PATHS.iter().any(|key| pair.path.is_ident(key))
                && let syn::Expr::Lit(literal) = &mut pair.value
                && let syn::Lit::Str(text) = &mut literal.lit
                && let Ok(mut path) = text.parse::<syn::Path>()
                && self.path(&mut path, None)
            {
                let path = path.to_token_stream().to_string().replace(' ', "");
                *text = syn::LitStr::new(&path, text.span());
                changed = true;
            }
        }
        if changed {
            list.tokens = quote!(#metas);
        }
        Ok(())
    }
}

impl<N: Names> VisitMut for Walk<N> {
    fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
        let is = |name: &str| attribute.path().is_ident(name);
        let (is_derive, is_serde) = (is("derive"), is("serde"));
        if let syn::Meta::List(list) = &mut attribute.meta {
            let has_paths = has_paths(list.tokens.clone());
            let read = match (is_derive, is_serde) {
                (true, _) if has_paths => self.derive(list),
                (_, true) if has_paths => self.serde(list),
                _ => {
                    self.tokens(list.tokens.clone());
                    Ok(())
                }
            };
            if read.is_err() {
                self.tokens(list.tokens.clone());
            }
        }
    }

    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let Some(name) = scope::declared(item) {
            self.names.declares(name, scope::is_value(item));
        }
        if let syn::Item::Mod(inner) = item
            && !shares_scope(inner)
        {
            return;
        }
        visit_mut::visit_item_mut(self, item);
    }

    fn visit_use_name_mut(&mut self, item: &mut syn::UseName) {
        self.names.declares(&item.ident, true);
    }

    fn visit_use_rename_mut(&mut self, item: &mut syn::UseRename) {
        self.names.declares(&item.rename, true);
    }

    fn visit_generic_param_mut(&mut self, parameter: &mut syn::GenericParam) {
        match parameter {
            syn::GenericParam::Type(one) => self.names.declares(&one.ident, false),
            syn::GenericParam::Const(one) => self.names.declares(&one.ident, true),
            syn::GenericParam::Lifetime(_) => {}
        }
        visit_mut::visit_generic_param_mut(self, parameter);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        self.names.mentions(&pattern.ident);
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_expr_path_mut(&mut self, expression: &mut syn::ExprPath) {
        let Some(of) = &mut expression.qself else {
            return visit_mut::visit_expr_path_mut(self, expression);
        };
        visit_mut::visit_type_mut(self, &mut of.ty);
        self.path(&mut expression.path, Some(&mut of.position));
        visit_mut::visit_path_mut(self, &mut expression.path);
    }

    fn visit_type_path_mut(&mut self, ty: &mut syn::TypePath) {
        let Some(of) = &mut ty.qself else {
            return visit_mut::visit_type_path_mut(self, ty);
        };
        visit_mut::visit_type_mut(self, &mut of.ty);
        self.path(&mut ty.path, Some(&mut of.position));
        visit_mut::visit_path_mut(self, &mut ty.path);
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        self.path(path, None);
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        self.path(&mut call.path, None);
        let arguments =
            call.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated);
        match arguments {
            Ok(mut arguments) => {
                for argument in &mut arguments {
                    self.visit_expr_mut(argument);
                }
                call.tokens = quote!(#arguments);
            }
            Err(_) => self.tokens(call.tokens.clone()),
        }
    }
}

/// Returns whether tokens have a path of several segments, also as a string.
fn has_paths(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == ':',
        TokenTree::Literal(text) => text.to_string().contains("::"),
        TokenTree::Group(group) => has_paths(group.stream()),
        TokenTree::Ident(_) => false,
    })
}
