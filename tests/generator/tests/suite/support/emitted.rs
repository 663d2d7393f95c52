//! An emitted crate as its items, independent of their location and layout. Types, signatures and bodies are
//! [spelled](super::spelling) in one form.

use client_generator::emit::FileTree;
use quote::ToTokens;
use syn::{Attribute, Expr, ImplItem, Meta, Visibility};

use super::Workspace;
use super::spelling::{spelled, spelled_text};

/// All items of a crate, including those in modules.
pub(crate) struct Emitted {
    items: Vec<Item>,
}

/// A type, a static, a function, or an implementation.
pub(crate) struct Item {
    /// Modules and name: `types::NewsArticle`, `types::impl From<&str> for Sentiment`.
    pub(crate) path: String,
    /// Keyword of its declaration.
    pub(crate) kind: &'static str,
    pub(crate) docs: String,
    pub(crate) attributes: Vec<String>,
    pub(crate) members: Vec<Member>,
    /// Complete code, without its documentation.
    pub(crate) code: String,
}

/// A field, a variant, a method, or a field of the value of a static.
pub(crate) struct Member {
    /// Name; for a field of a tuple, its index.
    pub(crate) name: String,
    pub(crate) is_public: bool,
    pub(crate) docs: String,
    pub(crate) attributes: Vec<String>,
    /// Type of a field, signature of a method, value of a static's field, or a whole variant.
    pub(crate) signature: String,
    /// Statements of a method.
    pub(crate) statements: Vec<String>,
}

impl Emitted {
    pub(crate) fn of_tree(tree: &FileTree) -> Self {
        Self::read(tree.iter())
    }

    /// Returns the crate in `generated/` of a workspace.
    pub(crate) fn of_workspace(workspace: &Workspace) -> Self {
        let files = workspace.files();
        let files = files.iter().filter_map(|(path, bytes)| {
            let path = path.strip_prefix("generated/")?;
            Some((path, std::str::from_utf8(bytes).unwrap()))
        });
        Self::read(files)
    }

    fn read<'f>(files: impl Iterator<Item = (&'f str, &'f str)>) -> Self {
        let mut items = Vec::new();
        for (path, text) in files {
            let Some(module) = path
                .strip_prefix("src/")
                .and_then(|path| path.strip_suffix(".rs"))
            else {
                continue;
            };
            let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}"));
            let module = module.trim_end_matches("/mod").replace('/', "::");
            read_items(&file.items, &module, &mut items);
        }
        Self { items }
    }

    pub(crate) fn items(&self) -> &[Item] {
        &self.items
    }

    /// Finds the item of this name, with enough modules before it to identify it.
    pub(crate) fn find(&self, path: &str) -> Option<&Item> {
        let mut found = self.items.iter().filter(|item| {
            item.path
                .strip_suffix(path)
                .is_some_and(|modules| modules.is_empty() || modules.ends_with("::"))
        });
        let first = found.next();
        assert!(found.next().is_none(), "there are several `{path}`");
        first
    }

    /// Returns the item of this name, which must exist.
    pub(crate) fn item(&self, path: &str) -> &Item {
        self.find(path)
            .unwrap_or_else(|| panic!("no `{path}` is emitted"))
    }

    /// Finds a method of a type, in any block of it.
    pub(crate) fn find_method(&self, ty: &str, name: &str) -> Option<&Member> {
        let owner = format!("impl {ty}");
        self.items
            .iter()
            .filter(|item| item.path.ends_with(&format!("::{owner}")) || item.path == owner)
            .find_map(|item| item.find(name))
    }

    /// Returns a method of a type, which must exist.
    pub(crate) fn method(&self, ty: &str, name: &str) -> &Member {
        self.find_method(ty, name)
            .unwrap_or_else(|| panic!("`{ty}` has no method `{name}`"))
    }

    /// Lists the items of a module.
    pub(crate) fn module(&self, module: &str) -> impl Iterator<Item = &Item> + use<'_> {
        let module = format!("{module}::");
        self.items
            .iter()
            .filter(move |item| item.path.starts_with(&module))
    }
}

impl Item {
    pub(crate) fn find(&self, member: &str) -> Option<&Member> {
        self.members.iter().find(|known| known.name == member)
    }

    /// Returns the field, variant or method of this name, which must exist.
    pub(crate) fn member(&self, name: &str) -> &Member {
        self.find(name)
            .unwrap_or_else(|| panic!("`{}` has no `{name}`", self.path))
    }

    /// Returns whether the item contains this code. Its brackets must be balanced.
    pub(crate) fn contains(&self, code: &str) -> bool {
        self.code.contains(&spelled_text(code))
    }
}

impl Member {
    /// Returns whether it is a field of this type, or a method with this signature, in any layout.
    pub(crate) fn is(&self, signature: &str) -> bool {
        self.signature == spelled_text(signature)
    }

    /// Returns whether one statement of a method contains this code. Its brackets must be balanced.
    pub(crate) fn contains(&self, code: &str) -> bool {
        let code = spelled_text(code);
        self.statements
            .iter()
            .any(|statement| statement.contains(&code))
    }
}

