//! Checks of values before a request is sent: the bounds in its document.

use openapi_model::{Location, ParameterType, TextFormat};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use serde_json::Number;

use super::option;
use super::value::Argument;
use crate::types::Hold;

/// Returns the patterns for the strings of an argument.
pub(super) fn patterns<'a>(argument: &'a Argument<'_>) -> &'a [String] {
    if is_text(argument) {
        &argument.constraints.patterns
    } else {
        &[]
    }
}

/// Returns whether the values of an argument are strings.
pub(super) fn is_text(argument: &Argument<'_>) -> bool {
    matches!(
        argument.kind.value().map(element),
        Some(ParameterType::Text | ParameterType::Formatted(_) | ParameterType::Named(_))
    )
}

/// Returns the statements that check all arguments of a builder or of a multipart body, on the request or on the parts.
pub(super) fn all(arguments: &[Argument<'_>], on: &TokenStream) -> TokenStream {
    let checks = arguments
        .iter()
        .map(|argument| Check::own(argument, on).statements());
    checks.collect()
}

/// How code reaches a value.
pub(super) struct Reach {
    /// A reference to it.
    pub(super) reference: TokenStream,
    /// The value itself, as a place that a method can be called on.
    pub(super) place: TokenStream,
    /// A copy of it.
    copy: TokenStream,
}

/// A value that is checked, as the field of a struct.
pub(super) struct Check<'a, 'm> {
    pub(super) argument: &'a Argument<'m>,
    /// The struct.
    pub(super) owner: TokenStream,
    pub(super) hold: Hold,
    /// True if the value is the field of a tuple struct.
    pub(super) is_newtype: bool,
    /// The expression that refuses a wrong value.
    pub(super) on: TokenStream,
}

impl<'a, 'm> Check<'a, 'm> {
    /// An argument that a builder has itself.
    pub(super) fn own(argument: &'a Argument<'m>, on: &TokenStream) -> Self {
        Self {
            argument,
            owner: quote!(self),
            hold: if argument.required || argument.is_list() {
                Hold::Plain
            } else {
                Hold::Option
            },
            is_newtype: false,
            on: on.clone(),
        }
    }

    fn field(&self) -> TokenStream {
        let (owner, name) = (&self.owner, &self.argument.name);
        quote!(#owner.#name)
    }

    /// Runs `with` on the value, if there is one.
    pub(super) fn on_value(&self, with: impl Fn(Reach) -> TokenStream) -> TokenStream {
        let field = self.field();
        let is_list = self.argument.is_list();
        if self.hold == Hold::Plain && !is_list {
            return with(if self.is_newtype {
                reach(&quote!(#field.0))
            } else {
                reach(&field)
            });
        }
        let body = with(if self.is_newtype {
            reach(&quote!(value.0))
        } else {
            Reach {
                reference: quote!(value),
                place: quote!(value),
                copy: quote!(*value),
            }
        });
        match self.hold {
            Hold::Plain => quote!(for value in &#field { #body }),
            _ if is_list => quote!(for value in #field.iter().flatten() { #body }),
            Hold::Option => quote!(if let Some(value) = &#field { #body }),
            Hold::Nullable => {
                quote!(if let ::generated_client::values::Nullable::Value(value) = &#field { #body })
            }
        }
    }

    /// Runs `with` on the string of a value.
    fn on_text(&self, with: impl Fn(TokenStream) -> TokenStream) -> TokenStream {
        self.on_value(|reach| with(self.text(reach)))
    }

    /// Runs `with` on a copy of a value.
    fn on_copy(&self, with: impl Fn(TokenStream) -> TokenStream) -> TokenStream {
        self.on_value(|reach| with(reach.copy))
    }

    /// Returns the string of a value, as an expression.
    fn text(&self, reach: Reach) -> TokenStream {
        let place = reach.place;
        match self.argument.kind.value().map(element) {
            Some(ParameterType::Formatted(runtime)) if runtime.is_secret() => {
                quote!(#place.expose())
            }
            Some(ParameterType::Formatted(_) | ParameterType::Named(_)) => quote!(#place.as_str()),
            _ => reach.reference,
        }
    }

    /// Returns the statements.
    pub(super) fn statements(&self) -> TokenStream {
        let (argument, on) = (self.argument, &self.on);
        let wire = argument.wire;
        let constraints = &argument.constraints;
        let is_path = argument
            .parameter
            .is_some_and(|parameter| parameter.location == Location::Path);
        let mut checks = Vec::new();
        // A path value is refused by the runtime when it is empty.
        if (constraints.min_length.is_some() && !is_path) || constraints.max_length.is_some() {
            let low = option(constraints.min_length.map(Literal::u64_unsuffixed));
            let high = option(constraints.max_length.map(Literal::u64_unsuffixed));
            checks
                .push(self.on_text(|text| quote!(#on.require_length(#wire, #text, #low, #high);)));
        }
        checks.extend(self.format());
        for pattern in patterns(argument) {
            // Each argument has its constant, in a block.
            checks.push(self.on_text(|text| quote!({
                static PATTERN: ::generated_client::request::Pattern = ::generated_client::request::Pattern::new(#pattern);
                #on.require_pattern(#wire, #text, &PATTERN);
            })));
        }
        let range = bounds(
            argument,
            constraints.minimum.as_ref(),
            constraints.maximum.as_ref(),
        );
        if let Some((low, high)) = range {
            checks
                .push(self.on_copy(|value| quote!(#on.require_range(#wire, #value, #low, #high);)));
        }
        let between = bounds(
            argument,
            constraints.above.as_ref(),
            constraints.below.as_ref(),
        );
        if let Some((above, below)) = between {
            checks.push(
                self.on_copy(|value| quote!(#on.require_between(#wire, #value, #above, #below);)),
            );
        }
        if matches!(
            argument.kind.value().map(element),
            Some(ParameterType::Number)
        ) {
            checks.push(self.on_copy(|value| quote!(#on.require_finite(#wire, #value);)));
        }
        for of in &constraints.multiples_of {
            checks.extend(self.multiple(of));
        }
        checks.extend(self.items());
        quote!(#(#checks)*)
    }

    /// Returns the check of the format of a string, or of a value of another crate.
    fn format(&self) -> Option<TokenStream> {
        let (argument, on) = (self.argument, &self.on);
        let wire = argument.wire;
        let kind = argument.kind.value().map(element)?;
        if matches!(kind, ParameterType::Formatted(runtime) if runtime.is_native()) {
            return Some(self.on_value(|reach| {
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
        Some(self.on_text(
            |text| quote!(#on.require_format(#wire, #text, ::generated_client::request::TextFormat::#format);),
        ))
    }

    /// The check of `multipleOf`; nothing for a whole number whose multiples cannot be counted exactly.
    fn multiple(&self, of: &Number) -> Option<TokenStream> {
        let (wire, on) = (self.argument.wire, &self.on);
        match self.argument.kind.value().map(element)? {
            ParameterType::Integer(_) => {
                let of = Literal::i64_unsuffixed(whole(of).filter(|of| *of != 1)?);
                Some(self.on_copy(|value| quote!(#on.require_multiple(#wire, #value, #of);)))
            }
            ParameterType::Number => {
                let of = Literal::f64_suffixed(of.as_f64()?);
                Some(self.on_copy(|value| quote!(#on.require_multiple_of(#wire, #value, #of);)))
            }
            _ => None,
        }
    }

    /// The checks of a list as a whole. An optional one of a builder that is empty is not given.
    fn items(&self) -> Option<TokenStream> {
        let (wire, on, constraints) = (self.argument.wire, &self.on, &self.argument.constraints);
        if !self.argument.is_list() {
            return None;
        }
        let field = self.field();
        let list = match self.hold {
            Hold::Plain => field.clone(),
            _ => quote!(items),
        };
        let (min, max) = (constraints.min_items, constraints.max_items);
        let count = (min.is_some_and(|min| min > 0) || max.is_some()).then(|| {
            let min = option(min.map(Literal::u64_unsuffixed));
            let max = option(max.map(Literal::u64_unsuffixed));
            quote!(#on.require_items(#wire, #list.len(), #min, #max);)
        });
        let unique = constraints.unique_items.then(|| match self.hold {
            Hold::Plain => quote!(#on.require_unique(#wire, &#list);),
            _ => quote!(#on.require_unique(#wire, #list);),
        });
        let checks = match self.hold {
            Hold::Plain if self.argument.required => quote!(#count #unique),
            Hold::Plain => {
                let count = count.map(|count| quote!(if !#field.is_empty() { #count }));
                quote!(#count #unique)
            }
            _ if count.is_none() && unique.is_none() => return None,
            _ => quote!(if let Some(items) = &#field { #count #unique }),
        };
        Some(checks)
    }
}

/// Reaches a value at a place.
fn reach(place: &TokenStream) -> Reach {
    Reach {
        reference: quote!(&#place),
        place: place.clone(),
        copy: place.clone(),
    }
}

/// Bounds as constants of the type of an argument; `None` without bounds.
fn bounds(
    argument: &Argument<'_>,
    low: Option<&Number>,
    high: Option<&Number>,
) -> Option<(TokenStream, TokenStream)> {
    let kind = argument.kind.value().map(element)?;
    let is_unsigned = matches!(kind, ParameterType::Integer(integer) if integer.is_unsigned());
    let is_inclusive = argument.constraints.minimum.as_ref() == low;
    // The type itself keeps a minimum of zero.
    let low = low
        .filter(|number| !(is_inclusive && is_unsigned && number.as_u64() == Some(0)))
        .and_then(|number| literal(kind, number));
    let high = high.and_then(|number| literal(kind, number));
    (low.is_some() || high.is_some()).then(|| (option(low), option(high)))
}

/// Returns a number as a literal of the type of an argument.
fn literal(kind: &ParameterType, number: &Number) -> Option<Literal> {
    match kind {
        ParameterType::Integer(integer) => {
            let number = number.as_i128().or_else(|| whole(number).map(i128::from))?;
            integer
                .has(number)
                .then(|| Literal::i128_unsuffixed(number))
        }
        ParameterType::Number => number.as_f64().map(Literal::f64_suffixed),
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

/// A whole number, `100.0` included.
fn whole(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| {
        let number = number.as_f64()?;
        // Exact in both types.
        (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
    })
}
