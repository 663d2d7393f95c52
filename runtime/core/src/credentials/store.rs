//! All credentials of a client: checked when it is built, and selected per operation.

use std::sync::Arc;

use http::header::{AUTHORIZATION, HeaderName};
use secrecy::{ExposeSecret, SecretString};

use crate::credentials::credential::{Credential, CredentialValue};
use crate::credentials::guard::Guard;
use crate::credentials::header::{bearer, sensitive};
use crate::credentials::part::Part;
#[cfg(feature = "tokens")]
use crate::credentials::refresh::TokenCell;
use crate::document::api::Auth;
use crate::document::security::{Carrier, Scheme, Security};
use crate::error::ConfigurationError;
#[cfg(feature = "tokens")]
use crate::error::ProviderFailure;
use crate::secret::base64;
use crate::secret::key::{ApiKey, InvalidKey, check};

/// Shorter user names or passwords occur in any string, so that hiding them would hide nothing.
const SHORTEST_PASSWORD: usize = 4;
/// User names of this length may be keys.
const SHORTEST_USER: usize = 8;

/// The name of the only scheme of an API without named schemes.
const ONLY_SCHEME: &str = "api_key";

pub(crate) struct CredentialStore {
    entries: Vec<(&'static str, Source)>,
    usual: Security,
    guard: Arc<Guard>,
}

pub(super) enum Source {
    Fixed(Part),
    #[cfg(feature = "tokens")]
    Token(Arc<TokenCell>),
}

/// The reason why a call has no credentials.
pub(crate) enum NoCredentials {
    /// The client lacks a credential in every alternative.
    Missing(Security),
    /// The provider of this scheme returned no token.
    #[cfg(feature = "tokens")]
    Provider(&'static str, Arc<ProviderFailure>),
}

/// Returns the schemes of an API, and the default security of its operations.
pub(crate) fn schemes(auth: Auth) -> (Vec<Scheme>, Security) {
    match auth {
        Auth::Header(name) => only_scheme(Carrier::Header(name)),
        Auth::Bearer => only_scheme(Carrier::Bearer),
        Auth::None => (Vec::new(), &[]),
        Auth::Schemes { all, usual } => (all.to_vec(), usual),
    }
}

fn only_scheme(carrier: Carrier) -> (Vec<Scheme>, Security) {
    let scheme = Scheme {
        name: ONLY_SCHEME,
        variable: "API_KEY",
        carrier,
    };
    (vec![scheme], &[&[ONLY_SCHEME]])
}

impl CredentialStore {
    /// Checks the credentials of a client. Of two for one scheme, the later counts.
    pub(crate) fn new(auth: Auth, given: Vec<Credential>) -> Result<Self, ConfigurationError> {
        let (all, usual) = schemes(auth);
        let guard = Arc::<Guard>::default();
        let mut secrets = Vec::new();
        let mut entries: Vec<(&'static str, Source)> = Vec::new();
        for Credential {
            scheme: name,
            given,
        } in given
        {
            let Some(scheme) = all.iter().find(|scheme| scheme.name == name) else {
                return Err(ConfigurationError::UnknownScheme {
                    scheme: name,
                    known: all.iter().map(|scheme| scheme.name).collect(),
                });
            };
            let source = carried(scheme.carrier, given, &mut secrets, &guard)
                .map_err(|InvalidKey(problem)| refused(auth, scheme, problem))?;
            entries.retain(|(earlier, _)| *earlier != scheme.name);
            entries.push((scheme.name, source));
        }
        if !matches!(auth, Auth::None | Auth::Schemes { .. }) && entries.is_empty() {
            let problem = "is missing";
            return Err(ConfigurationError::ApiKey { problem });
        }
        guard.give(secrets);
        Ok(Self {
            entries,
            usual,
            guard,
        })
    }

    /// Returns all secrets so far, to be removed from anything shown; `None` if there are none.
    pub(crate) fn secrets(&self) -> Option<Arc<ApiKey>> {
        self.guard.secrets()
    }

    /// Returns whether a call with this security sends a credential.
    pub(crate) fn has(&self, security: Option<Security>) -> bool {
        let chosen = self.choose(security);
        chosen.is_ok_and(|chosen| !chosen.is_empty())
    }

    /// Returns the first alternative for which the client has all credentials. An empty alternative comes last. `security`: overrides the
    /// default.
    pub(super) fn choose(
        &self,
        security: Option<Security>,
    ) -> Result<&'static [&'static str], NoCredentials> {
        let security = security.unwrap_or(self.usual);
        let mut is_open = security.is_empty();
        for schemes in security {
            if schemes.is_empty() {
                is_open = true;
            } else if schemes.iter().all(|name| self.entry(name).is_some()) {
                return Ok(schemes);
            }
        }
        if is_open {
            Ok(&[])
        } else {
            Err(NoCredentials::Missing(security))
        }
    }

    /// Returns the credentials of these schemes, each with the name of its scheme.
    pub(super) fn sources<'s>(
        &'s self,
        schemes: &'static [&'static str],
    ) -> impl Iterator<Item = (&'static str, &'s Source)> {
        schemes.iter().filter_map(|name| self.entry(name))
    }

