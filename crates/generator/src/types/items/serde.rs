//! The serde attributes of a field: on the struct, which is written, and on its wire struct, which is read.

use quote::quote;

/// The serde attributes of a field.
#[derive(Clone, Copy, Default)]
pub(super) struct Serde<'m> {
    rename: Option<&'m str>,
    is_flattened: bool,
    has_default: bool,
    read: Option<&'static str>,
    skip: Option<&'static str>,
}

impl<'m> Serde<'m> {
    /// Returns the attributes of a field with another name on the wire, if it has one.
    pub(super) fn renamed(wire: Option<&'m str>) -> Self {
        Self {
            rename: wire,
            ..Self::default()
        }
    }

    /// Of the field that takes all other members.
    pub(super) fn flattened() -> Self {
        Self {
            is_flattened: true,
            ..Self::default()
        }
    }

    pub(super) fn read(&mut self, function: &'static str) {
        self.read = Some(function);
    }

    pub(super) fn or_default(&mut self) {
        self.has_default = true;
    }

    pub(super) fn read_or_default(&mut self, function: &'static str) {
        self.or_default();
        self.read(function);
    }

    pub(super) fn skip_if(&mut self, function: &'static str) {
        self.skip = Some(function);
    }

    /// The attribute of the struct.
    pub(super) fn written(self) -> Option<syn::Attribute> {
        Self {
            has_default: false,
            read: None,
            ..self
        }
        .attribute()
    }

    /// Returns the attribute of the wire struct's field.
    pub(super) fn for_reading(self) -> Option<syn::Attribute> {
        Self { skip: None, ..self }.attribute()
    }

    /// Returns the attribute of an additional field of the wire struct, for another name.
    pub(super) fn without_name(self) -> Option<syn::Attribute> {
        Self {
            rename: None,
            is_flattened: false,
            skip: None,
            ..self
        }
        .attribute()
    }

    fn attribute(self) -> Option<syn::Attribute> {
        let named = |key: &str, value: Option<&str>| {
            let key = openapi_model::names::ident(key);
            value.map(|value| quote!(#key = #value))
        };
        let parts = [
            self.is_flattened.then(|| quote!(flatten)),
            named("rename", self.rename),
            self.has_default.then(|| quote!(default)),
            named("deserialize_with", self.read),
            named("skip_serializing_if", self.skip),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| syn::parse_quote!(#[serde(#(#parts),*)]))
    }
}
