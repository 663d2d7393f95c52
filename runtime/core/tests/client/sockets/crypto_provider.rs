//! A program that has to install a crypto provider. The network is left to the other set-ups: there is no real provider here.

use generated_client::error::ConfigurationError;
use generated_client::{Client, ClientBuilder, Error};
use rustls::crypto::{
    CryptoProvider, GetRandomFailed, KeyProvider, SecureRandom, WebPkiSupportedAlgorithms,
};
use rustls::pki_types::PrivateKeyDer;
use rustls::sign::SigningKey;

use crate::support::api::{API, KEY};

#[derive(Debug)]
struct Nothing;

impl SecureRandom for Nothing {
    fn fill(&self, _: &mut [u8]) -> Result<(), GetRandomFailed> {
        Err(GetRandomFailed)
    }
}

impl KeyProvider for Nothing {
    fn load_private_key(
        &self,
        _: PrivateKeyDer<'static>,
    ) -> Result<std::sync::Arc<dyn SigningKey>, rustls::Error> {
        Err(rustls::Error::General("no keys".to_owned()))
    }
}

fn build() -> Result<Client, Error> {
    ClientBuilder::new(&API, "https://api.example.com")
        .api_key(KEY)
        .build()
}

#[test]
fn a_missing_provider_is_an_error_and_an_installed_one_reaches_the_http_client() {
    let error = build().unwrap_err();
    assert!(
        matches!(
            error,
            Error::Configuration(ConfigurationError::CryptoProvider)
        ),
        "{error:?}"
    );
    let useless = CryptoProvider {
        cipher_suites: Vec::new(),
        kx_groups: Vec::new(),
        signature_verification_algorithms: WebPkiSupportedAlgorithms {
            all: &[],
            mapping: &[],
        },
        secure_random: &Nothing,
        key_provider: &Nothing,
    };
    useless.install_default().unwrap();
    // If reqwest used another release of rustls than the check does, it would still panic.
    let error = build().unwrap_err();
    assert!(
        matches!(
            error,
            Error::Configuration(ConfigurationError::Transport(_))
        ),
        "{error:?}"
    );
}
