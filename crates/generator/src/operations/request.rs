//! The function of a builder that turns its arguments into a request.

use openapi_model::{Location, Operation, ParameterType};
use proc_macro2::TokenStream;
use quote::quote;

use super::builder::Builder;
use super::checks::Check;
use super::styles::style;
use super::value::Argument;
use super::{bodies, checks, option};

/// Statements that write `self` into `request`: checks first, then the wire form.
pub(super) fn statements(builder: &Builder<'_>) -> TokenStream {
    let (operation, arguments) = (builder.operation, &builder.arguments);
    let checks = checks::all(arguments, &quote!(request));
    let together = together(operation, arguments);
    // The order of the document, not that of the arguments: it is what a wire log is compared with.
    let writes = operation.parameters.iter().filter_map(|parameter| {
        arguments
            .iter()
            .find(|argument| {
                argument.parameter.is_some_and(|one| {
                    one.name == parameter.name && one.location == parameter.location
                })
            })
            .map(write)
    });
    let body = bodies::statements(builder);
    let websites = operation.parameters.iter().filter(|one| one.is_website);
    let websites: Vec<&str> = websites.map(|one| one.name.as_str()).collect();
    let websites = (!websites.is_empty()).then(|| quote!(request.websites(&[#(#websites),*]);));
    let fresh = operation
        .fresh_for
        .map(|seconds| quote!(request.fresh_for(::std::time::Duration::from_secs(#seconds));));
    let accept = operation
        .accept
        .as_ref()
        .map(|accept| quote!(request.accept(#accept);));
    quote! {
        #checks
        #together
        #(#writes)*
        #body
        #accept
        #websites
        #fresh
    }
}

/// Requires the parameter that a limit depends on: without it, the call would be billed and return other records.
fn together(operation: &Operation, arguments: &[Argument<'_>]) -> TokenStream {
    let Some(pagination) = &operation.pagination else {
        return TokenStream::new();
    };
    let Some(needed) = pagination
        .requires
        .as_ref()
        .and_then(|wire| arguments.iter().find(|argument| argument.wire == wire))
    else {
        return TokenStream::new();
    };
    let needed_wire = needed.wire;
    let needed_given = needed.is_given();
    let limit = arguments
        .iter()
        .find(|one| Some(one.wire) == pagination.limit.as_deref());
    let check = limit.map(|limit| {
        let wire = limit.wire;
        let given = limit.is_given();
        quote!(request.require_together(#wire, #given, #needed_wire, #needed_given);)
    });
    quote!(#check)
}

fn write(argument: &Argument<'_>) -> TokenStream {
    let wire = argument.wire;
    let name = &argument.name;
    if let Some(key) = argument.parameter.and_then(|one| one.idempotency.as_ref()) {
        let window = key
            .window
            .map(|seconds| quote!(::std::time::Duration::from_secs(#seconds)));
        let window = option(window);
        return quote!(request.idempotency_key(#wire, #window, self.#name.as_deref()););
    }
    if let Some(parameter) = argument.parameter
        && let Some(declared) = &parameter.style
    {
        let style = style(parameter.location, declared);
        // An absent value is not sent. The JSON of a list that was not given would be `[]`.
        let written = quote!(request.parameter(#wire, #style, &self.#name););
        if declared.name == "Json" && argument.is_list() && !argument.required {
            return quote!(if !self.#name.is_empty() { #written });
        }
        return written;
    }
    let place = argument.parameter.map(|parameter| parameter.location);
    let method = method(place);
    let joined = match argument.kind.value() {
        Some(ParameterType::List {
            separator: Some(separator),
            ..
        }) => Some(match separator {
            ' ' => "%20".to_owned(),
            '|' => "%7C".to_owned(),
            other => other.to_string(),
        }),
        _ => None,
    };
    match (joined, place) {
        (Some(separator), Some(Location::Query)) => quote! {
            request.query_joined(#wire, #separator, &self.#name);
        },
        (Some(separator), _) => quote! {
            if !self.#name.is_empty() {
                let joined: Vec<String> = self.#name.iter().map(ToString::to_string).collect();
                request.#method(#wire, &joined.join(#separator));
            }
        },
        (None, _) => plain(argument, place),
    }
}

/// Writes a parameter with one value, or one for each value.
fn plain(argument: &Argument<'_>, place: Option<Location>) -> TokenStream {
    let (wire, name) = (argument.wire, &argument.name);
    let kind = argument.kind.value().map(checks::element);
    let is_secret = matches!(kind, Some(ParameterType::Formatted(runtime)) if runtime.is_secret());
    let is_optional = !argument.required && !argument.is_list();
    match place {
        Some(Location::Header) if is_optional && !is_secret => {
            quote!(request.optional_header(#wire, &self.#name);)
        }
        _ if is_optional && !is_secret => quote!(request.optional_query(#wire, &self.#name);),
        _ => Check::own(argument, &quote!(request)).on_value(|reach| {
            let value = if is_secret {
                let place = reach.place;
                quote!(&#place.expose())
            } else {
                reach.reference
            };
            let method = method(place);
            quote!(request.#method(#wire, #value);)
        }),
    }
}

/// The method of a request that writes a value in this place.
fn method(place: Option<Location>) -> TokenStream {
    match place {
        Some(Location::Path) => quote!(path),
        Some(Location::Header) => quote!(header),
        _ => quote!(query),
    }
}
