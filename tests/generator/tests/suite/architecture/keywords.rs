//! Only the reader looks up schema keywords in JSON: emitters use the model. Lists of keywords come from the one table.

use std::collections::{BTreeMap, BTreeSet};

use openapi_document::keywords::Role::{self, Choice, Null, Part, Reference};
use openapi_document::keywords::{has_role, keyword};
use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use quote::ToTokens;

use super::purity::sources;

/// The crates and modules that read the model.
const AFTER_THE_READER: [&str; 7] = [
    "crates/generator/src/emit",
    "crates/generator/src/generate.rs",
    "crates/generator/src/lint",
    "crates/generator/src/operations",
    "crates/generator/src/surface",
    "crates/generator/src/types",
    "crates/model/src/vocabulary",
];

/// Members of a discriminator, and extensions that are read with the keywords.
const OTHERS: [&str; 8] = [
    "mapping",
    "propertyName",
    "x-aliases",
    "x-assumed",
    "x-rust-name",
    "x-rust-optional",
    "x-rust-type",
    "x-rust-type-name",
];

/// Methods that look up a member of an object by name.
const LOOK_UPS: [&str; 8] = [
    "contains_key",
    "entry",
    "get",
    "get_key_value",
    "get_mut",
    "pointer",
    "pointer_mut",
    "shift_remove",
];

/// Functions that look up a member of their first argument by name.
const HELPERS: [&str; 4] = ["elements_of", "is_true", "members_of", "text_of"];

/// Collects the keywords that code looks up, including those within macros.
fn look_ups(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let before = index.checked_sub(1).map(|before| &tokens[before]);
        let mut inner = group.stream().into_iter();
        let mut first = inner.next();
        let is_look_up = match (group.delimiter(), before) {
            (Delimiter::Parenthesis, Some(TokenTree::Ident(helper)))
                if HELPERS.iter().any(|name| helper == name) =>
            {
                first = inner.find(|token| matches!(token, TokenTree::Literal(_)));
                true
            }
            (Delimiter::Parenthesis, Some(TokenTree::Ident(method))) => {
                LOOK_UPS.iter().any(|name| method == name)
            }
            // An index rather than an array, which does not follow a value.
            (Delimiter::Bracket, Some(TokenTree::Ident(_) | TokenTree::Group(_))) => {
                group.stream().into_iter().count() == 1
            }
            _ => false,
        };
        if let (true, Some(TokenTree::Literal(literal))) = (is_look_up, first) {
            found.extend(looked_up(&literal));
        }
        look_ups(group.stream(), found);
    }
}

/// Returns the value of a literal that is a string.
pub(super) fn text(literal: &Literal) -> Option<String> {
    let written = literal.to_string();
    let inner = written
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match inner {
        // Most strings are what they are written as; to parse all of them takes seconds.
        Some(inner) if !inner.contains('\\') => Some(inner.to_owned()),
        _ => Some(syn::parse_str::<syn::LitStr>(&written).ok()?.value()),
    }
}

/// Returns the keyword that a string is, or that a pointer contains.
fn looked_up(literal: &Literal) -> Option<String> {
    let text = text(literal)?;
    let is_keyword = |token: &str| keyword(token).is_some() || OTHERS.contains(&token);
    text.split('/').any(is_keyword).then_some(text)
}

fn look_ups_of(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    look_ups(syn::parse_file(code).unwrap().to_token_stream(), &mut found);
    found
}

#[test]
fn no_emitter_looks_up_a_keyword_of_a_schema() {
    let files = Vec::from_iter(sources(&["crates"]));
    for part in AFTER_THE_READER {
        let files = files.iter().filter(|(path, _)| path.starts_with(part));
        let mut files = files.peekable();
        assert!(files.peek().is_some(), "{part}");
        for (path, text) in files {
            assert_eq!(look_ups_of(text), [""; 0], "{path}");
        }
    }
}

#[test]
fn a_look_up_is_found_however_it_is_written() {
    for code in [
        r#"fn f(v: &Value) -> bool { v.get("enum").is_some() }"#,
        r#"fn f(v: &Value) -> &Value { &v["items"] }"#,
        r#"fn f(v: &Value) -> &Value { &v.get(0)["type"] }"#,
        r#"fn f(v: &Value) -> Option<&Value> { v.pointer("/additionalProperties/x") }"#,
        r#"fn f(v: &Value) -> bool { matches!(v.get("nullable"), Some(Value::Bool(true))) }"#,
        r#"fn f(v: &Value) -> &[Value] { elements_of(&v[0], "allOf") }"#,
    ] {
        assert_eq!(look_ups_of(code).len(), 1, "{code}");
    }
    for code in [
        r#"const KINDS: [&str; 1] = ["type"];"#,
        r#"fn f() -> Value { json!({"type": "string"}) }"#,
        r#"fn f(v: &Value) -> Option<&Value> { v.get("data") }"#,
    ] {
        assert_eq!(look_ups_of(code), Vec::<String>::new(), "{code}");
    }
}

/// Minimum number of keywords in a list.
const LIST: usize = 3;

/// Collects the lists of keywords in code: arrays of strings that are all in the table.
fn lists(tokens: TokenStream, found: &mut Vec<Vec<String>>) {
    for token in tokens {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let elements = group.stream().into_iter();
        let elements = elements.filter(|token| !matches!(token, TokenTree::Punct(_)));
        let texts: Option<Vec<String>> = elements
            .map(|token| match token {
                TokenTree::Literal(literal) => text(&literal),
                _ => None,
            })
            .collect();
        let is_list =
            |all: &Vec<String>| all.len() >= LIST && all.iter().all(|name| keyword(name).is_some());
        if group.delimiter() == Delimiter::Bracket {
            found.extend(texts.filter(is_list));
        }
        lists(group.stream(), found);
    }
}

