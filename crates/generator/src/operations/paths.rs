//! The paths by which emitted code names a builder and the type of its response.

use openapi_model::{Content, Operation, Output, Place, names};
use proc_macro2::TokenStream;
use quote::quote;

use crate::types::rust_type::{TypeLocation, rust_type};

/// The type of a builder, for links in documentation.
pub(super) fn builder_path(operation: &Operation) -> String {
    format!("crate::operations::{}", operation.type_name)
}

/// Returns a path template in its sent form: it begins with a slash, unless it is a query alone or empty, invalid characters are encoded, and a
/// fragment, which is never sent, is cut off.
pub(super) fn template(path: &str) -> String {
    let path = path.split('#').next().unwrap_or_default();
    let is_complete = path.is_empty() || path.starts_with(['/', '?']);
    let mut template = if is_complete { "" } else { "/" }.to_owned();
    let mut is_name = false;
    let mut rest = path.chars();
    while let Some(c) = rest.next() {
        let is_sent = match c {
            '%' => begins_with_code(rest.as_str()),
            _ => c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=:@/?{}".contains(c),
        };
        match c {
            '{' => is_name = true,
            '}' => is_name = false,
            _ => {}
        }
        if is_name || is_sent {
            template.push(c);
            continue;
        }
        let mut bytes = [0; 4];
        for byte in c.encode_utf8(&mut bytes).bytes() {
            template.push_str(&format!("%{byte:02X}"));
        }
    }
    template
}

/// Returns whether the text after a percent sign begins with two hexadecimal digits.
fn begins_with_code(text: &str) -> bool {
    let code = text.as_bytes().get(..2);
    code.is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit))
}

/// The type of a success response, in the module of its builder.
pub(super) fn own_output(operation: &Operation) -> TokenStream {
    match &operation.output {
        Output::One(content) => content_type(content),
        Output::ByStatus(_) => {
            let name = output_name(operation);
            quote!(#name)
        }
    }
}

/// The type of a success response, in any module.
pub(super) fn output(operation: &Operation) -> TokenStream {
    match &operation.output {
        Output::One(content) => content_type(content),
        Output::ByStatus(_) => {
            let name = output_name(operation);
            quote!(crate::operations::#name)
        }
    }
}

/// The type of a JSON response that is the same for each success.
pub(super) fn response_type(operation: &Operation) -> Option<TokenStream> {
    match &operation.output {
        Output::One(content @ (Content::Json(_) | Content::Records(_))) => {
            Some(content_type(content))
        }
        _ => None,
    }
}

/// The shape of a success response, as a constant expression.
pub(super) fn response_shape(operation: &Operation) -> TokenStream {
    match response_type(operation) {
        Some(ty) => shape(&ty),
        None => quote!(&::generated_client::document::Shape::Any),
    }
}

/// The shape of a type, as a constant expression.
pub(super) fn shape(ty: &TokenStream) -> TokenStream {
    quote!(::generated_client::document::Shape::of::<#ty>())
}

/// The enum of success responses that differ by status code.
pub(super) fn output_name(operation: &Operation) -> syn::Ident {
    names::ident(&format!("{}Output", operation.type_name))
}

/// The type of one body of a response.
pub(super) fn content_type(content: &Content) -> TokenStream {
    match content {
        Content::Json(schema) => place(schema),
        Content::Records(schema) => match schema.items() {
            Some(record) => {
                let record = rust_type(record, TypeLocation::Operations);
                quote!(::generated_client::Records<#record>)
            }
            None => place(schema),
        },
        Content::Text => quote!(String),
        Content::Bytes => quote!(::generated_client::Bytes),
        Content::Nothing => quote!(()),
    }
}

/// The type of a place, in an option where its values may be null.
pub(super) fn place(place: &Place) -> TokenStream {
    let plain = rust_type(place, TypeLocation::Operations);
    if place.nullable {
        quote!(Option<#plain>)
    } else {
        plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_holds_what_an_address_can() {
        assert_eq!(
            template("/a b/{user id}/é?x=1#frag"),
            "/a%20b/{user id}/%C3%A9?x=1"
        );
        assert_eq!(template("v1/{a}.{b}:go%20"), "/v1/{a}.{b}:go%20");
        assert_eq!(template("/100%/a"), "/100%25/a");
    }
}
