//! Client settings from environment variables: the base URL and the credentials.

use std::env::VarError;

use crate::credentials::credential::Credential;
use crate::credentials::store::schemes;
use crate::document::api::{Api, Auth};
use crate::document::security::{Carrier, Scheme};
use crate::error::ConfigurationError;

/// Reads the base URL and the credentials that are set. `read` looks up a variable.
pub(super) fn read(
    api: &'static Api,
    read: &dyn Fn(&str) -> Result<String, VarError>,
) -> Result<(String, Vec<Credential>), ConfigurationError> {
    let optional = |suffix: &str| {
        let variable = format!("{}_{suffix}", api.environment);
        match read(&variable) {
            Ok(value) if !value.is_empty() => Ok(Some(value)),
            Ok(_) | Err(VarError::NotPresent) => Ok(None),
            Err(VarError::NotUnicode(_)) => {
                Err(ConfigurationError::UnreadableVariable { variable })
            }
        }
    };
    let require = |suffix: &str, expected| {
        optional(suffix)?.ok_or_else(|| ConfigurationError::MissingVariable {
            variable: format!("{}_{suffix}", api.environment),
            expected,
        })
    };
    let base_url = match api.base_url {
        Some(documented) => optional("BASE_URL")?.unwrap_or_else(|| documented.to_owned()),
        None => require(
            "BASE_URL",
            "the address of the API, such as https://api.example.com (its document names none that can be taken)",
        )?,
    };
    let given = |scheme: &Scheme| {
        let Scheme { name, variable, .. } = scheme;
        if scheme.carrier != Carrier::Basic {
            return Ok(optional(variable)?.map(|secret| Credential::text(*name, secret)));
        }
        let user = optional(&format!("{variable}_USER"))?;
        let password = optional(&format!("{variable}_PASSWORD"))?;
        // The service may need only one of them.
        let is_given = user.is_some() || password.is_some();
        let (user, password) = (user.unwrap_or_default(), password.unwrap_or_default());
        Ok(is_given.then(|| Credential::basic(*name, user, password)))
    };
    let (all, _) = schemes(api.auth);
    let given = match api.auth {
        Auth::Header(_) | Auth::Bearer => {
            let key = require("API_KEY", "your API key")?;
            let name = all.iter().map(|scheme| scheme.name);
            name.map(|name| Credential::text(name, key.clone()))
                .collect()
        }
        Auth::None | Auth::Schemes { .. } => {
            let given = all.iter().map(given).collect::<Result<Vec<_>, _>>()?;
            given.into_iter().flatten().collect()
        }
    };
    Ok((base_url, given))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::credentials::credential::CredentialValue;

    static API: Api = Api {
        auth: Auth::Bearer,
        ..Api::new("example", "1.2.3", "EXAMPLE")
    };
    static OPEN_API: Api = Api {
        auth: Auth::None,
        environment: "OPEN",
        ..API
    };
    static SCHEMES: Api = Api {
        auth: Auth::Schemes {
            all: &[
                Scheme {
                    name: "Bot token",
                    variable: "BOT_TOKEN",
                    carrier: Carrier::Bearer,
                },
                Scheme {
                    name: "login",
                    variable: "LOGIN",
                    carrier: Carrier::Basic,
                },
            ],
            usual: &[],
        },
        ..API
    };

    fn from(
        api: &'static Api,
        variables: &'static [(&str, &str)],
    ) -> Result<(String, Vec<Credential>), ConfigurationError> {
        read(api, &|name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found
                .map(|(_, value)| value.to_string())
                .ok_or(VarError::NotPresent)
        })
    }

    #[test]
    fn the_environment_configures_a_client() {
        let variables = &[
            ("EXAMPLE_BASE_URL", "https://h/api/"),
            ("EXAMPLE_API_KEY", "canary"),
        ];
        let (base_url, given) = from(&API, variables).unwrap();
        assert_eq!((base_url.as_str(), given.len()), ("https://h/api/", 1));
        assert!(!format!("{given:?}").contains("canary"));
    }

    #[test]
    fn a_missing_variable_is_named_with_its_expected_content() {
        let error = from(&API, &[("EXAMPLE_API_KEY", "k")]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "`EXAMPLE_BASE_URL` is missing or empty: set it to the address of the API, such as https://api.example.com \
             (its document names none that can be taken)",
        );
        let variables = &[("EXAMPLE_BASE_URL", "https://h"), ("EXAMPLE_API_KEY", "")];
        assert_eq!(
            from(&API, variables).unwrap_err().to_string(),
            "`EXAMPLE_API_KEY` is missing or empty: set it to your API key",
        );
    }

    #[test]
    fn the_first_documented_address_needs_no_variable() {
        static ONE: Api = Api {
            base_url: Some("https://api.example.com/v1"),
            ..API
        };
        const KEY: (&str, &str) = ("EXAMPLE_API_KEY", "k");
        for (variables, expected) in [
            (&[KEY] as &[_], "https://api.example.com/v1"),
            (
                &[KEY, ("EXAMPLE_BASE_URL", "")],
                "https://api.example.com/v1",
            ),
            (&[KEY, ("EXAMPLE_BASE_URL", "https://h")], "https://h"),
        ] {
            assert_eq!(from(&ONE, variables).unwrap().0, expected);
        }
        let error = from(&ONE, &[]).unwrap_err().to_string();
        assert_eq!(
            error,
            "`EXAMPLE_API_KEY` is missing or empty: set it to your API key"
        );
    }

    #[test]
    fn a_variable_that_is_not_unicode_is_named_but_not_shown() {
        let read_not_unicode = |_: &str| Err(VarError::NotUnicode(OsString::from("canary")));
        let error = read(&API, &read_not_unicode).unwrap_err();
        assert_eq!(error.to_string(), "`EXAMPLE_BASE_URL` is not valid Unicode");
        assert!(!format!("{error:?}").contains("canary"));
    }

    #[test]
    fn an_api_without_keys_requires_none() {
        from(&OPEN_API, &[("OPEN_BASE_URL", "https://h")]).unwrap();
        assert!(from(&API, &[("EXAMPLE_BASE_URL", "https://h")]).is_err());
    }

    #[test]
    fn each_scheme_has_its_own_optional_variables() {
        assert_eq!(
            from(&SCHEMES, &[("EXAMPLE_BASE_URL", "https://h")])
                .unwrap()
                .1
                .len(),
            0
        );
        let variables = &[
            ("EXAMPLE_BASE_URL", "https://h"),
            ("EXAMPLE_BOT_TOKEN", "t"),
            ("EXAMPLE_LOGIN_USER", "me"),
        ];
        let (_, given) = from(&SCHEMES, variables).unwrap();
        let [token, login] = given.as_slice() else {
            panic!("{given:?}");
        };
        assert_eq!((&*token.scheme, &*login.scheme), ("Bot token", "login"));
        assert!(matches!(login.given, CredentialValue::Basic { .. }));
    }
}
