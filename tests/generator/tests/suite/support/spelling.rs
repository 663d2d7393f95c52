//! Spells tokens in one form, independent of layout and path length, so that code can be compared as strings.
//! Modules are removed from paths: `::std::option::Option<i64>` and `Option<i64>` are spelled the same. So is documentation.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// Punctuation of several characters that is one token.
const JOINED: [&str; 11] = [
    "..=", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "..",
];

/// Spells a piece of syntax.
pub(crate) fn spelled(syntax: &impl ToTokens) -> String {
    let mut tokens = Vec::new();
    flatten(syntax.to_token_stream(), &mut tokens);
    join(&short(&without_last_commas(tokens)))
}

/// Spells code of a test. Its brackets must be balanced.
pub(crate) fn spelled_text(code: &str) -> String {
    let tokens: TokenStream = code
        .parse()
        .unwrap_or_else(|error| panic!("{error}: {code}"));
    spelled(&tokens)
}

fn flatten(tokens: TokenStream, flat: &mut Vec<String>) {
    let mut tokens = tokens.into_iter().peekable();
    // True if the last token was punctuation, and the next one continues it.
    let mut is_joint = false;
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                flat.push(open.to_owned());
                flatten(group.stream(), flat);
                flat.push(close.to_owned());
            }
            TokenTree::Punct(punct) if punct.as_char() == '#' => match tokens.peek() {
                Some(TokenTree::Group(group)) if is_doc(group) => drop(tokens.next()),
                _ => flat.push("#".to_owned()),
            },
            TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                let name = tokens.next().map_or(String::new(), |name| name.to_string());
                flat.push(format!("'{name}"));
            }
            TokenTree::Punct(punct) => {
                let joined = flat.last().map(|last| format!("{last}{punct}"));
                let joined = joined.filter(|joined| is_joint && JOINED.contains(&joined.as_str()));
                is_joint = punct.spacing() == Spacing::Joint;
                match joined {
                    Some(joined) => *flat.last_mut().unwrap() = joined,
                    None => flat.push(punct.to_string()),
                }
            }
            other => flat.push(other.to_string()),
        }
    }
}

fn is_doc(attribute: &proc_macro2::Group) -> bool {
    let mut tokens = attribute.stream().into_iter();
    matches!(tokens.next(), Some(TokenTree::Ident(name)) if name == "doc")
}

/// Removes the comma before a closing bracket, which depends on the layout.
fn without_last_commas(tokens: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for token in tokens {
        if [")", "]", "}", ">"].contains(&token.as_str())
            && kept.last().is_some_and(|last| last == ",")
        {
            kept.pop();
        }
        kept.push(token);
    }
    kept.retain(|token| !token.is_empty());
    kept
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Removes the modules of paths: names in lower case before `::`, and a `::` that begins a path.
fn short(tokens: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let next = |ahead: usize| tokens.get(index + ahead).map_or("", String::as_str);
        let is_module = is_name(token)
            && token.starts_with(|c: char| c.is_lowercase())
            && next(1) == "::"
            && is_name(next(2));
        let begins = token == "::"
            && !kept.last().is_some_and(|last| {
                is_name(last) && last.starts_with(char::is_uppercase) || last == ">"
            })
            && is_name(next(1));
        if !(is_module || begins) {
            kept.push(token.clone());
        }
    }
    kept
}

fn join(tokens: &[String]) -> String {
    const SPACED: [&str; 13] = [
        "=", "=>", "->", "==", "!=", "<=", ">=", "&&", "||", "|", "+", "{", "}",
    ];
    let is_literal = |token: &str| {
        token.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"' || c == '\'')
    };
    let mut text = String::new();
    let mut before = "";
    for token in tokens {
        let is_spaced = SPACED.contains(&token.as_str())
            || SPACED.contains(&before)
            || [",", ":", ";"].contains(&before)
            || is_literal(before) && (is_literal(token) || token == "&");
        if is_spaced && !text.is_empty() && ![",", ";", ")", "?", "."].contains(&token.as_str()) {
            text.push(' ');
        }
        text.push_str(token);
        before = token;
    }
    text
}
