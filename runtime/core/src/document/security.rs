//! What generated code says about credentials and about addresses of single operations.

/// One security scheme of an API's document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scheme {
    /// Its name in the document.
    pub name: &'static str,
    /// What stands behind the API's prefix in the names of its environment variables: with `EXAMPLE` and `BOT_TOKEN`, the variable is
    /// `EXAMPLE_BOT_TOKEN`. [`Carrier::Basic`] has two, which end in `_USER` and `_PASSWORD`.
    pub variable: &'static str,
    /// How its credential travels.
    pub carrier: Carrier,
}

/// How a credential travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Carrier {
    /// As the whole value of this header.
    Header(&'static str),
    /// As a query parameter of this name.
    Query(&'static str),
    /// As a cookie of this name.
    Cookie(&'static str),
    /// As `Authorization: Bearer <token>`. Only such a credential can come from a [`TokenProvider`](crate::credentials::TokenProvider).
    Bearer,
    /// As `Authorization: Basic <user name and password in Base64>`.
    Basic,
    /// As the whole value of `Authorization`, which the caller composes.
    Authorization,
}

/// What an operation needs: alternatives, the preferred first. Each lists the schemes that it needs together, by name; an empty one says
/// that the operation can be called without credentials. Without alternatives nothing is sent.
pub type Security = &'static [&'static [&'static str]];

/// An address that the document gives to single operations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnServer {
    /// The address, absolute and without variables.
    pub url: &'static str,
    /// The addresses of the API. A client of one of them calls the operation at `url` if no credentials go along, because the caller means
    /// the documented service. Otherwise [`ClientBuilder::server`](crate::ClientBuilder::server) has to name the address to take.
    pub beside: &'static [&'static str],
}