    fn entry(&self, name: &str) -> Option<(&'static str, &Source)> {
        let mut entries = self.entries.iter();
        let (name, source) = entries.find(|(known, _)| *known == name)?;
        Some((name, source))
    }
}

/// Converts a credential to its wire form and adds its secrets to `secrets`.
fn carried(
    carrier: Carrier,
    given: CredentialValue,
    secrets: &mut Vec<SecretString>,
    guard: &Arc<Guard>,
) -> Result<Source, InvalidKey> {
    const UNFIT: InvalidKey = InvalidKey("is not valid in a header");
    let text = match (carrier, given) {
        #[cfg(feature = "tokens")]
        (Carrier::Bearer, CredentialValue::Provider(provider)) => {
            let cell = TokenCell::new(provider, Arc::clone(guard));
            return Ok(Source::Token(Arc::new(cell)));
        }
        #[cfg(feature = "tokens")]
        (_, CredentialValue::Provider(_)) => {
            return Err(InvalidKey(
                "cannot come from a token provider, because it is not a bearer token",
            ));
        }
        (Carrier::Basic, CredentialValue::Basic { user, password }) => {
            let value = basic(&user, &password, secrets)?;
            let value = sensitive(&value).ok_or(UNFIT)?;
            return Ok(Source::Fixed(Part::Header(AUTHORIZATION, value)));
        }
        (Carrier::Basic, CredentialValue::Text(_)) => {
            return Err(InvalidKey("takes a user name and a password"));
        }
        (_, CredentialValue::Basic { .. }) => {
            return Err(InvalidKey(
                "takes one string, not a user name and a password",
            ));
        }
        (_, CredentialValue::Text(text)) => text,
    };
    let exposed = text.expose_secret();
    let part = match carrier {
        Carrier::Header(name) if header_name(name)? != AUTHORIZATION => {
            check(exposed)?;
            Part::Header(header_name(name)?, sensitive(exposed).ok_or(UNFIT)?)
        }
        // `Token abc`, `Bot abc`, `Digest username="me", …`
        Carrier::Header(_) | Carrier::Authorization => {
            let behind = exposed.split_once(' ').map(|(_, behind)| behind);
            check(&exposed.replace(' ', "_"))?;
            if exposed.trim() != exposed {
                return Err(InvalidKey("begins or ends with a space"));
            }
            secrets.extend(
                behind
                    .filter(|behind| behind.len() >= SHORTEST_PASSWORD)
                    .map(SecretString::from),
            );
            Part::Header(AUTHORIZATION, sensitive(exposed).ok_or(UNFIT)?)
        }
        Carrier::Bearer => {
            check(exposed)?;
            Part::Header(AUTHORIZATION, bearer(exposed))
        }
        Carrier::Query(name) => {
            check(exposed)?;
            Part::Query(name, text.clone())
        }
        Carrier::Cookie(name) => {
            check(exposed)?;
            if exposed.contains(['"', ',', ';', '\\']) {
                return Err(InvalidKey(
                    "contains a character that is invalid in a cookie",
                ));
            }
            Part::Cookie(name, text.clone())
        }
        Carrier::Basic => return Err(InvalidKey("takes a user name and a password")),
    };
    secrets.push(text);
    Ok(Source::Fixed(part))
}

fn header_name(name: &str) -> Result<HeaderName, InvalidKey> {
    HeaderName::from_bytes(name.as_bytes())
        .map_err(|_| InvalidKey("is sent in a header with an invalid name"))
}

/// Makes `Basic <Base64>`, as RFC 7617 defines it with UTF-8.
fn basic(
    user: &SecretString,
    password: &SecretString,
    secrets: &mut Vec<SecretString>,
) -> Result<String, InvalidKey> {
    let (user, password) = (user.expose_secret(), password.expose_secret());
    if user.is_empty() && password.is_empty() {
        return Err(InvalidKey("is empty"));
    }
    if user.contains(':') {
        return Err(InvalidKey("has a user name with a colon"));
    }
    if user.chars().chain(password.chars()).any(char::is_control) {
        return Err(InvalidKey(
            "holds a line break or another control character",
        ));
    }
    let both = format!("{user}:{password}");
    let encoded = base64::encode(both.as_bytes());
    if password.chars().count() >= SHORTEST_PASSWORD {
        secrets.push(password.into());
    }
    let length = user.chars().count();
    if length >= SHORTEST_USER
        || (length >= SHORTEST_PASSWORD && password.len() < SHORTEST_PASSWORD)
    {
        secrets.push(user.into());
    }
    secrets.extend([both, encoded.clone()].map(SecretString::from));
    Ok(format!("Basic {encoded}"))
}

fn refused(auth: Auth, scheme: &Scheme, problem: &'static str) -> ConfigurationError {
    match auth {
        Auth::Header(_) | Auth::Bearer => ConfigurationError::ApiKey { problem },
        _ => ConfigurationError::Credential {
            scheme: scheme.name,
            problem,
        },
    }
}
