//! Walks over everything in a scope that names or declares something.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};

use super::declared::{declared, is_value};
use super::scope::Scope;

/// Calls [`Scope`] for each name of the items that it visits.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) scope: Scope,
}

impl Walk {
    pub(super) fn over(&mut self, items: &mut [syn::Item]) {
        items.iter_mut().for_each(|item| self.visit_item_mut(item));
    }

    /// All names of tokens that are not read as code.
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => self.scope.mentions(&name),
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
            changed |= self.scope.path(one, None);
        }
        if changed {
            list.tokens = quote!(#traits);
        }
        Ok(())
    }
}

impl VisitMut for Walk {
    fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
        let is_derive = attribute.path().is_ident("derive");
        if let syn::Meta::List(list) = &mut attribute.meta {
            let is_read = is_derive && self.derive(list).is_ok();
            if !is_read {
                self.tokens(list.tokens.clone());
            }
        }
    }

    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let Some(name) = declared(item) {
            self.scope.declares(name, is_value(item));
        }
        // A module inside has its own scope.
        if !matches!(item, syn::Item::Mod(_)) {
            visit_mut::visit_item_mut(self, item);
        }
    }

    fn visit_use_name_mut(&mut self, item: &mut syn::UseName) {
        self.scope.declares(&item.ident, true);
    }

    fn visit_type_param_mut(&mut self, parameter: &mut syn::TypeParam) {
        self.scope.declares(&parameter.ident, false);
        visit_mut::visit_type_param_mut(self, parameter);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        self.scope.mentions(&pattern.ident);
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_expr_path_mut(&mut self, expression: &mut syn::ExprPath) {
        let Some(of) = &mut expression.qself else {
            return visit_mut::visit_expr_path_mut(self, expression);
        };
        visit_mut::visit_type_mut(self, &mut of.ty);
        self.scope
            .path(&mut expression.path, Some(&mut of.position));
        visit_mut::visit_path_mut(self, &mut expression.path);
    }

    fn visit_type_path_mut(&mut self, ty: &mut syn::TypePath) {
        let Some(of) = &mut ty.qself else {
            return visit_mut::visit_type_path_mut(self, ty);
        };
        visit_mut::visit_type_mut(self, &mut of.ty);
        self.scope.path(&mut ty.path, Some(&mut of.position));
        visit_mut::visit_path_mut(self, &mut ty.path);
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        self.scope.path(path, None);
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        self.scope.path(&mut call.path, None);
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
