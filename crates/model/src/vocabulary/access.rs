//! Credentials and addresses of the operations.

use std::collections::BTreeMap;

/// Alternatives, the preferred first: the names of the schemes that each needs together. An empty alternative needs nothing; without
/// alternatives nothing is sent.
pub type Security = Vec<Vec<String>>;

/// The security schemes in use, and what each operation needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Auth {
    /// The schemes that an operation needs, in the order of the document.
    pub schemes: Vec<Scheme>,
    /// The security of an operation that is not in `of`.
    pub usual: Security,
    /// The security of the others, by their places in the document.
    pub of: BTreeMap<String, Security>,
}

/// One security scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// Its name in the document.
    pub name: String,
    /// The Rust function that makes a credential for it.
    pub rust_name: String,
    /// The function for a provider of tokens; only of bearer tokens.
    pub provider: Option<String>,
    /// The end of the names of its environment variables.
    pub variable: String,
    /// The place of its credential in a request.
    pub carrier: Carrier,
    /// Its description in the document, a paragraph each.
    pub text: Vec<String>,
    /// Its location in the document, references followed.
    pub pointer: String,
}

/// The place of a credential in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// In a header of this name, in lower case.
    Header(String),
    /// In a query parameter of this name.
    Query(String),
    /// In a cookie of this name.
    Cookie(String),
    /// As `Authorization: Bearer`.
    Bearer,
    /// As `Authorization: Basic`.
    Basic,
    /// As the whole value of `Authorization`.
    Authorization,
}

impl Carrier {
    /// The header that carries it, in lower case.
    pub fn header(&self) -> Option<&str> {
        match self {
            Self::Header(name) => Some(name),
            Self::Bearer | Self::Basic | Self::Authorization => Some("authorization"),
            Self::Query(_) | Self::Cookie(_) => None,
        }
    }
}

impl Auth {
    /// Returns the carrier of the one key of all operations; `None` if it is not as simple. An optional key counts as needed, unless the empty
    /// alternative is the first: frameworks publish one last for services that need the key.
    pub fn simple(&self) -> Option<&Carrier> {
        let [scheme] = self.schemes.as_slice() else {
            return None;
        };
        let (first, others) = self.usual.split_first()?;
        let is_usual = *first == [scheme.name.clone()] && others.iter().all(Vec::is_empty);
        let is_simple = matches!(scheme.carrier, Carrier::Header(_) | Carrier::Bearer);
        (is_usual && is_simple && self.of.is_empty()).then_some(&scheme.carrier)
    }
}

/// The addresses in a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Servers {
    /// Those of the API that a client can be built with.
    pub all: Vec<Server>,
    /// The first address, if a client may take it without being asked: `https`, and without variables.
    pub first: Option<String>,
    /// Paths that the document gives as addresses, without a host.
    pub relative: Vec<String>,
    /// The addresses of the API, without variables: each with its defaults, and with the enum values.
    pub origins: Vec<String>,
    /// Addresses of single operations, without variables, by the places of the operations in the document.
    pub own: BTreeMap<String, String>,
}

/// One address of an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// The variant of the Rust type.
    pub rust_name: String,
    /// Its template.
    pub url: String,
    /// The variables in the template's braces, in the order of the document.
    pub variables: Vec<Variable>,
    /// `description`.
    pub text: Vec<String>,
    /// Its location in the document.
    pub pointer: String,
}

/// A variable of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the template.
    pub name: String,
    /// The field of the Rust variant.
    pub rust_name: String,
    /// The values that it may have, each with its variant in Rust; empty if any string is valid.
    pub values: Vec<(String, String)>,
    /// The value that is meant where none is given.
    pub default: Option<String>,
    /// `description`.
    pub text: Vec<String>,
}
