//! The names that code mentions.

use std::collections::BTreeSet;

use proc_macro2::{Spacing, TokenStream, TokenTree};

/// Names: those of items, and those of methods behind a dot.
pub(super) type Names = BTreeSet<String>;

/// Adds the names that tokens mention: paths, methods, and in strings what is shown or a path.
pub(super) fn add(tokens: TokenStream, all: &mut Names) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let (before, after) = tokens.split_at(index);
        match token {
            TokenTree::Group(group) if is_of_attribute(before) => {
                add_attribute(group.stream(), all);
            }
            TokenTree::Group(group) if is_of_macro(before) => add_any(group.stream(), all),
            TokenTree::Group(group) => add(group.stream(), all),
            TokenTree::Ident(name) => add_name(&name.to_string(), before, after, all),
            TokenTree::Literal(literal) => add_string(&literal.to_string(), all),
            TokenTree::Punct(_) => {}
        }
    }
}

/// Adds all names in the tokens of a macro, as what each may become.
fn add_any(tokens: TokenStream, all: &mut Names) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_any(group.stream(), all),
            TokenTree::Ident(name) => {
                all.insert(format!(".{name}"));
                all.insert(name.to_string());
            }
            TokenTree::Literal(literal) => add_string(&literal.to_string(), all),
            TokenTree::Punct(_) => {}
        }
    }
}

/// Adds an identifier by what stands around it.
fn add_name(name: &str, before: &[TokenTree], after: &[TokenTree], all: &mut Names) {
    let is_declared = match after {
        [_, TokenTree::Punct(colon), ..] => {
            colon.as_char() == ':' && colon.spacing() == Spacing::Alone
        }
        _ => false,
    };
    if is_declared || is_behind_name(before) {
        return;
    }
    match before {
        [.., other, TokenTree::Punct(dot)] if dot.as_char() == '.' && !is(other, '.') => {
            all.insert(format!(".{name}"));
        }
        [.., owner, one, other] if is(one, ':') && is(other, ':') => {
            all.insert(format!(".{name}"));
            if matches!(owner, TokenTree::Ident(owner) if !is_type(&owner.to_string())) {
                all.insert(name.to_owned());
            }
        }
        _ => _ = all.insert(name.to_owned()),
    }
}

/// Returns whether a group is the body or the arguments of a macro, by what stands before it.
fn is_of_macro(before: &[TokenTree]) -> bool {
    match before {
        [.., TokenTree::Ident(_), mark] => is(mark, '!'),
        [.., TokenTree::Ident(word), mark, TokenTree::Ident(_)] => {
            word == "macro_rules" && is(mark, '!')
        }
        _ => false,
    }
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

/// Returns whether a name is that of a type, as Rust writes it.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// Returns whether the tokens end with a name, behind which there is a declaration, or no Rust.
fn is_behind_name(before: &[TokenTree]) -> bool {
    match before {
        [.., mark, TokenTree::Ident(_)] if is(mark, '\'') => false,
        [.., TokenTree::Ident(word)] => word == "fn" || !is_keyword(&word.to_string()),
        _ => false,
    }
}

fn is_keyword(word: &str) -> bool {
    syn::parse_str::<syn::Ident>(word).is_err()
}

fn is_of_attribute(before: &[TokenTree]) -> bool {
    match before {
        [.., mark, bang] if is(bang, '!') => is(mark, '#'),
        [.., mark] => is(mark, '#'),
        [] => false,
    }
}

/// Adds the names of an attribute, which may be paths in strings, as those of serde are.
fn add_attribute(tokens: TokenStream, all: &mut Names) {
    let text = tokens.to_string();
    if !text.starts_with("doc") {
        all.extend(words(&text));
    }
}

/// Adds the names that a format string shows.
fn add_string(literal: &str, all: &mut Names) {
    let shown = literal.split('{').skip(1);
    all.extend(shown.filter_map(|rest| words(rest).next()));
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).map(str::to_owned)
}
