//! Checks of an argument before a request is sent: the bounds in its document.

use openapi_model::{Location, Model, ParameterType, TextFormat};
use proc_macro2::TokenStream;
use quote::quote;
use serde_json::Number;

use super::value::{self, Argument};

/// Returns whether an argument of any operation is checked against a pattern.
pub(crate) fn has_patterns(model: &Model) -> bool {
    let operations = model.operations.iter();
    let mut arguments = operations.flat_map(|operation| {
        let parts = super::parts::of(model, operation);
        let parts = parts.into_iter().flat_map(|(_, parts)| parts);
        parts.chain(value::arguments(model, operation))
    });
    arguments.any(|argument| !patterns(&argument).is_empty())
}

/// Returns the patterns for the strings of an argument.
fn patterns<'a>(argument: &'a Argument<'_>) -> &'a [String] {
    match argument.kind.value().map(element) {
        Some(ParameterType::Text | ParameterType::Formatted(_) | ParameterType::Named(_)) => {
            &argument.constraints.patterns
        }
        _ => &[],
    }
}

/// How code reaches the value of an argument.
pub(super) struct Reach {
    /// A reference to it.
    pub(super) reference: TokenStream,
    /// The value itself, as a place that a method can be called on.
    pub(super) place: TokenStream,
    /// A copy of it.
    copy: TokenStream,
}

/// Runs `with` on the value of an argument, if it has one.
pub(super) fn on_value(
    argument: &Argument<'_>,
    with: impl Fn(Reach) -> TokenStream,
) -> TokenStream {
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
        let (body, found) = (with(bound()), argument.found());
        quote!(if let #found = &self.#name { #body })
    }
}

