//! The tables of members, which prettyplease would write without line breaks: a line for each member.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

/// The macros that take a table.
const TABLES: [&str; 3] = ["builder", "object", "union"];

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
            if last.is_some_and(|last| TABLES.iter().any(|name| last.ident == name)) {
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
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                text.push_str(&rows(&group));
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                let list = group.stream().to_string().replace(" ,", ",");
                text.push_str(&format!(" [{list}]"));
            }
            TokenTree::Group(group) => text.push_str(&group.to_string()),
            token if text.ends_with('(') || sign(&token) == Some(',') => {
                text.push_str(&token.to_string());
            }
            token => text.push_str(&format!(" {token}")),
        }
    }
    text + ")"
}

/// Writes the members or alternatives, each on a line of its own, or on several.
fn rows(group: &Group) -> String {
    let mut text = String::from(" {\n");
    let mut row = Row::default();
    let mut depth = 0_usize;
    for token in group.stream() {
        match sign(&token) {
            Some('<') => depth += 1,
            // The end of an arrow closes nothing.
            Some('>') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if sign(&token) == Some(',') && depth == 0 {
            text.push_str(&row.line);
            text.push_str(",\n");
            row = Row::default();
        } else {
            row.add(token);
        }
    }
    text + "}"
}

fn sign(token: &TokenTree) -> Option<char> {
    match token {
        TokenTree::Punct(sign) => Some(sign.as_char()),
        _ => None,
    }
}

/// The longest line of a row, if its words allow it.
const WIDTH: usize = 100;

/// A row of a table, as rustfmt would space it.
struct Row {
    line: String,
    /// Bytes before the current line of the row.
    start: usize,
}

impl Default for Row {
    fn default() -> Self {
        Self {
            line: "    ".to_owned(),
            start: 0,
        }
    }
}

impl Row {
    fn add(&mut self, token: TokenTree) {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Bracket => ('[', ']'),
                    _ => ('(', ')'),
                };
                if open == '[' && !self.line.ends_with('&') {
                    self.line.push(' ');
                }
                self.line.push(open);
                for inner in group.stream() {
                    self.add(inner);
                }
                self.line.push(close);
            }
            TokenTree::Punct(sign) => {
                let sign = sign.as_char();
                let is_operator = matches!(sign, '=' | '|' | '-');
                if is_operator || sign == '&' && self.is_behind_word() {
                    self.line.push(' ');
                }
                self.line.push(sign);
            }
            word => {
                if self.is_behind_word() {
                    self.word(&word.to_string());
                } else {
                    self.line.push_str(&word.to_string());
                }
            }
        }
    }

    /// Adds a word behind a space, or on the next line.
    fn word(&mut self, word: &str) {
        if self.line.len() - self.start + word.len() >= WIDTH {
            self.line.push('\n');
            self.start = self.line.len();
            self.line.push_str("        ");
        } else {
            self.line.push(' ');
        }
        self.line.push_str(word);
    }

    fn is_behind_word(&self) -> bool {
        let is_open = self.line.ends_with(['(', '[', '<', '&', '.', ' ']);
        !is_open && !self.line.ends_with("::")
    }
}
