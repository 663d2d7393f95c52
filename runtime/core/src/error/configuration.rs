use super::TransportError;

/// The reason why a client cannot be set up. Values that were given are not repeated: they may be secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigurationError {
    /// An environment variable that configures the client is missing or empty.
    #[error("`{variable}` is missing or empty: set it to {expected}")]
    MissingVariable {
        /// The variable's name.
        variable: String,
        /// The content that it needs.
        expected: &'static str,
    },
    /// An environment variable that configures the client is not valid Unicode.
    #[error("`{variable}` is not valid Unicode")]
    UnreadableVariable {
        /// The variable's name.
        variable: String,
    },
    /// The base URL cannot be used, or the address of an operation's separate server, in the document or of
    /// [`server`](crate::ClientBuilder::server).
    #[error(
        "the base URL, or the address of a separate server, {problem}; it should look like https://api.example.com"
    )]
    Address {
        /// The problem, as the end of a sentence.
        problem: &'static str,
    },
    /// The API key cannot be used.
    #[error("the API key {problem}")]
    ApiKey {
        /// The problem, as the end of a sentence.
        problem: &'static str,
    },
    /// A credential cannot be used.
    #[error("the credential for `{scheme}` {problem}")]
    Credential {
        /// The security scheme of the credential.
        scheme: &'static str,
        /// The problem, as the end of a sentence.
        problem: &'static str,
    },
    /// The API has no security scheme of this name.
    #[error("the API has no security scheme `{scheme}`: {}", listed(known))]
    UnknownScheme {
        /// The name that was given.
        scheme: String,
        /// The names of the API's schemes.
        known: Vec<&'static str>,
    },
    /// A setting names an operation by an id that no operation of the API has.
    #[error("the API has no operation `{id}`")]
    UnknownOperation {
        /// The id that was given.
        id: String,
        /// The ids of the API's operations.
        known: &'static [&'static str],
    },
    /// Settings of an interceptor exclude each other.
    #[error("{problem}")]
    Interceptor {
        /// The problem, as a sentence.
        problem: String,
    },
    /// The document gives an operation its own address, which the caller has not named. Nothing was sent: credentials go only to the base
    /// URL and to named addresses. A client with an undocumented base URL calls no documented address.
    #[error(
        "`{operation}` was not sent: the document has it at {server}, and the caller has named no such address; \
         `ClientBuilder::server(\"{server}\", …)` names the one to call"
    )]
    OwnServer {
        /// The operation's id.
        operation: &'static str,
        /// The address in the document.
        server: &'static str,
    },
    /// A default header, or the user agent, cannot be sent.
    #[error("the default header `{name}` {problem}")]
    DefaultHeader {
        /// Its name.
        name: String,
        /// The problem, as the end of a sentence.
        problem: &'static str,
    },
    /// The feature `rustls-no-provider` is on, and no crypto provider of rustls is installed.
    #[error(
        "no crypto provider is installed: install one of rustls 0.23 before the client is built, or enable the feature `rustls`"
    )]
    CryptoProvider,
    /// The base URL, or another address, is `https`, but neither TLS feature is enabled.
    #[error(
        "this build has no TLS for an `https` address: enable the feature `rustls` or `rustls-no-provider`, or set a custom transport"
    )]
    NoTls,
    /// A call was made outside of a Tokio runtime, or the runtime was shut down before the request was sent.
    #[error("there is no Tokio runtime: make calls inside a runtime with time and I/O enabled")]
    NoRuntime,
    /// The HTTP client could not be set up.
    #[error("the HTTP client cannot be set up")]
    Transport(#[source] TransportError),
}

fn listed(known: &[&str]) -> String {
    match known {
        [] => "it takes no credentials".to_owned(),
        known => format!("it has `{}`", known.join("`, `")),
    }
}
