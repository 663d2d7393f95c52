//! Crates that are split by tag: the content of their files, the features, and the bump for a change of the groups.

use std::collections::BTreeMap;

use client_generator::emit::FileTree;
use client_generator::generate;
use client_generator::surface::{self, Bump, Kind, Surface};
use openapi_document::source::Source;
use openapi_overrides::{OverrideReport, OverrideSet, reconcile};
use quote::ToTokens;

pub(crate) const SHOP: &str = include_str!("../../../documents/groups/openapi.yaml");

fn source(document: &str) -> Source {
    Source::parse("openapi.yaml", document.to_owned()).unwrap()
}

pub(crate) fn tree(document: &str) -> FileTree {
    let published = source(document);
    let overrides = OverrideSet::default();
    let reconciled = reconcile(&published, &overrides).unwrap();
    crate::support::tool::tree(&published, &overrides, &reconciled).unwrap()
}

fn surface(document: &str) -> Surface {
    surface::read(&source(document), &OverrideReport::default()).unwrap()
}

/// Returns the document with these strings replaced, each of which must occur.
fn edited(edits: &[(&str, &str)]) -> String {
    edits.iter().fold(SHOP.to_owned(), |document, (from, to)| {
        assert!(document.contains(from), "{from}");
        document.replace(from, to)
    })
}

/// Returns a document of this many operations, alternately with the tags `a` and `b`.
fn many(operations: usize, package: &str) -> String {
    let paths: String = (0..operations)
        .map(|number| {
            let tag = if number % 2 == 0 { "a" } else { "b" };
            format!("  /p{number}: {{get: {{tags: [{tag}], responses: {{'204': {{description: d}}}}}}}}\n")
        })
        .collect();
    format!("openapi: 3.0.3\ninfo: {{title: Many, version: '1'{package}}}\npaths:\n{paths}")
}

fn is_split(tree: &FileTree) -> bool {
    tree.get("Cargo.toml").unwrap().contains("all-operations")
}

#[test]
fn each_group_has_files_of_its_own_and_what_two_need_is_shared() {
    let tree = tree(SHOP);
    let files: Vec<&str> = tree
        .iter()
        .filter_map(|(path, _)| path.strip_prefix("src/"))
        .collect();
    assert_eq!(
        files,
        [
            "client.rs",
            "client/books.rs",
            "client/default_group.rs",
            "client/orders.rs",
            "client/type_.rs",
            "lib.rs",
            "operations.rs",
            "operations/books.rs",
            "operations/books/list_books.rs",
            "operations/default_group.rs",
            "operations/default_group/progress.rs",
            "operations/orders.rs",
            "operations/orders/place_order.rs",
            "operations/shared.rs",
            "operations/shared/health.rs",
            "operations/type_.rs",
            "operations/type_/book_prices.rs",
            "operations/type_/book_types.rs",
            "shapes.rs",
            "shapes/books.rs",
            "shapes/default_group.rs",
            "shapes/orders.rs",
            "shapes/shared.rs",
            "shapes/type_.rs",
            "types.rs",
            "types/books.rs",
            "types/orders.rs",
            "types/shared.rs",
            "types/type_.rs",
        ]
    );
    let declared = |file: &str| -> Vec<String> {
        let lines = tree.get(&format!("src/types/{file}.rs")).unwrap().lines();
        let lines = lines.filter_map(|line| {
            let rest = line
                .strip_prefix("pub struct ")
                .or_else(|| line.strip_prefix("pub enum "))?;
            Some(rest.split([' ', '(']).next().unwrap().to_owned())
        });
        let mut names: Vec<String> = lines.collect();
        names.sort();
        names
    };
    assert_eq!(
        declared("books"),
        ["Author", "Book", "BookId", "BookMaker", "Books"]
    );
    assert_eq!(declared("orders"), ["Order", "OrderedBook", "Placed"]);
    // An error that only the document mentions, too.
    assert_eq!(declared("type_"), ["NoKinds", "Prices"]);
    // `Placed::wait` returns a `Progress`.
    assert_eq!(
        declared("shared"),
        ["Health", "Kind", "Problem", "Progress"]
    );
    let books = tree.get("src/types/books.rs").unwrap();
    assert!(books.contains("use super::shared::Kind;\n"), "{books}");
}

#[test]
fn what_only_groups_use_of_the_shared_code_is_no_warning_without_them() {
    let tree = tree(SHOP);
    for list in ["src/types.rs", "src/shapes.rs"] {
        let text = tree.get(list).unwrap();
        let (before, _) = text.split_once("mod shared;").unwrap();
        let attribute = before.lines().last().unwrap();
        assert!(attribute.starts_with("#[allow(dead_code"), "{text}");
    }
}