/// Returns the string of an argument, as an expression.
fn text(argument: &Argument<'_>, reach: Reach) -> TokenStream {
    let place = reach.place;
    match argument.kind.value().map(element) {
        Some(ParameterType::Formatted(runtime)) if runtime.is_secret() => quote!(#place.expose()),
        // The caller may pass any JSON: the string is then empty.
        Some(ParameterType::Formatted(runtime)) if runtime.is_date() => {
            quote!(#place.as_str().unwrap_or_default())
        }
        Some(ParameterType::Formatted(_) | ParameterType::Named(_)) => quote!(#place.as_str()),
        _ => reach.reference,
    }
}

/// The statements that check an argument, on the request or on the parts of a body.
pub(super) fn check(argument: &Argument<'_>, on: &TokenStream) -> TokenStream {
    let wire = argument.wire;
    let constraints = &argument.constraints;
    let is_path = argument
        .parameter
        .is_some_and(|parameter| parameter.location == Location::Path);
    let mut checks = Vec::new();
    // A path value is refused by the runtime when it is empty.
    if (constraints.min_length.is_some() && !is_path) || constraints.max_length.is_some() {
        let low = optional(constraints.min_length.map(length));
        let high = optional(constraints.max_length.map(length));
        checks.push(on_value(argument, |reach| {
            let text = text(argument, reach);
            quote!(#on.require_length(#wire, #text, #low, #high);)
        }));
    }
    checks.extend(format(argument, on));
    for pattern in patterns(argument) {
        checks.push(on_value(argument, |reach| {
            let text = text(argument, reach);
            // Each argument has its constant, in a block.
            quote!({
                static PATTERN: ::generated_client::request::Pattern = ::generated_client::request::Pattern::new(#pattern);
                #on.require_pattern(#wire, #text, &PATTERN);
            })
        }));
    }
    let range = bounds(
        argument,
        constraints.minimum.as_ref(),
        constraints.maximum.as_ref(),
    );
    if let Some((low, high)) = range {
        checks.push(on_value(argument, |reach| {
            let value = reach.copy;
            quote!(#on.require_range(#wire, #value, #low, #high);)
        }));
    }
    let between = bounds(
        argument,
        constraints.above.as_ref(),
        constraints.below.as_ref(),
    );
    if let Some((above, below)) = between {
        checks.push(on_value(argument, |reach| {
            let value = reach.copy;
            quote!(#on.require_between(#wire, #value, #above, #below);)
        }));
    }
    for of in &constraints.multiples_of {
        checks.extend(multiple(argument, of, on));
    }
    checks.extend(items(argument, on));
    quote!(#(#checks)*)
}

/// Returns the check of the format of a string, or of a value of another crate.
fn format(argument: &Argument<'_>, on: &TokenStream) -> Option<TokenStream> {
    let wire = argument.wire;
    let kind = argument.kind.value().map(element)?;
    if matches!(kind, ParameterType::Formatted(runtime) if runtime.is_native()) {
        return Some(on_value(argument, |reach| {
            let value = reach.reference;
            quote!(#on.require_native(#wire, #value);)
        }));
    }
    if !matches!(kind, ParameterType::Formatted(_) | ParameterType::Named(_)) {
        return None;
    }
    let format = match argument.constraints.format? {
        TextFormat::Date => quote!(Date),
        TextFormat::DateTime => quote!(DateTime),
        TextFormat::Uuid => quote!(Uuid),
    };
    Some(on_value(argument, |reach| {
        let text = text(argument, reach);
        quote!(#on.require_format(#wire, #text, ::generated_client::request::TextFormat::#format);)
    }))
}

/// The check of `multipleOf`; nothing for a whole number whose multiples cannot be counted exactly.
fn multiple(argument: &Argument<'_>, of: &Number, on: &TokenStream) -> Option<TokenStream> {
    let wire = argument.wire;
    match argument.kind.value().map(element)? {
        ParameterType::Integer(_) => {
            let of = proc_macro2::Literal::i64_unsuffixed(whole(of).filter(|of| *of != 1)?);
            Some(on_value(argument, |reach| {
                let value = reach.copy;
                quote!(#on.require_multiple(#wire, #value, #of);)
            }))
        }
        ParameterType::Number => {
            let of = proc_macro2::Literal::f64_suffixed(of.as_f64()?);
            Some(on_value(argument, |reach| {
                let value = reach.copy;
                quote!(#on.require_multiple_of(#wire, #value, #of);)
            }))
        }
        _ => None,
    }
}

/// The checks of a list as a whole. An optional one that is empty is not given.
fn items(argument: &Argument<'_>, on: &TokenStream) -> Option<TokenStream> {
    let (wire, name, constraints) = (argument.wire, &argument.name, &argument.constraints);
    if !argument.is_list() {
        return None;
    }
    let count = (constraints.min_items.is_some_and(|min| min > 0)
        || constraints.max_items.is_some())
    .then(|| {
        let (min, max) = (
            constraints.min_items.map(length),
            constraints.max_items.map(length),
        );
        let (min, max) = (optional(min), optional(max));
        quote!(#on.require_items(#wire, self.#name.len(), #min, #max);)
    });
    let count = if argument.required {
        count
    } else {
        count.map(|count| quote!(if !self.#name.is_empty() { #count }))
    };
    let unique = constraints
        .unique_items
        .then(|| quote!(#on.require_unique(#wire, &self.#name);));
    Some(quote!(#count #unique))
}

/// Bounds as constants of the type of an argument; `None` without bounds.
fn bounds(
    argument: &Argument<'_>,
    low: Option<&Number>,
    high: Option<&Number>,
) -> Option<(TokenStream, TokenStream)> {
    match argument.kind.value().map(element)? {
        // The type itself keeps a minimum of zero.
        ParameterType::Integer(integer) => range(argument, low, high, |number| {
            let number = number.as_i128().or_else(|| whole(number).map(i128::from))?;
            let number = integer
                .has(number)
                .then(|| proc_macro2::Literal::i128_unsuffixed(number))?;
            Some(quote!(#number))
        }),
        ParameterType::Number => range(argument, low, high, |number| {
            number.as_f64().map(|number| {
                let number = proc_macro2::Literal::f64_suffixed(number);
                quote!(#number)
            })
        }),
        _ => None,
    }
}

/// Returns the type that bounds are about: that of the elements of a list, or of the value itself.
pub(super) fn element(kind: &ParameterType) -> &ParameterType {
    match kind {
        ParameterType::List { item, .. } => item,
        kind => kind,
    }
}

fn range(
    argument: &Argument<'_>,
    low: Option<&Number>,
    high: Option<&Number>,
    literal: impl Fn(&Number) -> Option<TokenStream>,
) -> Option<(TokenStream, TokenStream)> {
    let is_zero_of_unsigned = |number: &Number| {
        number.as_u64() == Some(0)
            && matches!(
                argument.kind.value().map(element),
                Some(ParameterType::Integer(integer)) if integer.is_unsigned()
            )
    };
    let is_inclusive = argument.constraints.minimum.as_ref() == low;
    let low = low
        .filter(|number| !(is_inclusive && is_zero_of_unsigned(number)))
        .and_then(&literal);
    let high = high.and_then(&literal);
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
