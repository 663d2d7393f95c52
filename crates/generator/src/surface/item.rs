//! Items that callers can name.

use openapi_diff::{About, Bump, Difference};

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The crate itself.
    Package,
    /// A Cargo feature with operations.
    Feature,
    /// A name that is re-exported.
    Reexport,
    /// A struct or an enumeration.
    Type,
    /// A public field.
    Field,
    /// A variant of an enumeration.
    Variant,
    /// A function or method.
    Function,
    /// A constant.
    Constant,
    /// A trait that a type implements.
    Trait,
    /// Behaviour without a public name, as the emitted code.
    Behaviour,
}

/// One item of a crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// From the crate's root, as `types::Book::title`. A trait has `impl Clone for types::Book`; behaviour has its owner and a label in
    /// brackets.
    pub path: String,
    /// Its kind.
    pub kind: Kind,
    /// The declaration, with paths from the crate's root. Of a field its type; of behaviour the code.
    pub signature: String,
    /// Its documentation.
    pub docs: String,
    /// Where in the document it came from. The place exists.
    pub pointer: String,
    /// The arguments of a function.
    pub arguments: Vec<Argument>,
    /// Of a type or method: the feature that it needs; `None` for one that is always there, and for what belongs to a type.
    pub feature: Option<String>,
    /// The signature without what callers do not depend on: names of arguments, and attributes.
    pub(super) shape: String,
    /// Attributes that a compiler reports to callers.
    pub(super) attributes: Vec<String>,
    /// The path of the type or module that it belongs to.
    pub(super) owner: String,
    /// Its own name.
    pub(super) name: String,
}

/// One argument of a function, `self` apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name, which callers do not depend on.
    pub name: String,
    /// Its type.
    pub ty: String,
    /// Where in the document it came from.
    pub pointer: String,
}

impl Item {
    pub(super) fn new(kind: Kind, owner: &str, name: &str, signature: String) -> Self {
        let path = match (kind, owner) {
            (Kind::Trait, owner) => format!("impl {name} for {owner}"),
            (Kind::Feature, _) => format!("feature {name}"),
            (Kind::Behaviour, owner) => format!("{owner} [{name}]"),
            (_, "") => name.to_owned(),
            (_, owner) => format!("{owner}::{name}"),
        };
        Self {
            path,
            kind,
            shape: signature.clone(),
            signature,
            docs: String::new(),
            pointer: String::new(),
            arguments: Vec::new(),
            attributes: Vec::new(),
            feature: None,
            owner: owner.to_owned(),
            name: name.to_owned(),
        }
    }

    /// Returns whether the compiler warns callers of it.
    pub(super) fn is_deprecated(&self) -> bool {
        let mut attributes = self.attributes.iter();
        attributes.any(|attribute| attribute.starts_with("#[deprecated"))
    }

    /// The crate of this name. Its version is ignored, because the differences determine it.
    pub(super) fn package(name: &str, readme: &str) -> Self {
        Self {
            docs: without_examples(readme),
            ..Self::new(Kind::Package, "", "crate", name.to_owned())
        }
    }
}

/// Returns documentation without its code: calls in an example are separate items.
fn without_examples(text: &str) -> String {
    let mut is_code = false;
    let lines = text.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    lines.map(|line| format!("{line}\n")).collect()
}

/// A difference between two items, or of one that is new or gone. `item` gives it its name.
pub(super) fn of_items(
    item: &Item,
    bump: Bump,
    old: Option<&Item>,
    new: Option<&Item>,
    sentence: String,
) -> Difference {
    Difference {
        item: item.path.clone(),
        bump,
        old: old.map(|item| item.pointer.clone()),
        new: new.map(|item| item.pointer.clone()),
        sentence,
        about: About::Item,
        owner: item.owner.clone(),
        name: item.name.clone(),
    }
}
