//! Source files: formatted Rust, and the document as the crate carries it.

use openapi_document::finding::{DocumentError, Finding};
use openapi_document::readable;
use openapi_document::source::Source;
use openapi_model::Model;
use syn::visit_mut::VisitMut;

use super::features::ALL;
use super::nesting;
use super::parts::Parts;
use super::tree::FileTree;
use super::webhooks;
use crate::operations::Module;
use crate::types::docs::OVERRIDES;

/// Formats emitted items. Not quite as rustfmt does, which is why modules are declared with `#[rustfmt::skip]`.
pub(super) fn rust(mut file: syn::File) -> String {
    Comments.visit_file_mut(&mut file);
    super::paths::shorten(&mut file.items);
    // Names are ASCII, so what is left is in literals.
    readable::escaped(&super::blank_lines::formatted(file))
}

/// Makes comments readable and free of HTML, whatever their source.
struct Comments;

impl VisitMut for Comments {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
        let mut lines: Vec<&mut syn::LitStr> = attributes.iter_mut().filter_map(doc).collect();
        // Code may have several lines. The space after the slashes is no part of them.
        let texts: Vec<String> = lines
            .iter()
            .map(|one| readable::line(&one.value()))
            .collect();
        let bare = texts
            .iter()
            .map(|text| text.strip_prefix(' ').unwrap_or(text));
        let safe = readable::without_html(&bare.collect::<Vec<_>>().join("\n"));
        for ((line, text), safe) in lines.iter_mut().zip(&texts).zip(safe.split('\n')) {
            let space = if text.starts_with(' ') { " " } else { "" };
            **line = syn::LitStr::new(&format!("{space}{safe}"), line.span());
        }
    }
}

/// Returns the text of a line of documentation.
fn doc(attribute: &mut syn::Attribute) -> Option<&mut syn::LitStr> {
    if let syn::Meta::NameValue(pair) = &mut attribute.meta
        && pair.path.is_ident("doc")
        && let syn::Expr::Lit(literal) = &mut pair.value
        && let syn::Lit::Str(text) = &mut literal.lit
    {
        return Some(text);
    }
    None
}

/// The types, with the documentation of their module.
pub(super) fn types(file: &syn::File) -> String {
    format!(
        "//! The types of requests and responses, by name.\n\n{}",
        rust(file.clone())
    )
}

/// The command line, with the documentation of its module.
pub(super) fn commands(name: &str, commands: &syn::File) -> String {
    format!(
        "//! The command line `{name}`, which `cargo install --path . --features cli` installs in the folder of the crate.\n\n{}",
        rust(commands.clone())
    )
}

/// Returns the program, from a template formatted as rustfmt does.
pub(super) fn main(model: &Model) -> String {
    let name = model.package.name.replace('-', "_");
    format!(
        "//! The command line of this crate.\n\n\
         use std::process::ExitCode;\n\n\
         fn main() -> ExitCode {{\n    {name}::cli::run(std::env::args_os())\n}}\n"
    )
}

/// The reconciled document.
pub(super) fn document(source: &Source) -> Result<String, DocumentError> {
    serde_yaml::to_string(&source.value).map_err(|error| {
        DocumentError::Findings(vec![Finding::about(
            "document-as-yaml",
            &source.path,
            format!("the reconciled document cannot be written as YAML: {error}"),
            "look for a value that YAML cannot hold",
        )])
    })
}

/// Returns whether the crate uses an item that the provider deprecates.
fn has_deprecated(model: &Model) -> bool {
    let of_operations = model.operations.iter().any(|operation| {
        operation.is_deprecated || operation.parameters.iter().any(|one| one.is_deprecated)
    });
    let mut visible = model.schemas.iter().filter(|schema| schema.is_visible);
    let of_types = visible.any(|schema| {
        let mut properties = schema.properties().iter();
        schema.place.deprecated || properties.any(|property| property.place.deprecated)
    });
    of_operations || of_types
}

/// Returns whether a name has letters of another alphabet: the compiler warns where one looks like another.
fn has_other_alphabets(model: &Model) -> bool {
    let of_operations = model.operations.iter().any(|operation| {
        let mut parameters = operation.parameters.iter();
        !operation.rust_name.is_ascii() || parameters.any(|one| !one.rust_name.is_ascii())
    });
    let of_types = model.schemas.iter().any(|schema| {
        let mut names = schema.properties().iter().map(|property| &property.name);
        let mut texts = schema.texts().iter();
        !schema.name.is_ascii()
            || names.any(|name| !name.is_ascii())
            || texts.any(|text| !text.is_ascii())
    });
    of_operations || of_types
}