fn lists_of(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    lists(syn::parse_file(code).unwrap().to_token_stream(), &mut found);
    found
}

#[test]
fn no_list_of_keywords_stands_beside_the_table() {
    const TABLE: &str = "crates/document/src/keywords.rs";
    for (path, text) in sources(&["crates"]) {
        // The service that checks requests shares no code with the generator.
        if path != TABLE && !path.starts_with("crates/runtime-sources/checked/") {
            let found = lists_of(&text);
            assert!(
                found.is_empty(),
                "{path} lists {found:?}: ask the roles of {TABLE}"
            );
        }
    }
}

#[test]
fn a_list_of_keywords_is_found_however_it_is_written() {
    for code in [
        r#"const STRUCTURAL: [&str; 3] = ["allOf", "enum", "items"];"#,
        r#"const WRAPPERS: &[&str] = &["$ref", "allOf", "type", "nullable",];"#,
        r#"fn f(v: &Value) { for key in ["allOf", "anyOf", "oneOf"] { g(v, key) } }"#,
        r#"fn f() { assert_eq!(g(), vec!["minimum", "maximum", "pattern"]); }"#,
    ] {
        assert_eq!(lists_of(code).len(), 1, "{code}");
    }
    for code in [
        r#"const TWO: [&str; 2] = ["oneOf", "anyOf"];"#,
        r#"const MEMBERS: [&str; 4] = ["in", "name", "schema", "type"];"#,
        r#"const ROLES: &[Role] = &[Part, Choice, Content];"#,
    ] {
        assert_eq!(lists_of(code), Vec::<Vec<String>>::new(), "{code}");
    }
}

/// The crates that ask the reading of schemas.
const ASKING: [&str; 3] = [
    "crates/diff/src",
    "crates/model/src",
    "crates/overrides/src",
];

/// Roles of the keywords that lead from a schema to others about the same value, or mark null.
const LEADING: [Role; 4] = [Choice, Null, Part, Reference];

/// Files that name one of these keywords, with what they name, and the reason.
const NAMING: [(&str, &[&str], &str); 4] = [
    (
        "crates/model/src/reader/losses/members.rs",
        &["$ref"],
        "a member of path items",
    ),
    (
        "crates/model/src/reader/schemas/naming.rs",
        &["allOf", "anyOf", "oneOf"],
        "tokens of a pointer",
    ),
    (
        "crates/overrides/src/rebase/said.rs",
        &[
            "Choice",
            "Null",
            "Part",
            "Reference",
            "allOf",
            "anyOf",
            "nullable",
            "oneOf",
        ],
        "what only spells a schema in another way: a reading says more than a guard may follow",
    ),
    (
        "crates/overrides/src/rebase/values.rs",
        &["$ref"],
        "the values that overrides write",
    ),
];

/// Identifiers and strings of code.
#[derive(Default)]
struct Words {
    names: Vec<String>,
    strings: Vec<String>,
}

impl Words {
    fn add(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.add(group.stream()),
                TokenTree::Ident(ident) => self.names.push(ident.to_string()),
                TokenTree::Literal(literal) => self.strings.extend(text(&literal)),
                TokenTree::Punct(_) => {}
            }
        }
    }
}

/// Returns the words with which code outside of its tests could walk from a schema to others about the same value.
fn walking(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for item in syn::parse_file(code).unwrap().items {
        if matches!(&item, syn::Item::Mod(inner) if inner.ident == "tests") {
            continue;
        }
        let mut own = Words::default();
        own.add(item.to_token_stream());
        let has_roles = own.names.iter().any(|name| name == "Role");
        let is_leading = |name: &String| {
            name == "COMPOSITIONS"
                || has_roles && LEADING.iter().any(|role| *name == format!("{role:?}"))
        };
        let leads = |word: &String| has_role(word, &LEADING);
        found.extend(own.names.into_iter().filter(is_leading));
        found.extend(own.strings.into_iter().filter(leads));
    }
    found
}

#[test]
fn a_walk_is_found_however_it_is_written() {
    for code in [
        r#"use openapi_document::keywords::Role::{Part, Type};"#,
        r#"use openapi_document::keywords::COMPOSITIONS as ALL;"#,
        r#"fn f(v: &Value) -> bool { matches!(v, Value::Object(m) if m.contains_key("nullable")) }"#,
        r#"fn f(key: &str) -> bool { has_role(key, &[Role::Choice]) }"#,
    ] {
        assert_eq!(walking(code).len(), 1, "{code}");
    }
    for code in [
        r#"fn f(place: &Place) -> bool { place.nullable && place.shape != Shape::Reference(name) }"#,
        r#"mod tests { const KEY: &str = "allOf"; }"#,
    ] {
        assert_eq!(walking(code), Vec::<String>::new(), "{code}");
    }
}

#[test]
fn only_the_reading_walks_from_a_schema_to_others_about_the_same_value() {
    let files = sources(&ASKING);
    let words = files.map(|(path, text)| (path, BTreeSet::from_iter(walking(&text))));
    let naming = BTreeMap::from_iter(words.filter(|(_, words)| !words.is_empty()));
    let known = NAMING.map(|(file, words, _)| {
        let words = words.iter().map(|word| (*word).to_owned());
        (file.to_owned(), words.collect())
    });
    assert_eq!(naming, BTreeMap::from(known));
}
