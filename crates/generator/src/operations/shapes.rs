//! What the document says of responses, as tables that the runtime compares a response with: one `static` for each schema that responses reach.
//! Bounds and formats stay out: drift is what is new in a response or missing from it, and no judgement of its values.

use std::collections::BTreeMap;

use openapi_model::names;
use openapi_model::{Model, Operation, Schema, always_there};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::{Map, Value};

use crate::types::runtime::LOOSE;

/// The tables of all schemas that responses reach.
pub(super) fn tables(model: &Model) -> TokenStream {
    let mut emitter = Emitter::new(model, TokenStream::new());
    for success in model
        .operations
        .iter()
        .filter_map(|one| one.success.as_ref())
    {
        emitter.shape(success);
    }
    let mut tables = BTreeMap::new();
    while let Some(schema) = emitter.referenced.pop() {
        if !tables.contains_key(&schema.name) {
            // Taken before what it refers to is, which may be itself.
            tables.insert(&schema.name, TokenStream::new());
            let table = emitter.shape_or_any(&schema.value);
            // A `static` can refer to another one, and not be its copy.
            let is_name = syn::parse2::<syn::Ident>(table.clone()).is_ok();
            tables.insert(
                &schema.name,
                match is_name {
                    true => quote!(Shape::OneOf(&[&#table])),
                    false => table,
                },
            );
        }
    }
    let has_any = !model.operations.is_empty();
    let uses = has_any.then(|| {
        quote!(
            pub(crate) use metered_client::document::Shape;
        )
    });
    let names = tables.keys().map(|name| names::ident(name));
    let shapes = tables.values();
    quote! {
        #uses

        #(pub(crate) static #names: Shape = #shapes;)*
    }
}

/// The table of an operation's response, as a constant expression outside of the module of the tables.
pub(super) fn response(model: &Model, operation: &Operation) -> TokenStream {
    record(model, operation.success.as_ref().unwrap_or(&Value::Null))
}

/// The table of a record of an operation's response, in the same form.
pub(super) fn record(model: &Model, item: &Value) -> TokenStream {
    let shape = Emitter::new(model, quote!(crate::shapes::)).shape_or_any(item);
    quote!(&#shape)
}

struct Emitter<'m> {
    model: &'m Model,
    /// The path of the module of the tables.
    home: TokenStream,
    /// The schemas whose tables were referred to.
    referenced: Vec<&'m Schema>,
}

impl<'m> Emitter<'m> {
    fn new(model: &'m Model, home: TokenStream) -> Self {
        Self {
            model,
            home,
            referenced: Vec::new(),
        }
    }

    fn shape_or_any(&mut self, value: &Value) -> TokenStream {
        let home = &self.home;
        let any = quote!(#home Shape::Any);
        self.shape(value).unwrap_or(any)
    }

    /// A table as an expression; `None` where a schema says nothing of what is sent.
    fn shape(&mut self, value: &Value) -> Option<TokenStream> {
        let home = self.home.clone();
        if value.get("x-rust-type").and_then(Value::as_str) == Some(LOOSE) {
            let inside = self.parts(value.get("items").unwrap_or(value));
            let inside = self.one_of(inside)?;
            return Some(quote!(#home Shape::Loose(&#inside)));
        }
        let parts = self.parts(value);
        if parts.is_empty() && value.get("type").and_then(Value::as_str) == Some("object") {
            let others = Some(quote!(#home Shape::Any));
            return Some(self.object(&Map::new(), &[], others));
        }
        self.one_of(parts)
    }

    fn one_of(&self, parts: Vec<TokenStream>) -> Option<TokenStream> {
        let home = &self.home;
        match parts.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            several => Some(quote!(#home Shape::OneOf(&[#(&#several),*]))),
        }
    }

    /// What a schema says itself, and what its compositions do. A part of `allOf` that only adds a rule says nothing.
    fn parts(&mut self, value: &Value) -> Vec<TokenStream> {
        if let Some(schema) = self.model.referenced(value) {
            self.referenced.push(schema);
            let (home, name) = (&self.home, names::ident(&schema.name));
            return vec![quote!(#home #name)];
        }
        let mut parts: Vec<TokenStream> = self.own(value).into_iter().collect();
        let list = |key| {
            value
                .get(key)
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
        };
        for part in list("allOf") {
            parts.extend(self.parts(part));
        }
        for key in ["oneOf", "anyOf"] {
            let alternatives: Option<Vec<_>> = list(key).map(|one| self.shape(one)).collect();
            // One that says nothing allows everything.
            parts.extend(alternatives.unwrap_or_default());
        }
        parts
    }

    fn own(&mut self, value: &Value) -> Option<TokenStream> {
        let home = self.home.clone();
        let enum_values = enum_values(value);
        match value.get("type").and_then(Value::as_str) {
            Some("string") | None if !enum_values.is_empty() => {
                let aliases = value.get("x-aliases").and_then(Value::as_object);
                let aliases = aliases
                    .into_iter()
                    .flatten()
                    .flat_map(|(enum_value, others)| {
                        let others = others.as_array().into_iter().flatten();
                        others
                            .filter_map(Value::as_str)
                            .map(move |other| quote!((#other, #enum_value)))
                    });
                Some(
                    quote!(#home Shape::Enum { known: &[#(#enum_values),*], aliases: &[#(#aliases),*] }),
                )
            }
            Some("string") => Some(quote!(#home Shape::Text)),
            Some("number") => Some(quote!(#home Shape::Number)),
            Some("integer") => Some(quote!(#home Shape::Integer)),
            Some("boolean") => Some(quote!(#home Shape::Boolean)),
            // A table has one shape for all elements of a list.
            Some("array") if value.get("prefixItems").is_some() => {
                Some(quote!(#home Shape::List(&#home Shape::Any)))
            }
            Some("array") => {
                let element = self.shape_or_any(value.get("items").unwrap_or(&Value::Null));
                Some(quote!(#home Shape::List(&#element)))
            }
            _ => {
                let others = match value.get("additionalProperties") {
                    Some(Value::Bool(true)) => Some(quote!(#home Shape::Any)),
                    Some(others @ Value::Object(_)) => Some(self.shape_or_any(others)),
                    _ => None,
                };
                let properties = value.get("properties").and_then(Value::as_object);
                let properties = properties.cloned().unwrap_or_default();
                (!properties.is_empty() || others.is_some())
                    .then(|| self.object(&properties, &always_there(value), others))
            }
        }
    }

    fn object(
        &mut self,
        properties: &Map<String, Value>,
        required: &[&str],
        others: Option<TokenStream>,
    ) -> TokenStream {
        let mut aliases = Vec::new();
        let fields: Vec<TokenStream> = properties
            .iter()
            .map(|(name, value)| {
                let names = value.get("x-aliases").and_then(Value::as_array);
                let names = names.into_iter().flatten().filter_map(Value::as_str);
                aliases.extend(names.map(|alias| quote!((#alias, #name))));
                let shape = self.shape_or_any(value);
                quote!((#name, &#shape))
            })
            .collect();
        let home = &self.home;
        // In the module of the tables, a table may be called `None`.
        let option = home.is_empty().then(|| quote!(Option::));
        let others = match others {
            Some(others) => quote!(#option Some(&#others)),
            None => quote!(#option None),
        };
        quote! {
            #home Shape::Object { fields: &[#(#fields),*], required: &[#(#required),*], aliases: &[#(#aliases),*], others: #others }
        }
    }
}

/// The values of an enumeration whose values are all texts; empty for any other.
fn enum_values(value: &Value) -> Vec<&str> {
    let listed = value.get("enum").and_then(Value::as_array);
    let listed = listed
        .into_iter()
        .flatten()
        .filter(|enum_value| !enum_value.is_null());
    let enum_values: Option<Vec<&str>> = listed.map(Value::as_str).collect();
    enum_values.unwrap_or_default()
}
