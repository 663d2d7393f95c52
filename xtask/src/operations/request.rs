//! The function of a builder that turns its arguments into a request.

use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Number;

use super::value::{Argument, Kind};
use crate::names;
use crate::openapi::{Model, Operation, ParameterType, Place};

/// Statements that write `self` into `request`: checks first, then the wire form.
pub(super) fn statements(
    model: &Model,
    operation: &Operation,
    arguments: &[Argument<'_>],
) -> TokenStream {
    let checks = arguments.iter().map(check);
    let together = together(operation, arguments);
    // The order of the document, not that of the arguments: it is what a wire log is compared with.
    let writes = operation.parameters.iter().filter_map(|parameter| {
        arguments
            .iter()
            .find(|argument| {
                argument
                    .parameter
                    .is_some_and(|one| one.name == parameter.name && one.place == parameter.place)
            })
            .map(write)
    });
    let body = body(model, operation, arguments);
    quote! {
        #(#checks)*
        #together
        #(#writes)*
        #body
    }
}

/// How code reaches the value of an argument.
struct Reach {
    /// A reference to it.
    reference: TokenStream,
    /// The value itself, as a place that a method can be called on.
    place: TokenStream,
    /// A copy of it.
    copy: TokenStream,
}

/// Runs `with` on the value of an argument, if it has one.
fn on_value(argument: &Argument<'_>, with: impl Fn(Reach) -> TokenStream) -> TokenStream {
    let name = &argument.name;
    let bound = || Reach {
        reference: quote!(value),
        place: quote!(value),
        copy: quote!(*value),
    };
    if argument.is_list() {
        let body = with(bound());
        quote!(for value in &self.#name { #body })
    } else if argument.required {
        with(Reach {
            reference: quote!(&self.#name),
            place: quote!(self.#name),
            copy: quote!(self.#name),
        })
    } else {
        let body = with(bound());
        quote!(if let Some(value) = &self.#name { #body })
    }
}

fn check(argument: &Argument<'_>) -> TokenStream {
    let wire = argument.wire;
    let constraints = &argument.constraints;
    let is_path = argument
        .parameter
        .is_some_and(|parameter| parameter.place == Place::Path);
    let mut checks = Vec::new();
    // A path value is refused by the runtime when it is empty.
    if (constraints.min_length.is_some() && !is_path) || constraints.max_length.is_some() {
        let low = optional(constraints.min_length.map(length));
        let high = optional(constraints.max_length.map(length));
        checks.push(on_value(argument, |reach| {
            let place = reach.place;
            let text = match argument.kind.value().map(element) {
                Some(ParameterType::Named(_)) => quote!(#place.as_str()),
                _ => reach.reference,
            };
            quote!(request.require_length(#wire, #text, #low, #high);)
        }));
    }
    let range = match argument.kind.value().map(element) {
        Some(ParameterType::Integer { signed }) => range(argument, |number| {
            if *signed {
                whole(number).map(|number| {
                    let number = proc_macro2::Literal::i64_suffixed(number);
                    quote!(#number)
                })
            } else {
                // The type itself keeps a minimum of zero.
                number
                    .as_u64()
                    .or_else(|| whole(number)?.try_into().ok())
                    .map(|number| {
                        let number = proc_macro2::Literal::u64_suffixed(number);
                        quote!(#number)
                    })
            }
        }),
        Some(ParameterType::Number) => range(argument, |number| {
            number.as_f64().map(|number| {
                let number = proc_macro2::Literal::f64_suffixed(number);
                quote!(#number)
            })
        }),
        _ => None,
    };
    if let Some((low, high)) = range {
        checks.push(on_value(argument, |reach| {
            let value = reach.copy;
            quote!(request.require_range(#wire, #value, #low, #high);)
        }));
    }
    quote!(#(#checks)*)
}

/// The type that bounds are about: that of an element, of a list.
fn element(kind: &ParameterType) -> &ParameterType {
    match kind {
        ParameterType::List { item, .. } => item,
        kind => kind,
    }
}

fn range(
    argument: &Argument<'_>,
    literal: impl Fn(&Number) -> Option<TokenStream>,
) -> Option<(TokenStream, TokenStream)> {
    let is_zero_of_unsigned = |number: &Number| {
        number.as_u64() == Some(0)
            && matches!(
                argument.kind.value().map(element),
                Some(ParameterType::Integer { signed: false })
            )
    };
    let low = argument
        .constraints
        .minimum
        .as_ref()
        .filter(|number| !is_zero_of_unsigned(number))
        .and_then(&literal);
    let high = argument.constraints.maximum.as_ref().and_then(&literal);
    (low.is_some() || high.is_some()).then(|| (optional(low), optional(high)))
}

/// A whole number, `100.0` included.
fn whole(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| {
        let number = number.as_f64()?;
        // Exact in both types.
        (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
    })
}

fn length(characters: u64) -> TokenStream {
    let literal = proc_macro2::Literal::u64_unsuffixed(characters);
    quote!(#literal)
}

fn optional(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    }
}

/// A limit that means nothing without another parameter: such a call would be paid for and return something else.
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
    let needed_given = given(needed);
    let limit = arguments.iter().find(|one| one.wire == pagination.limit);
    let check = limit.map(|limit| {
        let wire = limit.wire;
        let given = given(limit);
        quote!(request.require_together(#wire, #given, #needed_wire, #needed_given);)
    });
    quote!(#check)
}

fn given(argument: &Argument<'_>) -> TokenStream {
    let name = &argument.name;
    if argument.is_list() {
        quote!(!self.#name.is_empty())
    } else if argument.required {
        quote!(true)
    } else {
        quote!(self.#name.is_some())
    }
}

fn write(argument: &Argument<'_>) -> TokenStream {
    let wire = argument.wire;
    let name = &argument.name;
    let place = argument.parameter.map(|parameter| parameter.place);
    let method = match place {
        Some(Place::Path) => quote!(path),
        Some(Place::Header) => quote!(header),
        _ => quote!(query),
    };
    let joined = match &argument.kind {
        Kind::Parameter(ParameterType::List {
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
        (Some(separator), Some(Place::Query)) => quote! {
            request.query_joined(#wire, #separator, &self.#name);
        },
        (Some(separator), _) => quote! {
            if !self.#name.is_empty() {
                let joined: Vec<String> = self.#name.iter().map(ToString::to_string).collect();
                request.#method(#wire, &joined.join(#separator));
            }
        },
        (None, _) => on_value(argument, |reach| {
            let value = reach.reference;
            quote!(request.#method(#wire, #value);)
        }),
    }
}

fn body(model: &Model, operation: &Operation, arguments: &[Argument<'_>]) -> TokenStream {
    let Some(body) = &operation.body else {
        return TokenStream::new();
    };
    match model.referenced(&body.schema) {
        Some(schema) if schema.is_flat() => {
            let ty = names::ident(&schema.name);
            let fields = arguments
                .iter()
                .filter(|argument| matches!(argument.kind, Kind::Body(_)))
                .map(|argument| {
                    let name = &argument.name;
                    match argument.kind.value() {
                        Some(ParameterType::Text) => quote!(#name: self.#name.clone()),
                        _ => quote!(#name: self.#name),
                    }
                });
            quote!(request.json(&types::#ty { #(#fields),* });)
        }
        _ => quote!(request.json(&self.body);),
    }
}