#[test]
fn what_joins_two_groups_needs_both() {
    let tree = tree(SHOP);
    let orders = tree.get("src/types/orders.rs").unwrap();
    for part in [
        "#[cfg(feature = \"books\")]\nuse super::books::{Book, BookId};\n",
        "#[cfg(feature = \"books\")]\nimpl TryFrom<&Book> for OrderedBook {",
        "#[cfg(feature = \"books\")]\nimpl ::std::convert::From<BookId> for OrderedBook {",
    ] {
        let part = part.replace("::std::convert::From", "From");
        assert!(orders.contains(&part), "{part}: {orders}");
    }
    let books = tree.get("src/types/books.rs").unwrap();
    assert!(
        books.contains("pub struct BookId(pub(super) String);"),
        "{books}"
    );
    let place_order = tree.get("src/operations/orders/place_order.rs").unwrap();
    assert!(
        place_order.contains("#[cfg(feature = \"default-group\")]\nimpl types::Placed {"),
        "{place_order}"
    );
}

#[test]
fn what_joins_a_group_with_what_is_shared_needs_the_group() {
    let prices = "summary: Lists prices by kind.\n";
    let takes_it = format!(
        "{prices}      parameters: [{{name: book, in: query, schema: {{$ref: '#/components/schemas/OrderedBook'}}}}]\n"
    );
    let tree = tree(&edited(&[(prices, &takes_it)]));
    let shared = tree.get("src/types/shared.rs").unwrap();
    // The conversion in the other file sets the field.
    assert!(
        shared.contains("pub struct OrderedBook(pub(super) String);"),
        "{shared}"
    );
    let books = tree.get("src/types/books.rs").unwrap();
    for part in [
        "use super::shared::{Kind, OrderedBook};\n",
        "\n\nimpl From<BookId> for OrderedBook {",
        "pub struct BookId(String);",
    ] {
        assert!(books.contains(part), "{part}: {books}");
    }
}

#[test]
fn the_manifest_and_the_readme_name_the_groups() {
    let tree = tree(SHOP);
    let manifest = tree.get("Cargo.toml").unwrap();
    for line in [
        "default = [\"rustls\", \"all-operations\"]",
        "all-operations = [\n    \"books\",\n    \"default-group\",\n    \"orders\",\n    \"type\",\n]\n",
        "books = []\ndefault-group = []\norders = []\ntype = []\n\n[dependencies]",
    ] {
        assert!(manifest.contains(line), "{line}: {manifest}");
    }
    let readme = tree.get("README.md").unwrap();
    for line in [
        "| `book_prices` | `GET /prices` | Lists prices by kind. | `type` |",
        "| `health` | `GET /health` | Says that the service is there. | |",
        "One operation is in no group, and needs no feature.",
        "cargo add groups-client --path PATH --no-default-features --features rustls,books",
        "| `type` | 2 | type |",
        "| `default-group` | 1 | default |",
    ] {
        assert!(readme.contains(line), "{line}: {readme}");
    }
    let root = tree.get("src/lib.rs").unwrap();
    assert!(
        root.contains("#![cfg_attr(docsrs, feature(doc_cfg))]\n"),
        "{root}"
    );
}

/// Returns the items of a module and of the files below it, sorted and without location-dependent parts.
fn items(tree: &FileTree, module: &str) -> Vec<String> {
    let (own, below) = (format!("src/{module}.rs"), format!("src/{module}/"));
    let mut found = Vec::new();
    let files = tree
        .iter()
        .filter(|(path, _)| **path == own || path.starts_with(&below));
    for (_, text) in files {
        let mut waiting = syn::parse_file(text).unwrap().items;
        // The imports depend on the file.
        client_generator::emit::expand_paths(&mut waiting);
        while let Some(item) = waiting.pop() {
            match item {
                syn::Item::Use(_) => {}
                syn::Item::Mod(item) => {
                    waiting.extend(item.content.into_iter().flat_map(|(_, items)| items))
                }
                // Methods may be in other files.
                syn::Item::Impl(item) if item.trait_.is_none() => {
                    found.extend(
                        item.items
                            .iter()
                            .map(|inner| inner.to_token_stream().to_string()),
                    );
                }
                mut item => {
                    if let syn::Item::Impl(item) = &mut item {
                        item.attrs.clear();
                    }
                    found.push(
                        item.to_token_stream()
                            .to_string()
                            .replace("(pub (super)", "("),
                    );
                }
            }
        }
    }
    let mut found: Vec<String> = found
        .iter()
        .map(|text| text.split_whitespace().collect::<String>())
        .map(|text| text.replace("::generated_client::document::Shape", "Shape"))
        .map(|text| text.replace("::generated_client::", ""))
        // The formatter decides on these.
        .map(|text| text.replace(['{', '}', ','], ""))
        .collect();
    found.sort();
    found
}

