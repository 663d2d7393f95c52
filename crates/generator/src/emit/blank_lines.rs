//! Blank lines between items, methods and documented fields, which prettyplease does not write.
//! Input: a file as prettyplease writes it. Lines within a string literal or a comment stay unchanged.

mod literals;

use literals::Literals;

/// Indentation of a block, in spaces.
const STEP: usize = 4;

/// Content of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// Items, or methods.
    Items,
    /// Fields or variants.
    Members,
    /// Statements, and anything else.
    Other,
}

/// A member of a block that has begun.
#[derive(Clone, Copy)]
struct Last<'t> {
    /// The item's keyword, such as `fn` or `use`; empty for a field.
    keyword: &'t str,
    /// For imports: the origin group.
    origin: u8,
    documented: bool,
    /// True if it ends in its first line.
    whole: bool,
}

/// An open block.
struct Open<'t> {
    indent: usize,
    block: Block,
    last: Option<Last<'t>>,
    /// Documentation and attributes whose member has not begun: whether there is documentation, and the place of the first line.
    pending: Option<(bool, usize)>,
}

impl Open<'_> {
    fn new(indent: usize, block: Block) -> Self {
        Self {
            indent,
            block,
            last: None,
            pending: None,
        }
    }
}

/// Adds the blank lines to a formatted file.
pub(super) fn add(text: &str) -> String {
    let mut literals = Literals::default();
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let mut open = vec![Open::new(0, Block::Items)];
    for line in text.split_inclusive('\n') {
        let begins_in_literal = literals.is_open();
        literals.read(line);
        let code = line.trim_start_matches(' ');
        if !begins_in_literal && !code.trim_end().is_empty() {
            place(
                &mut open,
                &mut out,
                line.len() - code.len(),
                code.trim_end(),
            );
        }
        out.push_str(line);
    }
    out
}

fn place<'t>(open: &mut Vec<Open<'t>>, out: &mut String, indent: usize, code: &'t str) {
    // The end of a head of several lines belongs to what it began.
    let continues = code.starts_with([')', ']', '}', '{', '>']) || code.starts_with("where");
    let deepest = indent + if continues { STEP } else { 0 };
    while open.len() > 1 && open.last().is_some_and(|block| block.indent > deepest) {
        open.pop();
    }
    let Some(block) = open.last_mut() else {
        return;
    };
    let is_attribute = code.starts_with("#[") || code.starts_with("#![");
    let is_doc = code.starts_with("///");
    let keyword = keyword(code);
    let begins = match block.block {
        _ if block.indent != indent => false,
        Block::Items => is_attribute || is_doc || !keyword.is_empty(),
        Block::Members => is_attribute || is_doc || is_member(code),
        Block::Other => false,
    };
    if !begins {
        // The attributes of a macro's call are its own.
        if block.indent == indent && !continues {
            block.pending = None;
        }
        return;
    }
    if is_attribute || is_doc {
        let (documented, _) = block.pending.get_or_insert((false, out.len()));
        *documented |= is_doc;
        return;
    }
    let (documented, at) = block.pending.take().unwrap_or((false, out.len()));
    let next = Last {
        keyword,
        origin: origin(code),
        documented,
        whole: code.ends_with(';'),
    };
    if let Some(last) = block.last.replace(next)
        && is_apart(block.block, last, next)
    {
        out.insert(at, '\n');
    }
    let inner = match keyword {
        "impl" | "mod" | "trait" => Block::Items,
        "enum" | "struct" | "union" => Block::Members,
        _ if block.block == Block::Members => Block::Members,
        _ => Block::Other,
    };
    open.push(Open::new(indent + STEP, inner));
}

/// Returns whether a blank line separates two members of a block.
fn is_apart(block: Block, last: Last<'_>, next: Last<'_>) -> bool {
    let documented = last.documented || next.documented;
    match block {
        Block::Members => documented,
        _ if last.keyword == "use" && next.keyword == "use" => last.origin != next.origin,
        _ => documented || last.keyword != next.keyword || !(last.whole && next.whole),
    }
}

/// Returns the keyword of an item; empty for any other code.
fn keyword(code: &str) -> &str {
    let mut rest = code;
    if let Some(public) = rest.strip_prefix("pub") {
        rest = match public.strip_prefix('(') {
            Some(limit) => limit.split_once(')').map_or("", |(_, rest)| rest),
            None => public,
        }
        .trim_start();
    }
    let mut words = rest.split([' ', '<', '!', ';', '{']);
    let found = words.find(|word| !["async", "unsafe", "default"].contains(word));
    match found {
        Some("const") if words.next() == Some("fn") => "fn",
        Some(
            word @ ("const" | "enum" | "extern" | "fn" | "impl" | "macro_rules" | "mod" | "static"
            | "struct" | "trait" | "type" | "union" | "use"),
        ) => word,
        _ => "",
    }
}

/// Returns the group of an import: the standard library, other crates, this crate.
fn origin(code: &str) -> u8 {
    let path = code.split_once("use ").map_or("", |(_, path)| path);
    let first = path.split([':', ';']).next().unwrap_or_default();
    match first {
        "alloc" | "core" | "std" => 0,
        "crate" | "self" | "super" => 2,
        _ => 1,
    }
}

/// Returns whether a line begins a field or a variant, and does not end one.
fn is_member(code: &str) -> bool {
    code.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

#[cfg(test)]
mod tests {
    use super::add;

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
const C: char = '"';
/// A type.
pub struct Type<'a> {
    /// Documented.
    first: &'a str,
    /// Documented.
    #[serde(default)]
    second: u8,
    third: u8,
}
pub enum Kind {
    One,
    Two,
}
impl<T> Trait for Type<T>
where
    T: Fn(u8) -> u8,
{
    type Item = u8;
    fn first(
        &self,
    ) -> u8 {
        let text = "
    fn in_a_text() {}
";
        text.len()
    }
    /// Documented.
    fn second(&self) {}
}
"##;
        let expected = r##"use std::fmt;

use generated_client::Client;

use crate::types;

mod one;
mod two;

const TEXT: &str = r#"
/// No documentation.
fn f() {}
fn g() {}
"#;

const C: char = '"';

/// A type.
pub struct Type<'a> {
    /// Documented.
    first: &'a str,

    /// Documented.
    #[serde(default)]
    second: u8,

    third: u8,
}

pub enum Kind {
    One,
    Two,
}

impl<T> Trait for Type<T>
where
    T: Fn(u8) -> u8,
{
    type Item = u8;

    fn first(
        &self,
    ) -> u8 {
        let text = "
    fn in_a_text() {}
";
        text.len()
    }

    /// Documented.
    fn second(&self) {}
}
"##;
        assert_eq!(add(text), expected);
    }
}
