//! Credentials that operations describe as parameters.

use openapi_document::json::text_of;
use openapi_document::pointer;
use openapi_document::source::Source;
use openapi_schemas::{is_token, resolve};

use super::{Reading, SCHEMES, Schemes, scheme_names};
use crate::{Carrier, Location, Operation, Parameter, ParameterType, Scheme, Security};

/// The scheme that operations describe as a parameter. The name of a component has no space.
const DESCRIBED: &str = "Authorization header";

impl Schemes<'_, '_> {
    /// Reads the credentials of an operation that describes them as parameters: `Authorization`, which the specification ignores, and
    /// FastAPI publishes for functions that ask for it; or a key, where the operation has no `security`. The operation loses these parameters.
    pub(super) fn described(&mut self, operation: &mut Operation, has_security: bool) -> Security {
        let (mut required, mut optional) = (Vec::new(), Vec::new());
        let source = self.notes.source;
        let parameters = &mut operation.parameters;
        for parameter in parameters.extract_if(.., |one| is_credential(source, one, has_security)) {
            if has_security {
                self.note_described(
                    &parameter,
                    "is left out: `security` says with which credentials the operation is called",
                    "remove the parameter, or correct `security`, in an override",
                );
                continue;
            }
            let is_required = parameter.required;
            let name = match scheme_of(source, &parameter) {
                Some(name) => {
                    self.read(name, &parameter.pointer);
                    name.clone()
                }
                None => self.described_by(parameter),
            };
            if is_required {
                required.push(name);
            } else {
                optional.push(name);
            }
        }
        alternatives(&required, &optional)
    }

    /// Makes a scheme of a parameter that the document does not describe as one, and returns its name.
    fn described_by(&mut self, parameter: Parameter) -> String {
        self.note_described(
            &parameter,
            "is read as a credential, whose whole value the caller gives: the document describes no other",
            "describe it as a security scheme in an override",
        );
        let (name, carrier) = if is_authorization(&parameter.name) {
            (DESCRIBED.to_owned(), Carrier::Authorization)
        } else {
            // No scheme of a document has a space in its name.
            let header = parameter.name.to_lowercase();
            (format!("{header} header"), Carrier::Header(header))
        };
        self.known
            .entry(name.clone())
            .or_insert(Reading::Usable(Scheme {
                name: name.clone(),
                rust_name: String::new(),
                provider: None,
                variable: String::new(),
                carrier,
                text: parameter.text,
                pointer: parameter.pointer,
            }));
        name
    }

    /// Warns of a parameter, at the first operation that has it: most have all.
    fn note_described(&mut self, parameter: &Parameter, effect: &str, help: &str) {
        let message = format!("the parameter `{}` {effect}", parameter.name);
        if self.noted.insert(message.clone()) {
            let at = &parameter.pointer;
            self.notes.warn("credential-parameter", at, message, help);
        }
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

fn is_credential(source: &Source, parameter: &Parameter, has_security: bool) -> bool {
    let is_header = parameter.location == Location::Header;
    let is_text = parameter.kind == ParameterType::Text;
    let is_key = is_header && is_key(&parameter.name) || scheme_of(source, parameter).is_some();
    is_header && is_authorization(&parameter.name) || !has_security && is_text && is_key
}

/// Returns the name of the security scheme that a parameter repeats.
fn scheme_of<'d>(source: &'d Source, parameter: &Parameter) -> Option<&'d String> {
    scheme_names(source).find(|name| {
        let scheme = resolve(&source.value, &pointer::join(SCHEMES, name));
        scheme.is_some_and(|(_, scheme)| {
            let carried_as = text_of(scheme, "name").unwrap_or_default();
            text_of(scheme, "type") == Some("apiKey")
                && text_of(scheme, "in") == Some(parameter.location.name())
                && is_token(carried_as)
                && carried_as.eq_ignore_ascii_case(&parameter.name)
        })
    })
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
