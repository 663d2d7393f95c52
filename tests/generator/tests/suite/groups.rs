//! Crates that are split by tag: the content of their files, the features, and the bump for a change of the groups.

use std::collections::BTreeMap;

use client_generator::emit::FileTree;
use client_generator::generate;
use client_generator::surface::{self, Bump, Kind, Surface};
use openapi_document::source::Source;
use openapi_overrides::OverrideReport;

use crate::support::rows;
use crate::support::tool::tree_of as tree;

pub(crate) const SHOP: &str = include_str!("../../../documents/groups/openapi.yaml");

fn source(document: &str) -> Source {
    Source::parse("openapi.yaml", document.to_owned()).unwrap()
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

/// Returns the feature that each of these declarations of a file needs.
fn conditions(tree: &FileTree, file: &str, declaration: &str) -> BTreeMap<String, String> {
    let text = tree.get(file).unwrap();
    let mut conditions = BTreeMap::new();
    let mut feature = String::new();
    for line in text.lines() {
        if let Some(rest) = line.trim_start().strip_prefix("#[cfg(feature = \"") {
            feature = rest.split('"').next().unwrap().to_owned();
        } else if let Some(rest) = line.trim_start().strip_prefix(declaration) {
            let name = rest.split([' ', '(', ':', ';']).next().unwrap();
            conditions.insert(name.to_owned(), std::mem::take(&mut feature));
        } else if line.is_empty() {
            feature.clear();
        }
    }
    conditions
}

/// A file, what begins the lines of its items, and the items, each with the feature that it needs. An error that only the document mentions needs
/// one, too.
const CONDITIONS: &str = "
src/types.rs | pub struct | Author: books, Book: books, BookId: books, Books: books, Health, NoKinds: type, Order: orders, OrderedBook: orders, Placed: orders, Prices: type, Problem, Progress: default-group
src/types.rs | pub enum | BookMaker: books, Kind
src/operations.rs | mod | books: books, default_group: default-group, orders: orders, type_: type, untagged
";

#[test]
fn what_one_group_reaches_alone_needs_its_feature() {
    let tree = tree(SHOP);
    for [file, declaration, expected] in rows(CONDITIONS) {
        let expected = expected.split(", ").map(|item| {
            let (name, feature) = item.split_once(": ").unwrap_or((item, ""));
            (name.to_owned(), feature.to_owned())
        });
        let declaration = format!("{declaration} ");
        assert_eq!(
            conditions(&tree, file, &declaration),
            expected.collect(),
            "{file}"
        );
    }
    let root = tree.get("src/lib.rs").unwrap();
    assert!(
        root.contains("not(feature = \"all-operations\"),\n    allow(dead_code, unused_imports,"),
        "{root}"
    );
}

#[test]
fn what_joins_two_groups_needs_both() {
    let tree = tree(SHOP);
    let types = tree.get("src/types.rs").unwrap();
    for part in [
        "impl TryFrom<&Book> for OrderedBook {",
        "impl From<BookId> for OrderedBook {",
    ] {
        let both = format!("#[cfg(feature = \"books\")]\n#[cfg(feature = \"orders\")]\n{part}");
        assert!(types.contains(&both), "{part}: {types}");
    }
    let place_order = tree.get("src/operations/orders.rs").unwrap();
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
    let types = tree.get("src/types.rs").unwrap();
    assert!(
        types.contains("\n\n#[cfg(feature = \"books\")]\nimpl From<BookId> for OrderedBook {"),
        "{types}"
    );
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

#[test]
fn the_features_are_all_that_differs() {
    let split = tree(SHOP);
    let whole = tree(&edited(&[("features: tags", "features: none")]));
    assert!(is_split(&split) && !is_split(&whole));
    for (path, text) in whole
        .iter()
        .filter(|(path, _)| path.starts_with("src/types") || path.starts_with("src/operations"))
    {
        let lines = split.get(path).unwrap().lines();
        let without = lines.filter(|line| !line.trim_start().starts_with("#[cfg(feature ="));
        assert_eq!(
            without.collect::<Vec<_>>(),
            text.lines().collect::<Vec<_>>(),
            "{path}"
        );
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
