//! The tables of members, which prettyplease would write without line breaks: a line for each member.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;

/// The tables of a file, in the order of their marks.
pub(super) struct Tables(Vec<String>);

impl Tables {
    /// Replaces the tables among these items by marks.
    pub(super) fn mark(items: &mut [syn::Item]) -> Self {
        let mut tables = Vec::new();
        for item in items {
            let syn::Item::Macro(item) = item else {
                continue;
            };
            let last = item.mac.path.segments.last();
            if last.is_some_and(|last| last.ident == "object") {
                let mark = mark(tables.len());
                let ident = syn::Ident::new(&mark, proc_macro2::Span::call_site());
                let tokens = std::mem::replace(&mut item.mac.tokens, quote!(#ident));
                tables.push(text(tokens));
            }
        }
        Self(tables)
    }

    /// Puts the tables in place of their marks.
    pub(super) fn put(&self, text: &str) -> String {
        let mut whole = String::with_capacity(text.len());
        let mut rest = text;
        for (index, table) in self.0.iter().enumerate() {
            let mark = format!("({})", mark(index));
            if let Some((before, after)) = rest.split_once(&mark) {
                whole.push_str(before);
                whole.push_str(table);
                rest = after;
            }
        }
        whole + rest
    }
}

fn mark(index: usize) -> String {
    format!("TABLE_{index}_\u{ac00}")
}

fn text(tokens: TokenStream) -> String {
    let mut text = String::from("(");
    for token in tokens {
        match token {
            TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace => {
                text.push_str(&rows(&group));
            }
            TokenTree::Group(group) => {
                let list = group.stream().to_string().replace(" ,", ",");
                text.push_str(&format!(" [{list}]"));
            }
            token if text.ends_with('(') => text.push_str(&token.to_string()),
            token => text.push_str(&format!(" {token}")),
        }
    }
    text + ")"
}

/// Writes the members, each on a line.
fn rows(group: &Group) -> String {
    let mut text = String::from(" {\n");
    let mut is_first = true;
    for token in group.stream() {
        let token = token.to_string();
        match token.as_str() {
            ":" => text.push(':'),
            "," => {
                text.push_str(",\n");
                is_first = true;
                continue;
            }
            token if is_first => text.push_str(&format!("    {token}")),
            token => text.push_str(&format!(" {token}")),
        }
        is_first = false;
    }
    text + "}"
}
