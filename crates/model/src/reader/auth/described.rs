//! Credentials that operations describe as parameters.

use super::{Reading, Schemes};
use crate::{Carrier, Location, Operation, Parameter, ParameterType, Scheme, Security};

/// The scheme that operations describe as a parameter. The name of a component has no space.
const DESCRIBED: &str = "Authorization header";

impl Schemes<'_, '_> {
    /// Reads the credentials of an operation that describes them as header parameters: `Authorization`, which the specification ignores, and
    /// FastAPI publishes for functions that ask for it; or a key, where the operation has no `security`. The operation loses the parameters.
    pub(super) fn described(&mut self, operation: &mut Operation, has_security: bool) -> Security {
        let (mut required, mut optional) = (Vec::new(), Vec::new());
        let parameters = &mut operation.parameters;
        for parameter in parameters.extract_if(.., |one| is_credential(one, has_security)) {
            let (effect, help) = if has_security {
                (
                    "is left out: `security` says with which credentials the operation is called",
                    "remove the parameter, or correct `security`, in an override",
                )
            } else {
                (
                    "is read as a credential, whose whole value the caller gives: the document describes no other",
                    "describe it as a security scheme in an override",
                )
            };
            let message = format!("the parameter `{}` {effect}", parameter.name);
            let at = &parameter.pointer;
            self.notes.warn("credential-parameter", at, message, help);
            if has_security {
                continue;
            }
            let (name, carrier) = if is_authorization(&parameter.name) {
                (DESCRIBED.to_owned(), Carrier::Authorization)
            } else {
                // No scheme of a document has a space in its name.
                let header = parameter.name.to_lowercase();
                (format!("{header} header"), Carrier::Header(header))
            };
            if parameter.required {
                required.push(name.clone());
            } else {
                optional.push(name.clone());
            }
            self.known
                .entry(name.clone())
                .or_insert(Reading::Usable(Scheme {
                    name,
                    rust_name: String::new(),
                    provider: None,
                    variable: String::new(),
                    carrier,
                    text: parameter.text,
                    pointer: parameter.pointer,
                }));
        }
        alternatives(&required, &optional)
    }
}

/// Returns the alternatives of credentials of which some may be left out: all, each one, and none of these.
fn alternatives(required: &[String], optional: &[String]) -> Security {
    let mut all = Security::new();
    let each = optional.iter().map(std::slice::from_ref);
    for more in std::iter::once(optional).chain(each).chain([&[] as &[_]]) {
        let together = [required, more].concat();
        if !all.contains(&together) {
            all.push(together);
        }
    }
    all.retain(|together| !together.is_empty() || !optional.is_empty());
    all
}

fn is_credential(parameter: &Parameter, has_security: bool) -> bool {
    let name = &parameter.name;
    let is_key = !has_security && parameter.kind == ParameterType::Text && is_key(name);
    parameter.location == Location::Header && (is_authorization(name) || is_key)
}

fn is_authorization(name: &str) -> bool {
    name.eq_ignore_ascii_case("authorization")
}

/// Returns whether a header has the name of a key: `X-API-Key`, or with one more word, as `xi-api-key`.
fn is_key(name: &str) -> bool {
    let name = name.to_lowercase().replace(['-', '_'], " ");
    let before = name.strip_suffix("apikey").or(name.strip_suffix("api key"));
    let words = before.map(|before| before.split(' ').filter(|word| !["", "x"].contains(word)));
    words.is_some_and(|words| words.count() < 2)
}
