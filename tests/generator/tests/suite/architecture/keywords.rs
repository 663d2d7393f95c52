//! After the reader, a schema is what the model says: no emitter looks up a keyword in JSON.

use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use quote::ToTokens;

use super::purity::rust_files;
use crate::support::repository;

/// What reads the model.
const AFTER_THE_READER: [&str; 7] = [
    "generator/src/emit",
    "generator/src/generate.rs",
    "generator/src/lint",
    "generator/src/operations",
    "generator/src/surface",
    "generator/src/types",
    "model/src/vocabulary",
];

/// The keywords of schemas, with the extensions that are read with them.
const KEYWORDS: [&str; 50] = [
    "$ref",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "contentEncoding",
    "contentMediaType",
    "default",
    "deprecated",
    "description",
    "discriminator",
    "enum",
    "example",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "items",
    "mapping",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "patternProperties",
    "prefixItems",
    "properties",
    "propertyName",
    "propertyNames",
    "readOnly",
    "required",
    "title",
    "type",
    "unevaluatedProperties",
    "uniqueItems",
    "writeOnly",
    "x-aliases",
    "x-rust-name",
    "x-rust-optional",
    "x-rust-type",
    "x-rust-type-name",
];

/// Methods that look up a member of an object by its name.
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

/// The keywords that code looks up, those within macros among them.
fn look_ups(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let before = index.checked_sub(1).map(|before| &tokens[before]);
        let first = group.stream().into_iter().next();
        let is_look_up = match (group.delimiter(), before) {
            (Delimiter::Parenthesis, Some(TokenTree::Ident(method))) => {
                LOOK_UPS.iter().any(|name| method == name)
            }
            // An index, and no array: that stands behind no value.
            (Delimiter::Bracket, Some(TokenTree::Ident(_) | TokenTree::Group(_))) => {
                group.stream().into_iter().count() == 1
            }
            _ => false,
        };
        if let (true, Some(TokenTree::Literal(literal))) = (is_look_up, first) {
            found.extend(keyword(&literal));
        }
        look_ups(group.stream(), found);
    }
}

/// The keyword that a text is, or that a pointer goes through.
fn keyword(literal: &Literal) -> Option<String> {
    let text = syn::parse_str::<syn::LitStr>(&literal.to_string()).ok()?;
    let text = text.value();
    let is_keyword = text.split('/').any(|token| KEYWORDS.contains(&token));
    is_keyword.then_some(text)
}

fn look_ups_of(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    look_ups(syn::parse_file(code).unwrap().to_token_stream(), &mut found);
    found
}

#[test]
fn no_emitter_looks_up_a_keyword_of_a_schema() {
    let root = repository().join("crates");
    for part in AFTER_THE_READER {
        let path = root.join(part);
        let files = match path.is_dir() {
            true => rust_files(&path),
            false => vec![path],
        };
        assert!(!files.is_empty(), "{part}");
        for file in files {
            let found = look_ups_of(&std::fs::read_to_string(&file).unwrap());
            assert!(found.is_empty(), "{} looks up {found:?}", file.display());
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
