//! The names of a union's variants.

use std::collections::HashSet;

use openapi_model::names;
use openapi_model::{Scalar, Schema, Shape};

/// The variant that keeps what fits no alternative.
pub(super) const CATCH_ALL: &str = "Unrecognized";

/// Returns the name of a variant with a type: its tag, or its type without the words that it shares with the union.
pub(super) fn called(union: &Schema, schema: &Schema, tags: &[String]) -> String {
    if let [tag] = tags {
        return names::pascal(tag);
    }
    without(&schema.name, &union.name).to_owned()
}

/// The name of a type without that of a union, before or behind it: `PaymentCard` and `CardPayment` of `Payment` are `Card`.
fn without<'n>(name: &'n str, union: &str) -> &'n str {
    let is_name = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_uppercase());
    let behind = name.split_once(union).map(|(_, behind)| behind);
    let before = name.strip_suffix(union);
    behind
        .filter(is_name)
        .or(before.filter(is_name))
        .unwrap_or(name)
}

/// The name and the line of a variant whose values have no name.
pub(super) fn unnamed(shape: &Shape) -> (&'static str, &'static str) {
    match shape {
        Shape::Texts { .. } => ("Text", "A string."),
        Shape::Scalar { kind, .. } => match kind {
            Scalar::Text => ("Text", "A string."),
            Scalar::Integer => ("Integer", "A whole number."),
            Scalar::Number => ("Number", "A number."),
            Scalar::Boolean => ("Boolean", "A truth value."),
        },
        Shape::List(_) | Shape::Tuple(_) => ("List", "A list."),
        Shape::Map(_) | Shape::Object(_) => ("Map", "A map."),
        Shape::Any | Shape::Union { .. } | Shape::Reference(_) => ("Other", "A map."),
    }
}

/// A name that no other variant has.
pub(super) fn unique(wanted: &str, taken: &mut HashSet<String>) -> syn::Ident {
    let mut name = wanted.to_owned();
    let mut number = 2;
    while !taken.insert(name.clone()) {
        name = format!("{wanted}{number}");
        number += 1;
    }
    names::ident(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_does_not_repeat_the_name_of_its_union() {
        for (name, union, expected) in [
            ("SourceBankAccount", "Source", "BankAccount"),
            ("CustomerPaymentMethodCard", "PaymentMethod", "Card"),
            ("CardPayment", "Payment", "Card"),
            ("Payment", "Payment", "Payment"),
            ("Payments", "Payment", "Payments"),
            ("Payment2", "Payment", "Payment2"),
            ("Cat", "Pet", "Cat"),
        ] {
            assert_eq!(without(name, union), expected, "{name}");
        }
    }
}
