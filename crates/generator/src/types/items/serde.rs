//! How a field is written, by attributes of serde, and read.

use quote::quote;

/// How a field is written and read.
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
        let parts = [
            self.is_flattened.then(|| quote!(flatten)),
            self.rename.map(|name| quote!(rename = #name)),
            self.skip
                .map(|function| quote!(skip_serializing_if = #function)),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| syn::parse_quote!(#[serde(#(#parts),*)]))
    }

    /// Returns the function of the runtime that reads the field, if there is a special one.
    pub(super) fn function(self) -> Option<&'static str> {
        self.read
    }

    /// Returns whether the field has a value without its member.
    pub(super) fn has_default(self) -> bool {
        self.has_default
    }
}