fn read_items(all: &[syn::Item], module: &str, items: &mut Vec<Item>) {
    for item in all {
        if let syn::Item::Mod(inner) = item {
            if let Some((_, content)) = &inner.content {
                read_items(content, &format!("{module}::{}", inner.ident), items);
            }
            continue;
        }
        if let Some(mut read) = read_item(item) {
            read.path = format!("{module}::{}", read.path);
            items.push(read);
        }
    }
}

fn read_item(item: &syn::Item) -> Option<Item> {
    let (kind, name, attributes, members) = match item {
        syn::Item::Struct(one) => (
            "struct",
            one.ident.to_string(),
            &one.attrs,
            one.fields.iter().enumerate().map(field).collect(),
        ),
        syn::Item::Enum(one) => (
            "enum",
            one.ident.to_string(),
            &one.attrs,
            one.variants.iter().map(variant).collect(),
        ),
        syn::Item::Static(one) => (
            "static",
            one.ident.to_string(),
            &one.attrs,
            values(&one.expr),
        ),
        syn::Item::Const(one) => (
            "const",
            one.ident.to_string(),
            &one.attrs,
            values(&one.expr),
        ),
        syn::Item::Type(one) => ("type", one.ident.to_string(), &one.attrs, Vec::new()),
        syn::Item::Fn(one) => (
            "fn",
            one.sig.ident.to_string(),
            &one.attrs,
            vec![method(&one.vis, &one.attrs, &one.sig, &one.block)],
        ),
        // Named by the trait and the type.
        syn::Item::Macro(one) => {
            let of = one.mac.tokens.clone().into_iter().next()?;
            let name = format!("{}! {of}", one.mac.path.segments.last()?.ident);
            ("macro", name, &one.attrs, Vec::new())
        }
        syn::Item::Impl(one) => {
            let of = spelled(&one.self_ty);
            let name = one.trait_.as_ref().map_or_else(
                || format!("impl {of}"),
                |(path, _)| format!("impl {} for {of}", spelled(path)),
            );
            let members = one.items.iter().filter_map(|inner| match inner {
                ImplItem::Fn(inner) => {
                    Some(method(&inner.vis, &inner.attrs, &inner.sig, &inner.block))
                }
                _ => None,
            });
            ("impl", name, &one.attrs, members.collect())
        }
        _ => return None,
    };
    Some(Item {
        path: name,
        kind,
        docs: docs(attributes),
        attributes: other_than_docs(attributes),
        members,
        code: spelled(item),
    })
}

fn field((index, field): (usize, &syn::Field)) -> Member {
    let name = field.ident.as_ref().map(ToString::to_string);
    Member {
        name: name.unwrap_or_else(|| index.to_string()),
        is_public: is_public(&field.vis),
        docs: docs(&field.attrs),
        attributes: other_than_docs(&field.attrs),
        signature: spelled(&field.ty),
        statements: Vec::new(),
    }
}

fn variant(variant: &syn::Variant) -> Member {
    Member {
        name: variant.ident.to_string(),
        is_public: true,
        docs: docs(&variant.attrs),
        attributes: other_than_docs(&variant.attrs),
        signature: format!("{}{}", variant.ident, spelled(&variant.fields)),
        statements: Vec::new(),
    }
}

fn method(
    visibility: &Visibility,
    attributes: &[Attribute],
    signature: &syn::Signature,
    block: &syn::Block,
) -> Member {
    Member {
        name: signature.ident.to_string(),
        is_public: is_public(visibility),
        docs: docs(attributes),
        attributes: other_than_docs(attributes),
        signature: spelled(signature),
        statements: block.stmts.iter().flat_map(statements).collect(),
    }
}

/// Returns the parts of a statement: each field of a literal and each arm of a `match` is one.
fn statements(statement: &syn::Stmt) -> Vec<String> {
    match statement {
        syn::Stmt::Expr(Expr::Struct(literal), None) if !literal.fields.is_empty() => {
            literal.fields.iter().map(spelled).collect()
        }
        syn::Stmt::Expr(Expr::Match(choice), None) => choice
            .arms
            .iter()
            .map(|arm| spelled(arm).trim_end_matches(',').to_owned())
            .collect(),
        other => vec![spelled(other)],
    }
}

/// Returns the fields of the literal in a static.
fn values(value: &Expr) -> Vec<Member> {
    let Expr::Struct(literal) = value else {
        return Vec::new();
    };
    let fields = literal.fields.iter().map(|field| Member {
        name: field.member.to_token_stream().to_string(),
        is_public: true,
        docs: String::new(),
        attributes: Vec::new(),
        signature: spelled(&field.expr),
        statements: Vec::new(),
    });
    fields.collect()
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Returns the documentation, with its line breaks.
fn docs(attributes: &[Attribute]) -> String {
    let lines = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        });
    let lines: Vec<String> = lines.map(|line| line.trim().to_owned()).collect();
    lines.join("\n")
}

fn other_than_docs(attributes: &[Attribute]) -> Vec<String> {
    let others = attributes
        .iter()
        .filter(|attribute| !attribute.path().is_ident("doc"));
    others.map(|attribute| spelled(&attribute.meta)).collect()
}
