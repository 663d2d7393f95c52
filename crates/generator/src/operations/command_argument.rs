//! An argument as a command line takes it: a row of its table, and the code that reads it for a builder.

use openapi_document::readable;
use openapi_model::{Model, ParameterType, Schema, names};
use proc_macro2::TokenStream;
use quote::quote;

use super::docs;
use super::value::Argument;

/// An argument on a command line.
pub(super) struct CommandArgument<'m> {
    /// Its name there.
    pub(super) name: String,
    pub(super) setter: syn::Ident,
    help: String,
    kind: &'static str,
    ty: TokenStream,
    is_list: bool,
    pub(super) is_required: bool,
    is_positional: bool,
    values: Vec<&'m str>,
    is_nullable: bool,
    /// The property that it is, in a body of JSON.
    member: Option<&'m str>,
    /// True if it is such a body as a whole, beside its members.
    is_body: bool,
    /// True if spellings of one website are equal.
    is_website: bool,
}

impl<'m> CommandArgument<'m> {
    /// An argument of a builder, or a property of a body.
    pub(super) fn of(
        model: &'m Model,
        argument: &Argument<'m>,
        name: String,
        is_by_position: bool,
    ) -> Self {
        let mut kind = argument.kind.value();
        if let Some(ParameterType::List { item, .. }) = kind {
            kind = Some(item);
        }
        let schema = match kind {
            Some(ParameterType::Named(name)) => model.schema(name),
            _ => None,
        };
        let kind = kind.map_or("Json", of_value);
        let all = schema.map(Schema::texts).unwrap_or_default();
        let all = all.iter().map(String::as_str).collect();
        let (values, known) = if schema.is_some_and(|schema| !schema.is_open()) {
            (all, Vec::new())
        } else {
            (Vec::new(), all)
        };
        let is_list = argument.is_list();
        let is_scalar = !is_list && matches!(kind, "Text" | "Number" | "Boolean");
        Self {
            setter: argument.name.clone(),
            help: docs::help(argument, known),
            is_list,
            is_required: argument.required,
            is_positional: argument.required && is_by_position && is_scalar,
            values,
            is_website: argument.parameter.is_some_and(|one| one.is_website),
            ..Self::whole(name, kind, argument.kept())
        }
    }

    /// A whole body of a kind.
    pub(super) fn body(
        name: String,
        kind: &'static str,
        media_type: &str,
        ty: TokenStream,
    ) -> Self {
        Self {
            help: readable::line(&format!("The body, as {media_type}")),
            ..Self::whole(name, kind, ty)
        }
    }

    fn whole(name: String, kind: &'static str, ty: TokenStream) -> Self {
        Self {
            name,
            setter: names::ident("body"),
            help: String::new(),
            kind,
            ty,
            is_list: false,
            is_required: false,
            is_positional: false,
            values: Vec::new(),
            is_nullable: false,
            member: None,
            is_body: false,
            is_website: false,
        }
    }

    /// Returns the argument as a property of a body of JSON.
    pub(super) fn member(self, wire: &'m str, is_nullable: bool) -> Self {
        Self {
            member: Some(wire),
            is_nullable,
            ..self
        }
    }

    /// Returns the argument as a body of JSON whose members have arguments, too.
    pub(super) fn beside_members(self) -> Self {
        Self {
            help: format!("{}. Other arguments replace its members", self.help),
            is_body: true,
            ..self
        }
    }

    /// Returns whether its value is read from a file and never shown.
    pub(super) fn is_secret(&self) -> bool {
        self.kind == "Secret"
    }

    /// Returns the argument as a required one.
    pub(super) fn required_if(self, is_required: bool) -> Self {
        Self {
            is_required,
            is_positional: self.is_positional && is_required,
            ..self
        }
    }

    /// The row of the table.
    pub(super) fn argument(&self) -> TokenStream {
        let Self {
            name,
            help,
            is_list,
            is_required,
            is_positional,
            values,
            ..
        } = self;
        let kind = names::ident(self.kind);
        let place = match (is_positional, is_required) {
            (true, _) => Some(quote!(.positional())),
            (false, true) => Some(quote!(.required())),
            (false, false) => None,
        };
        let list = is_list.then(|| quote!(.list()));
        let values = (!values.is_empty()).then(|| quote!(.values(&[#(#values),*])));
        let member = self.member.map(|wire| quote!(.member(#wire)));
        let nullable = self.is_nullable.then(|| quote!(.nullable()));
        let body = self.is_body.then(|| quote!(.body()));
        let website = self.is_website.then(|| quote!(.website()));
        quote! {
            ::generated_cli::Argument::new(#name, #help, ::generated_cli::Kind::#kind) #place #list #values #nullable #member #body #website
        }
    }

    /// Returns the expression of a present value.
    pub(super) fn value(&self) -> TokenStream {
        let (name, ty) = (&self.name, &self.ty);
        match (self.kind, self.is_list) {
            ("File", true) => quote!(arguments.parts(#name)),
            ("File", false) => quote!(arguments.part(#name)?),
            _ => quote!(arguments.required::<#ty>(#name)?),
        }
    }

    /// Returns the statement that sets a value of a builder if it is present.
    pub(super) fn set(&self, builder: &TokenStream) -> TokenStream {
        let (name, setter, ty) = (&self.name, &self.setter, &self.ty);
        if self.kind == "File" {
            let value = self.value();
            return quote! {
                if arguments.is_given(#name) {
                    #builder = #builder.#setter(#value);
                }
            };
        }
        quote! {
            if let Some(value) = arguments.optional::<#ty>(#name)? {
                #builder = #builder.#setter(value);
            }
        }
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

/// A name of Rust as one of a command line: `r#type` → `type`, `job_posts` → `job-posts`.
pub(super) fn kebab(name: &str) -> String {
    let name = name.trim_start_matches("r#").replace('_', "-");
    name.trim_matches('-').to_owned()
}

/// A name that none of the arguments has.
pub(super) fn unique(name: &str, taken: &[&[CommandArgument<'_>]]) -> String {
    let mut name = kebab(name);
    while taken.iter().copied().flatten().any(|one| one.name == name) {
        name.push('_');
    }
    name
}
