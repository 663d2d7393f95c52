//! Blank lines between items, methods and documented fields, which prettyplease does not write. A comment marks each place in the code, and is
//! an empty line in the formatted text.

use quote::ToTokens;

use super::tables::Tables;

/// A line of documentation that nothing else has: all others begin with a space.
const MARK: &str = "\u{e000}";

/// Formats a file, with blank lines.
pub(super) fn formatted(mut file: syn::File) -> String {
    items(&mut file.items);
    let tables = Tables::mark(&mut file.items);
    let text = tables.put(&prettyplease::unparse(&file));
    let mark = format!("///{MARK}");
    let lines = text.split_inclusive('\n');
    lines
        .map(|line| if line.trim() == mark { "\n" } else { line })
        .collect()
}

/// A member of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Member {
    kind: Kind,
    is_documented: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An import, by its origin: the standard library, other crates, this crate.
    Import(u8),
    /// A declaration in one line. Those of one keyword are next to each other.
    Line(&'static str),
    /// Any other item.
    Item,
    /// A field or a variant.
    Field,
}

/// Marks the place in front of a member, if a blank line separates it from the one before.
fn mark(before: &mut Option<Member>, kind: Kind, attributes: &mut Vec<syn::Attribute>) {
    let is_documented = attributes.iter().any(|one| one.path().is_ident("doc"));
    let member = Member {
        kind,
        is_documented,
    };
    if before
        .replace(member)
        .is_some_and(|before| is_apart(before, member))
    {
        attributes.insert(0, syn::parse_quote!(#[doc = #MARK]));
    }
}

/// Returns whether a blank line separates two members of a block.
fn is_apart(before: Member, member: Member) -> bool {
    if let (Kind::Import(one), Kind::Import(other)) = (before.kind, member.kind) {
        return one != other;
    }
    let is_documented = before.is_documented || member.is_documented;
    is_documented
        || match (before.kind, member.kind) {
            (Kind::Field, Kind::Field) => false,
            (Kind::Line(one), Kind::Line(other)) => one != other,
            _ => true,
        }
}

fn items(items: &mut [syn::Item]) {
    let mut before = None;
    for item in items {
        let kind = match item {
            syn::Item::Use(item) => Kind::Import(origin(item)),
            syn::Item::Mod(item) if item.content.is_none() => Kind::Line("mod"),
            syn::Item::Struct(one) if !matches!(one.fields, syn::Fields::Named(_)) => {
                declaration("struct", item)
            }
            syn::Item::Static(_) => declaration("static", item),
            syn::Item::Const(_) => declaration("const", item),
            _ => Kind::Item,
        };
        let attributes = match item {
            syn::Item::Use(item) => &mut item.attrs,
            syn::Item::Mod(item) => {
                self::items(item.content.as_mut().map_or(&mut [], |(_, items)| items));
                &mut item.attrs
            }
            syn::Item::Struct(item) => {
                fields(&mut item.fields);
                &mut item.attrs
            }
            syn::Item::Enum(item) => {
                let mut before = None;
                for variant in &mut item.variants {
                    fields(&mut variant.fields);
                    mark(&mut before, Kind::Field, &mut variant.attrs);
                }
                &mut item.attrs
            }
            syn::Item::Impl(item) => {
                methods(&mut item.items);
                &mut item.attrs
            }
            syn::Item::Static(item) => &mut item.attrs,
            syn::Item::Const(item) => &mut item.attrs,
            syn::Item::Fn(item) => &mut item.attrs,
            // What a macro implements is next to its type.
            _ => continue,
        };
        mark(&mut before, kind, attributes);
    }
}

fn methods(items: &mut [syn::ImplItem]) {
    let mut before = None;
    for item in items {
        let (kind, attributes) = match item {
            syn::ImplItem::Const(item) => (declaration("const", item), &mut item.attrs),
            syn::ImplItem::Type(item) => (Kind::Line("type"), &mut item.attrs),
            syn::ImplItem::Fn(item) => (Kind::Item, &mut item.attrs),
            _ => continue,
        };
        mark(&mut before, kind, attributes);
    }
}

fn fields(fields: &mut syn::Fields) {
    let mut before = None;
    for field in fields {
        mark(&mut before, Kind::Field, &mut field.attrs);
    }
}

/// Returns the kind of a declaration: whether it is formatted as one line, without its attributes.
fn declaration(keyword: &'static str, item: &impl ToTokens) -> Kind {
    let file = syn::parse2(item.to_token_stream());
    let text = file.map_or_else(|_| String::new(), |file| prettyplease::unparse(&file));
    let last = text.lines().last().unwrap_or_default();
    if last.starts_with(char::is_alphabetic) && last.ends_with(';') {
        Kind::Line(keyword)
    } else {
        Kind::Item
    }
}

fn origin(item: &syn::ItemUse) -> u8 {
    let first = match &item.tree {
        syn::UseTree::Path(path) if item.leading_colon.is_none() => path.ident.to_string(),
        _ => String::new(),
    };
    match first.as_str() {
        "alloc" | "core" | "std" => 0,
        "crate" | "self" | "super" => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::formatted;

    #[test]
    fn members_are_set_apart_and_literals_stay_unchanged() {
        let text = r##"use std::fmt;

use generated_client::Client;

use crate::types;

mod one;
mod two;

const TEXT: &str = r#"
/// No documentation.
fn f() {}
fn g() {}
"#;

/// A type.
pub struct Type<'a> {
    /// Documented.
    first: &'a str,

    /// Documented.
    #[serde(default)]
    second: u8,

    third: u8,
}
wire::object!(Type {
    first: required "first" | "one",
    second: optional "a: b, c",
} needs [first, second] others more);

pub enum Kind {
    One,
    Two,
}

impl<T> Trait for Type<T>
where
    T: Fn(u8) -> u8,
{
    type Item = u8;

    fn first(&self) -> u8 {
        2
    }

    /// Documented.
    fn second(&self) {}
}
"##;
        assert_eq!(formatted(syn::parse_file(text).unwrap()), text);
    }
}