/// Returns a part of a template if the crate needs it.
fn part_if(is_needed: bool, part: &str) -> &str {
    if is_needed { part } else { "" }
}

/// Returns the re-exports of the crate's own client.
fn client(model: &Model) -> String {
    let mut names = vec!["Client".to_owned()];
    if !model.servers.all.is_empty() {
        names.push("Server".to_owned());
    }
    names.extend(crate::operations::server_types(model));
    if crate::operations::has_credentials(model) {
        names.push("credentials".to_owned());
    }
    match names.as_slice() {
        [name] => format!("pub use client::{name};"),
        names => format!("pub use client::{{{}}};", names.join(", ")),
    }
}

/// Returns the re-exports of the runtime that callers turn on by features.
fn optional(model: &Model, parts: &Parts) -> String {
    if model.package.types_only {
        return String::new();
    }
    let metered: &[_] = if model.is_metered {
        &[("redis", "account"), ("journal", "journal")]
    } else {
        &[]
    };
    let of_parts = [
        ("cache", "cache"),
        ("unstable-reqwest", "reqwest"),
        ("test-util", "testing"),
    ];
    let of_parts = of_parts.iter().filter(|(feature, _)| parts.has(feature));
    let all = metered.iter().chain(of_parts).map(|(feature, name)| {
        format!("#[cfg(feature = \"{feature}\")]\npub use generated_client::{name};\n\n")
    });
    all.collect()
}

/// Returns the crate root, from a template formatted as rustfmt does. `modules` declares those that contain the runtime.
pub(crate) fn lib(model: &Model, has_overrides: bool, modules: &str, parts: &Parts) -> String {
    let types = part_if(model.has_types(), "#[rustfmt::skip]\npub mod types;\n");
    let overrides = format!(
        "/// Differences from the published document, and assumptions.\n///\n\
         #[doc = include_str!(\"../OVERRIDES.md\")]\n\
         pub mod {OVERRIDES} {{}}\n"
    );
    let overrides = part_if(has_overrides, &overrides);
    let handles = "#[rustfmt::skip]\npub mod handles;\n";
    let handles = part_if(!model.handles.is_empty(), handles);
    let calls =
        format!("#[rustfmt::skip]\nmod client;\n{handles}#[rustfmt::skip]\npub mod operations;\n");
    let has_calls = !model.package.types_only;
    let calls = part_if(has_calls, &calls);
    let features = format!(
        "#![cfg_attr(\n    not(feature = \"{ALL}\"),\n    allow(dead_code, unused_imports, reason = \"the features decide what is used\")\n)]\n"
    );
    let features = part_if(!model.groups.is_empty(), &features);
    let deprecated = part_if(has_deprecated(model), "    deprecated,\n");
    let alphabets =
        "    confusable_idents,\n    mixed_script_confusables,\n    uncommon_codepoints,\n";
    let alphabets = part_if(has_other_alphabets(model), alphabets);
    let cli = "#[cfg(feature = \"cli\")]\n#[rustfmt::skip]\npub mod cli;\n";
    let cli = part_if(model.package.cli, cli);
    let (runtime, client) = (reexports(model, parts), client(model));
    // As rustfmt orders them.
    let reexports = if !has_calls {
        runtime
    } else if modules.is_empty() {
        format!("{client}\n{runtime}")
    } else {
        format!("{runtime}\n{client}")
    };
    let optional = optional(model, parts) + &webhooks::items(model);
    let limit = nesting::recursion_limit(model)
        .map(|limit| format!("#![recursion_limit = \"{limit}\"]\n"))
        .unwrap_or_default();
    format!(
        r##"#![doc = include_str!("../README.md")]
{limit}#![cfg_attr(docsrs, feature(doc_cfg))]
#![allow(
    clippy::collapsible_if,
    clippy::doc_lazy_continuation,
    clippy::doc_overindented_list_items,
    clippy::infallible_try_from,
    clippy::large_enum_variant,
    clippy::should_implement_trait,
    clippy::tabs_in_doc_comments,
    clippy::too_many_arguments,
    clippy::type_complexity,
    clippy::vec_init_then_push,
{deprecated}{alphabets}    missing_docs,
    rustdoc::bare_urls,
    rustdoc::broken_intra_doc_links,
    rustdoc::invalid_html_tags,
    rustdoc::redundant_explicit_links,
    reason = "descriptions, names, numbers of arguments, sizes and nesting are the provider's; a link has its target where a name may be another"
)]
{features}
{cli}{calls}{types}{modules}{overrides}
{reexports}

