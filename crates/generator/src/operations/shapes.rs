//! The documented responses, as tables that the runtime compares a response with: one `static` for each schema that responses reach. Bounds
//! and formats stay out: drift is a new or missing part of a response, not an invalid value.

use std::collections::BTreeMap;

use openapi_model::{
    Aliases, Model, Object, Operation, Others, Place, Property, Scalar, Schema, Shape, names,
};
use proc_macro2::TokenStream;
use quote::quote;

use crate::types::docs::condition;
use crate::types::runtime::LOOSE;

/// The tables of all schemas that responses reach.
pub(super) fn tables(model: &Model) -> TokenStream {
    let mut emitter = Emitter::new(model, TokenStream::new());
    for success in model.operations.iter().filter_map(|one| one.success()) {
        emitter.shape(success);
    }
    let mut tables = BTreeMap::new();
    while let Some(schema) = emitter.referenced.pop() {
        if !tables.contains_key(&schema.name) {
            // Taken before what it refers to is, which may be itself.
            tables.insert(&schema.name, TokenStream::new());
            let table = emitter.shape_or_any(&schema.place);
            // A `static` can refer to another one, and not be its copy.
            let is_name = syn::parse2::<syn::Ident>(table.clone()).is_ok();
            tables.insert(
                &schema.name,
                if is_name {
                    quote!(Shape::OneOf(&[&#table]))
                } else {
                    table
                },
            );
        }
    }
    let has_any = !model.operations.is_empty();
    let uses = has_any.then(|| {
        quote!(
            pub(crate) use generated_client::document::Shape;
        )
    });
    let tables = tables.iter().map(|(name, shape)| {
        let schema = model.schema(name);
        let condition = condition(schema.and_then(|schema| schema.feature.as_deref()));
        let name = names::ident(name);
        quote!(#condition pub(crate) static #name: Shape = #shape;)
    });
    quote! {
        #uses

        #(#tables)*
    }
}

/// The table of an operation's response, as a constant expression outside of the module of the tables.
pub(super) fn response(model: &Model, operation: &Operation) -> TokenStream {
    let any = Place::default();
    record(model, operation.success().unwrap_or(&any))
}

/// The table of a record of an operation's response, in the same form.
pub(super) fn record(model: &Model, item: &Place) -> TokenStream {
    let shape = Emitter::new(model, quote!(crate::shapes::)).shape_or_any(item);
    quote!(&#shape)
}

struct Emitter<'m> {
    model: &'m Model,
    /// The path of the module of the tables.
    module: TokenStream,
    /// The schemas whose tables were referred to.
    referenced: Vec<&'m Schema>,
}

impl<'m> Emitter<'m> {
    fn new(model: &'m Model, module: TokenStream) -> Self {
        Self {
            model,
            module,
            referenced: Vec::new(),
        }
    }

    fn shape_or_any(&mut self, place: &Place) -> TokenStream {
        let module = &self.module;
        let any = quote!(#module Shape::Any);
        self.shape(place).unwrap_or(any)
    }

    /// Returns a table as an expression; `None` if a schema does not restrict its values.
    fn shape(&mut self, place: &Place) -> Option<TokenStream> {
        let module = self.module.clone();
        if place.rust_type.as_deref() == Some(LOOSE) {
            let inside = self.parts(place.items().unwrap_or(place));
            let inside = self.one_of(inside)?;
            return Some(quote!(#module Shape::Loose(&#inside)));
        }
        if let Shape::Map(Others::Unmentioned) = &place.shape {
            let others = Some(quote!(#module Shape::Any));
            return Some(self.object(&Object::default(), others));
        }
        let parts = self.parts(place);
        self.one_of(parts)
    }

    fn one_of(&self, parts: Vec<TokenStream>) -> Option<TokenStream> {
        let module = &self.module;
        match parts.as_slice() {
            [] => None,
            [one] => Some(one.clone()),
            several => Some(quote!(#module Shape::OneOf(&[#(&#several),*]))),
        }
    }

    /// The tables of what values may be: of a union one for each alternative.
    fn parts(&mut self, place: &Place) -> Vec<TokenStream> {
        if let Some(schema) = self.model.referenced(place) {
            self.referenced.push(schema);
            let (module, name) = (&self.module, names::ident(&schema.name));
            return vec![quote!(#module #name)];
        }
        match &place.shape {
            Shape::Union { alternatives, .. } => {
                let tables: Option<Vec<_>> =
                    alternatives.iter().map(|one| self.shape(one)).collect();
                // A schema without keywords allows any value.
                tables.unwrap_or_default()
            }
            _ => self.own(place).into_iter().collect(),
        }
    }

    fn own(&mut self, place: &Place) -> Option<TokenStream> {
        let module = self.module.clone();
        Some(match &place.shape {
            Shape::Texts { values, .. } => {
                let aliases = place.aliases.iter().flat_map(Aliases::spellings);
                let aliases = aliases.flat_map(|(enum_value, others)| {
                    others
                        .iter()
                        .map(move |other| quote!((#other, #enum_value)))
                });
                quote!(#module Shape::Enum { known: &[#(#values),*], aliases: &[#(#aliases),*] })
            }
            Shape::Scalar { kind, .. } => match kind {
                Scalar::Text => quote!(#module Shape::Text),
                Scalar::Number => quote!(#module Shape::Number),
                Scalar::Integer => quote!(#module Shape::Integer),
                Scalar::Boolean => quote!(#module Shape::Boolean),
            },
            // A table has one shape for all elements of a list.
            Shape::Tuple(_) => quote!(#module Shape::List(&#module Shape::Any)),
            Shape::List(items) => {
                let element = self.element(items);
                quote!(#module Shape::List(&#element))
            }
            Shape::Map(others) => {
                let others = self.others(others)?;
                self.object(&Object::default(), Some(others))
            }
            Shape::Object(object) => {
                let others = self.others(&object.others);
                self.object(object, others)
            }
            Shape::Any | Shape::Union { .. } | Shape::Reference(_) => return None,
        })
    }

    fn others(&mut self, others: &Others) -> Option<TokenStream> {
        match others {
            Others::Unmentioned => None,
            Others::Of(place) => Some(self.element(place)),
        }
    }

    /// The table of an element of a list or a map. It says null, which a field has without a table.
    fn element(&mut self, place: &Place) -> TokenStream {
        let module = self.module.clone();
        match self.shape(place) {
            None => quote!(#module Shape::Any),
            Some(shape) if place.nullable => {
                quote!(#module Shape::OneOf(&[&#shape, &#module Shape::Null]))
            }
            Some(shape) => shape,
        }
    }

    fn object(&mut self, object: &Object, others: Option<TokenStream>) -> TokenStream {
        let mut aliases = Vec::new();
        let mut fields = Vec::new();
        for Property { name, place, .. } in &object.properties {
            let names = place.aliases.iter().flat_map(Aliases::names);
            aliases.extend(names.map(|alias| quote!((#alias, #name))));
            let shape = self.shape_or_any(place);
            fields.push(quote!((#name, &#shape)));
        }
        let required = object.always_there();
        let module = &self.module;
        // A table may be called `None` in the module of the tables.
        let option = module.is_empty().then(|| quote!(Option::));
        let others = match others {
            Some(others) => quote!(#option Some(&#others)),
            None => quote!(#option None),
        };
        quote! {
            #module Shape::Object { fields: &[#(#fields),*], required: &[#(#required),*], aliases: &[#(#aliases),*], others: #others }
        }
    }
}
