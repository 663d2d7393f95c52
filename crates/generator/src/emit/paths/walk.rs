//! Walks over everything in a scope that names or declares something.

use proc_macro2::{Group, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote};
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

    /// Shortens the paths of a table, which begin with two colons.
    fn table(&mut self, tokens: TokenStream) -> TokenStream {
        let mut table = Vec::new();
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let is_behind_word = matches!(table.last(), Some(TokenTree::Ident(_)));
            match token {
                TokenTree::Group(group) => {
                    let inner = self.table(group.stream());
                    table.push(Group::new(group.delimiter(), inner).into());
                }
                token if !is_behind_word && is_joint_colon(&token) => {
                    let mut path = TokenStream::from(token);
                    while let Some(step) = tokens.next_if(is_step) {
                        path.extend([step]);
                    }
                    table.extend(self.short(path));
                }
                token => {
                    self.tokens(token.clone().into());
                    table.push(token);
                }
            }
        }
        table.into_iter().collect()
    }

    fn short(&mut self, tokens: TokenStream) -> TokenStream {
        match syn::parse2::<syn::Path>(tokens.clone()) {
            Ok(mut path) => {
                self.scope.path(&mut path, None);
                path.into_token_stream()
            }
            Err(_) => tokens,
        }
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
        for one in &mut traits {
            self.scope.path(one, None);
        }
        list.tokens = quote!(#traits);
        Ok(())
    }
}

impl VisitMut for Walk {
    fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
        let is_derive = attribute.path().is_ident("derive");
        if let syn::Meta::List(list) = &mut attribute.meta
            && !(is_derive && self.derive(list).is_ok())
        {
            self.tokens(list.tokens.clone());
        }
    }

    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        if let Some(name) = declared(item) {
            self.scope.declares(name, is_value(item));
        }
        // A module has its own scope.
        if !matches!(item, syn::Item::Mod(_)) {
            visit_mut::visit_item_mut(self, item);
        }
    }

    fn visit_use_name_mut(&mut self, item: &mut syn::UseName) {
        self.scope.declares(&item.ident, true);
    }

    fn visit_generic_param_mut(&mut self, parameter: &mut syn::GenericParam) {
        match parameter {
            syn::GenericParam::Type(one) => self.scope.declares(&one.ident, false),
            syn::GenericParam::Const(_) | syn::GenericParam::Lifetime(_) => {}
        }
        visit_mut::visit_generic_param_mut(self, parameter);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        self.scope.mentions(&pattern.ident);
        visit_mut::visit_pat_ident_mut(self, pattern);
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
            Err(_) => call.tokens = self.table(std::mem::take(&mut call.tokens)),
        }
    }
}

/// Returns whether a token is the first of two colons.
fn is_joint_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == ':' && sign.spacing() == Spacing::Joint)
}

/// Returns whether a token goes on with a path.
fn is_step(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(sign) => sign.as_char() == ':',
        TokenTree::Ident(_) => true,
        TokenTree::Group(_) | TokenTree::Literal(_) => false,
    }
}
