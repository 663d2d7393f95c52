//! Conditions of the runtime, decided for an emitted crate.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, Meta, MetaList, Token};

use super::manifest::Merged;

/// The condition of a `cfg`.
pub(super) enum Condition {
    /// The same in every build of the crate.
    Decided(bool),
    /// Decided by the features that callers choose: the rest of the condition.
    Open(String),
}

impl Condition {
    /// Decides as much of a condition as the features of the crate do.
    pub(super) fn decide(condition: &Meta, merged: &Merged) -> Self {
        match condition {
            Meta::Path(path) if path.is_ident("test") => Self::Decided(false),
            Meta::NameValue(pair) if pair.path.is_ident("feature") => match &pair.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(name),
                    ..
                }) => merged.condition(&name.value()),
                _ => Self::Decided(false),
            },
            Meta::List(list) => Self::decide_list(list, merged),
            other => Self::Open(other.to_token_stream().to_string()),
        }
    }

    fn decide_list(list: &MetaList, merged: &Merged) -> Self {
        let nested = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        let nested: Vec<Self> = nested
            .iter()
            .flatten()
            .map(|one| Self::decide(one, merged))
            .collect();
        if list.path.is_ident("not") {
            return match nested.into_iter().next() {
                Some(Self::Open(rest)) => Self::Open(format!("not({rest})")),
                Some(Self::Decided(is_met)) => Self::Decided(!is_met),
                None => Self::Decided(false),
            };
        }
        Self::join(nested, list.path.is_ident("any"))
    }

    /// Joins conditions of which any, or all, have to be met.
    fn join(nested: Vec<Self>, any: bool) -> Self {
        let mut open = Vec::new();
        for one in nested {
            match one {
                Self::Decided(is_met) if is_met == any => return one,
                Self::Decided(_) => {}
                Self::Open(rest) => open.push(rest),
            }
        }
        match open.as_slice() {
            [] => Self::Decided(!any),
            [one] => Self::Open(one.clone()),
            several => {
                let word = if any { "any" } else { "all" };
                Self::Open(format!("{word}({})", several.join(", ")))
            }
        }
    }
}
