//! The body as an argument: the type that a caller gives, and the one that a builder keeps. An operation with several media types has an
//! enum of them, so that one more changes no call.

use openapi_model::{Body, BodyKind, Model, Operation, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::{parts, paths};

/// The body of an operation.
pub(super) struct OwnBody<'m> {
    /// The best media type to send.
    pub(super) first: &'m Body,
    /// The type that the operation declares: an enum of the media types, or the struct of the parts.
    pub(super) own: Option<syn::Ident>,
    /// True if the operation takes several media types.
    pub(super) is_one_of_several: bool,
}

impl<'m> OwnBody<'m> {
    /// `None` for an operation without a body.
    pub(super) fn of(model: &Model, operation: &'m Operation) -> Option<Self> {
        let first = operation.bodies.first()?;
        let is_one_of_several = operation.bodies.len() > 1;
        Some(Self {
            first,
            own: if is_one_of_several {
                Some(enum_name(model, operation))
            } else {
                model
                    .parts(first)
                    .map(|_| parts::type_name(model, operation))
            },
            is_one_of_several,
        })
    }

    /// The type in which the builder keeps it.
    pub(super) fn kept(&self) -> TokenStream {
        match &self.own {
            Some(own) => quote!(#own),
            None => plain(self.first),
        }
    }

    /// The type in which a caller gives it, in the module of the builder.
    pub(super) fn taken(&self) -> TokenStream {
        self.taken_as(&self.kept())
    }

    /// The type in which a caller gives it, in any module.
    pub(super) fn taken_anywhere(&self) -> TokenStream {
        match &self.own {
            Some(own) => self.taken_as(&quote!(operations::#own)),
            None => self.taken(),
        }
    }

    fn taken_as(&self, kept: &TokenStream) -> TokenStream {
        if self.is_converted() {
            quote!(impl Into<#kept>)
        } else {
            kept.clone()
        }
    }

    /// Returns whether a caller may give any value that converts into it.
    pub(super) fn is_converted(&self) -> bool {
        self.is_one_of_several || matches!(self.first.kind, BodyKind::Text | BodyKind::Bytes)
    }

    /// Its documentation.
    pub(super) fn description(&self) -> String {
        let media_type = self.first.media_type.replace('`', "'");
        match &self.own {
            Some(own) if self.is_one_of_several => {
                format!("The body: [`{own}`](crate::operations::{own}) has its media types.")
            }
            Some(own) => {
                format!("The body, as `{media_type}`, from a [`{own}`](crate::operations::{own}).")
            }
            None => format!("The body, as `{media_type}`."),
        }
    }
}

/// The type of a body of one media type that no operation declares.
pub(super) fn plain(body: &Body) -> TokenStream {
    match body.kind {
        BodyKind::Json | BodyKind::Form => paths::place(&body.schema),
        BodyKind::Multipart => quote!(::generated_client::request::Multipart),
        BodyKind::Text => quote!(String),
        BodyKind::Bytes => quote!(::generated_client::request::Payload),
        BodyKind::Any => quote!(::generated_client::request::Body),
    }
}

/// The name of the enum of the media types.
pub(super) fn enum_name(model: &Model, operation: &Operation) -> syn::Ident {
    free(model, format!("{}Input", operation.type_name))
}

/// A name that no builder has.
pub(super) fn free(model: &Model, mut name: String) -> syn::Ident {
    while model.operations.iter().any(|one| one.type_name == name) {
        name.push_str("Body");
    }
    names::ident(&name)
}

/// The variant of each body of an operation that takes several.
pub(super) fn variants(operation: &Operation) -> Vec<(syn::Ident, &Body)> {
    let mut taken: Vec<String> = Vec::new();
    let variants = operation.bodies.iter().map(|body| {
        let mut name = variant(body.kind).to_owned();
        if taken.contains(&name) {
            let subtype = body.media_type.split('/').nth(1).unwrap_or_default();
            name = names::pascal(&format!("{name} {subtype}"));
        }
        while taken.contains(&name) {
            name.push('X');
        }
        taken.push(name.clone());
        (names::ident(&name), body)
    });
    variants.collect()
}

fn variant(kind: BodyKind) -> &'static str {
    match kind {
        BodyKind::Json => "Json",
        BodyKind::Form => "Form",
        BodyKind::Multipart => "Multipart",
        BodyKind::Text => "Text",
        BodyKind::Bytes => "Bytes",
        BodyKind::Any => "Any",
    }
}

/// The type of a body of several, in the module of the builder.
fn variant_type(model: &Model, operation: &Operation, body: &Body) -> TokenStream {
    match model.parts(body) {
        Some(_) => {
            let own = parts::type_name(model, operation);
            quote!(#own)
        }
        None => plain(body),
    }
}

/// Emits the enum of the media types; nothing for an operation with fewer than two.
pub(super) fn emit(model: &Model, operation: &Operation) -> TokenStream {
    if operation.bodies.len() < 2 {
        return TokenStream::new();
    }
    let name = enum_name(model, operation);
    let docs = format!(" The body of [`{}`], by media type.", operation.type_name);
    let mut taken: Vec<String> = Vec::new();
    let (mut declared, mut conversions) = (Vec::new(), Vec::new());
    for (variant, body) in variants(operation) {
        let ty = variant_type(model, operation, body);
        let docs = format!(" As `{}`.", body.media_type.replace('`', "'"));
        declared.push(quote!(#[doc = #docs] #variant(#ty)));
        if taken.contains(&ty.to_string()) {
            continue;
        }
        taken.push(ty.to_string());
        conversions.push(quote! {
            impl From<#ty> for #name {
                fn from(body: #ty) -> Self {
                    Self::#variant(body)
                }
            }
        });
        if body.kind == BodyKind::Text {
            conversions.push(quote! {
                impl From<&str> for #name {
                    fn from(body: &str) -> Self {
                        Self::#variant(body.to_owned())
                    }
                }
            });
        }
    }
    quote! {
        #[doc = #docs]
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum #name {
            #(#declared),*
        }

        #(#conversions)*
    }
}