{optional}/// The document that this crate was generated from, as YAML: the published one with all overrides applied.
pub const OPENAPI: &str = include_str!("../openapi.yaml");
"##
    )
}

/// Returns the re-exports of the runtime, formatted as rustfmt does.
fn reexports(model: &Model, parts: &Parts) -> String {
    let metered: &[&str] = if model.is_metered { &METERED } else { &[] };
    // The module of the crate's own credentials has those of the runtime too.
    let has_credentials = crate::operations::has_credentials(model);
    let names = CORE.iter().chain(metered);
    let mut names: Vec<&str> = names
        .copied()
        .filter(|name| !model.package.types_only || OF_TYPES.contains(name))
        .filter(|name| !has_credentials || *name != "credentials")
        .filter(|name| part(name).is_none_or(|part| parts.has(part)))
        .collect();
    names.sort_unstable();
    let line = format!("pub use generated_client::{{{}}};", names.join(", "));
    if line.len() <= 100 {
        return line;
    }
    let mut lines = vec!["   ".to_owned()];
    for name in names {
        let width = lines.last().map_or(0, String::len);
        // rustfmt keeps a column for the space behind the comma.
        if width + name.len() + 2 >= 100 {
            lines.push("   ".to_owned());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str(&format!(" {name},"));
        }
    }
    format!("pub use generated_client::{{\n{}\n}};", lines.join("\n"))
}

/// Returns the part of the runtime that has a module.
fn part(module: &str) -> Option<&'static str> {
    match module {
        "Records" => Some("records"),
        "drift" => Some("drift"),
        "paging" => Some("paging"),
        "stream" => Some("streams"),
        "waiting" => Some("waiting"),
        _ => None,
    }
}

/// The items that a crate with all parts re-exports.
const CORE: [&str; 25] = [
    "ApiClient",
    "Bytes",
    "Call",
    "ClientBuilder",
    "Error",
    "Method",
    "RawCall",
    "Records",
    "Response",
    "RetryPolicy",
    "StatusCode",
    "credentials",
    "document",
    "drift",
    "error",
    "http",
    "interceptor",
    "paging",
    "prelude",
    "request",
    "response",
    "stream",
    "transport",
    "values",
    "waiting",
];

/// The items that a crate of the types alone re-exports.
const OF_TYPES: [&str; 4] = ["Credits", "Records", "error", "values"];

/// The items that only a crate whose calls cost credits re-exports.
const METERED: [&str; 4] = ["Budget", "Credits", "Outcome", "money"];

/// The documentation of the module of builders.
pub(super) const OPERATIONS: &str =
    "//! One request builder per operation, created by the methods of [`Client`](crate::Client).\n";
/// The documentation of the module of handles.
pub(super) const HANDLES: &str =
    "//! The operations by tag: handles, which the methods of [`Client`](crate::Client) return.\n";

/// Inserts a module that exports what several modules have. One that is always there is that module itself.
pub(super) fn insert(tree: &mut FileTree, name: &str, docs: &str, modules: &[Module]) {
    let file = format!("src/{name}.rs");
    if let [only] = modules
        && only.feature.is_none()
    {
        return tree.insert(&file, format!("{docs}\n{}", rust(only.file.clone())));
    }
    let mut text = format!("{docs}\n");
    for module in modules {
        text.push_str(&format!("{}mod {};\n", condition(module), module.name));
    }
    text.push('\n');
    for module in modules {
        text.push_str(&format!(
            "{}pub use {}::*;\n",
            condition(module),
            module.name
        ));
    }
    tree.insert(&file, text);
    for module in modules {
        let file = format!("src/{name}/{}.rs", module.name);
        tree.insert(&file, rust(module.file.clone()));
    }
}

/// Returns the attribute of a module that needs a feature, as a line.
fn condition(module: &Module) -> String {
    match &module.feature {
        Some(feature) => format!("#[cfg(feature = \"{feature}\")]\n"),
        None => String::new(),
    }
}
