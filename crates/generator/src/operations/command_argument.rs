//! An argument as a command line takes it: a row of its table, and the code that reads it for a builder.

use openapi_model::names;
use openapi_model::{Body, BodyKind, Model, ParameterType, Schema};
use proc_macro2::TokenStream;
use quote::quote;

use super::value::{Argument, Kind};
use super::{docs, whole};

/// An argument on a command line.
pub(super) struct CommandArgument<'m> {
    /// Its name there; `None` for an argument that is left out.
    name: Option<String>,
    pub(super) setter: syn::Ident,
    help: String,
    kind: &'static str,
    ty: TokenStream,
    /// True if a file is the whole body.
    is_bytes: bool,
    is_list: bool,
    pub(super) is_required: bool,
    is_positional: bool,
    values: Vec<&'m str>,
}

impl<'m> CommandArgument<'m> {
    /// `None` for what has no form on a command line.
    pub(super) fn of(
        model: &'m Model,
        argument: &Argument<'m>,
        name: String,
        is_by_position: bool,
    ) -> Option<Self> {
        let mut kind = argument.kind.value();
        if let Some(ParameterType::List { item, .. }) = kind {
            kind = Some(item);
        }
        let schema = match kind {
            Some(ParameterType::Named(name)) => model.schema(name),
            _ => None,
        };
        let kind = match (&argument.kind, kind) {
            (Kind::Whole(body), _) => of_body(body)?,
            (_, Some(kind)) => of_value(kind),
            (_, None) => return None,
        };
        let all = schema.map(Schema::texts).unwrap_or_default();
        let all = all.iter().map(String::as_str).collect();
        let (values, known) = if schema.is_some_and(|schema| !schema.is_open()) {
            (all, Vec::new())
        } else {
            (Vec::new(), all)
        };
        let is_list = argument.is_list();
        let is_scalar = !is_list && matches!(kind, "Text" | "Number" | "Boolean");
        Some(Self {
            name: Some(name),
            setter: argument.name.clone(),
            help: docs::help(argument, known),
            kind,
            ty: argument.kept(),
            is_bytes: matches!(argument.kind, Kind::Whole(_)),
            is_list,
            is_required: argument.required,
            is_positional: argument.required && is_by_position && is_scalar,
            values,
        })
    }

    /// An argument that has no form there, and that a call does not need.
    pub(super) fn left_out(argument: &Argument<'_>) -> Option<Self> {
        (!argument.required).then(|| Self {
            name: None,
            setter: argument.name.clone(),
            help: String::new(),
            kind: "Text",
            ty: TokenStream::new(),
            is_bytes: false,
            is_list: false,
            is_required: false,
            is_positional: false,
            values: Vec::new(),
        })
    }

    /// One of several bodies.
    pub(super) fn body(setter: syn::Ident, body: &Body) -> Option<Self> {
        Some(Self {
            name: Some(kebab(&setter.to_string())),
            setter,
            help: format!("The body, as {}", body.media_type),
            kind: of_body(body)?,
            ty: whole::kept(body),
            is_bytes: true,
            is_list: false,
            is_required: false,
            is_positional: false,
            values: Vec::new(),
        })
    }

    /// The row of the table.
    pub(super) fn argument(&self) -> Option<TokenStream> {
        let Self {
            name,
            help,
            is_list,
            is_required,
            is_positional,
            values,
            ..
        } = self;
        let name = name.as_ref()?;
        let kind = names::ident(self.kind);
        let place = match (is_positional, is_required) {
            (true, _) => Some(quote!(.positional())),
            (false, true) => Some(quote!(.required())),
            (false, false) => None,
        };
        let list = is_list.then(|| quote!(.list()));
        let values = (!values.is_empty()).then(|| quote!(.values(&[#(#values),*])));
        Some(quote! {
            ::generated_cli::Argument::new(#name, #help, ::generated_cli::Kind::#kind) #place #list #values
        })
    }

    /// Returns the expression of a present value.
    pub(super) fn required(&self) -> TokenStream {
        let (name, ty) = (&self.name, &self.ty);
        match (self.kind, self.is_list) {
            ("File", true) => quote!(arguments.parts(#name)),
            ("File", false) if self.is_bytes => {
                quote!(::generated_client::request::Payload::from(arguments.bytes(#name)?))
            }
            ("File", false) => quote!(arguments.part(#name)?),
            _ => quote!(arguments.required::<#ty>(#name)?),
        }
    }

    /// Returns the statement that sets a value if it is present.
    pub(super) fn set(&self) -> Option<TokenStream> {
        let (name, setter, ty) = (self.name.as_ref()?, &self.setter, &self.ty);
        let value = match (self.kind, self.is_list) {
            ("File", true) => {
                return Some(quote! {
                    if arguments.is_given(#name) {
                        call = call.#setter(arguments.parts(#name));
                    }
                });
            }
            ("File", false) => {
                let value = self.required();
                return Some(quote! {
                    if arguments.is_given(#name) {
                        call = call.#setter(#value);
                    }
                });
            }
            _ => quote!(arguments.optional::<#ty>(#name)?),
        };
        Some(quote! {
            if let Some(value) = #value {
                call = call.#setter(value);
            }
        })
    }
}

fn of_value(kind: &ParameterType) -> &'static str {
    match kind {
        ParameterType::Formatted(runtime) if runtime.is_secret() => "Secret",
        ParameterType::Text | ParameterType::Formatted(_) | ParameterType::Named(_) => "Text",
        ParameterType::Integer(_) | ParameterType::Number => "Number",
        ParameterType::Boolean => "Boolean",
        ParameterType::List { .. } | ParameterType::Typed(_) => "Json",
        ParameterType::File => "File",
    }
}

fn of_body(body: &Body) -> Option<&'static str> {
    match body.kind {
        BodyKind::Json | BodyKind::Form => Some("Json"),
        BodyKind::Text => Some("Text"),
        BodyKind::Bytes => Some("File"),
        BodyKind::Multipart | BodyKind::Any => None,
    }
}

/// A name of Rust as one of a command line: `r#type` → `type`, `job_posts` → `job-posts`.
pub(super) fn kebab(name: &str) -> String {
    let name = name.trim_start_matches("r#").replace('_', "-");
    name.trim_matches('-').to_owned()
}

pub(super) fn unique(name: &str, taken: &[CommandArgument<'_>]) -> String {
    let mut name = kebab(name);
    while taken.iter().any(|one| one.name.as_ref() == Some(&name)) {
        name.push('_');
    }
    name
}