#[test]
fn nothing_is_lost_and_nothing_is_there_twice() {
    let split = tree(SHOP);
    let whole = tree(&edited(&[("features: tags", "features: none")]));
    assert!(is_split(&split) && !is_split(&whole));
    for module in ["types", "shapes", "client", "operations"] {
        let all = items(&whole, module);
        assert!(all.len() > 5, "{module}");
        assert_eq!(items(&split, module), all, "{module}");
    }
}

#[test]
fn the_size_decides_unless_the_document_does() {
    let package = |features: &str| {
        format!(
            ", x-rust-package: {{name: many, version: 0.0.0, environment: MANY, description: Many, features: {features}}}"
        )
    };
    assert!(!is_split(&tree(&many(99, ""))));
    assert!(is_split(&tree(&many(100, ""))));
    assert!(!is_split(&tree(&many(100, &package("none")))));
    assert!(is_split(&tree(&many(2, &package("tags")))));
    // One group needs no choice.
    assert!(!is_split(&tree(&many(100, "").replace("[b]", "[a]"))));
}

#[test]
fn features_of_a_document_without_tags_are_a_warning() {
    let package = ", x-rust-package: {name: many, version: 0.0.0, environment: MANY, description: Many, features: tags}";
    let document = source(
        &many(2, package)
            .replace("[a]", "['!']")
            .replace("[b]", "[]"),
    );
    let code = generate::code(&document, &OverrideReport::default()).unwrap();
    let warnings: Vec<_> = code
        .warnings
        .iter()
        .map(|one| (one.rule, one.pointer.as_str()))
        .collect();
    assert_eq!(warnings, [("package-features", "/info/x-rust-package")]);
}

#[test]
fn each_item_knows_the_feature_that_it_needs() {
    let surface = surface(SHOP);
    let features: BTreeMap<&str, Option<&str>> = surface
        .items()
        .filter(|item| matches!(item.kind, Kind::Type | Kind::Function | Kind::Feature))
        .map(|item| (item.path.as_str(), item.feature.as_deref()))
        .collect();
    for (path, feature) in [
        ("feature books", None),
        ("feature all-operations", None),
        ("types::Book", Some("books")),
        ("types::Kind", None),
        ("operations::ListBooks", Some("books")),
        ("operations::Health", None),
        ("Client::list_books", Some("books")),
        ("Client::progress", Some("default-group")),
        ("Client::health", None),
        ("Client::budget", None),
    ] {
        assert_eq!(features.get(path), Some(&feature), "{path}");
    }
}

/// Strings of the document with their replacements.
type Edits<'t> = &'t [(&'t str, &'t str)];

#[test]
fn a_change_of_the_groups_has_the_bump_of_what_a_caller_of_one_group_loses() {
    let none = ("features: tags", "features: none");
    let moved = ("tags: [orders]", "tags: [Books]");
    let renamed = ("tags: [orders]", "tags: [purchases]");
    let untagged = ("tags: [orders]", "tags: []");
    let shared = (
        "state: {type: string}",
        "state: {type: string}, order: {$ref: '#/components/schemas/Order'}",
    );
    let cases: [(Edits<'_>, Edits<'_>, Bump, &str); 7] = [
        (
            &[],
            &[moved],
            Bump::Major,
            "`Client::place_order` needs the feature `books`, and needed `orders`",
        ),
        (&[], &[moved], Bump::Major, "`feature orders` is gone"),
        (&[], &[renamed], Bump::Minor, "`feature purchases` is new"),
        (
            &[],
            &[untagged],
            Bump::Minor,
            "`Client::place_order` is always there, and needed the feature `orders`",
        ),
        (
            &[untagged],
            &[],
            Bump::Major,
            "`Client::place_order` needs the feature `orders`, and was always there",
        ),
        (
            &[],
            &[shared],
            Bump::Minor,
            "`types::Order` is always there, and needed the feature `orders`",
        ),
        (
            &[none],
            &[],
            Bump::Major,
            "operations need features now: callers without the default features name groups",
        ),
    ];
    for (before, after, bump, sentence) in cases {
        let differences = surface::compare(&surface(&edited(before)), &surface(&edited(after)));
        let found = differences.iter().find(|one| one.sentence == sentence);
        let all: Vec<&String> = differences.iter().map(|one| &one.sentence).collect();
        let found = found.unwrap_or_else(|| panic!("{sentence}: {all:#?}"));
        assert_eq!(found.bump, bump, "{sentence}");
    }
}
