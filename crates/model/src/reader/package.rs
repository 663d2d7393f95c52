//! Reads `x-rust-package` key by key: an error in one hides no other.
//! Errors in other extensions are warnings, because other tools may use the same names.

use openapi_document::pointer;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::notes::Notes;
use crate::extensions::{Features, PARTS, Package, environment};
use crate::names;

/// The rule of its findings, which stop every command.
pub(super) const RULE: &str = "package";

const AT: &str = "/info/x-rust-package";

const DEPENDENCIES: &str = "dependencies";

/// Derives of the standard library that a crate may request. `Default` depends on the content of a type.
const STANDARD: [&str; 8] = [
    "Clone",
    "Copy",
    "Debug",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
];

/// Crates that every client depends on.
const OURS: [&str; 5] = [
    "generated-cli",
    "generated-client",
    "serde",
    "serde_json",
    "std",
];

/// The package of a document, with the defaults that its title gives.
pub(super) fn read(notes: &mut Notes<'_>, title: &str) -> Package {
    let mut package = of_title(title);
    let Some(value) = notes.source.value.pointer(AT) else {
        return package;
    };
    let Some(members) = value.as_object() else {
        notes.wrong(RULE, AT, "`x-rust-package` is not an object", HELP);
        return package;
    };
    let known = Vec::new();
    let mut keys = Keys {
        notes,
        value,
        known,
    };
    if let Some(name) = keys.read::<String>("name") {
        if !names::is_package(&name) {
            let message = format!(
                "`{name}` cannot be the name of a crate: `{}` can",
                names::package(&name)
            );
            keys.wrong("name", message);
        }
        package.rename(&name);
    }
    keys.set("version", &mut package.version);
    keys.set("environment", &mut package.environment);
    keys.set("types-only", &mut package.types_only);
    if package.types_only {
        package.description = package
            .description
            .replacen("Typed client for", "Types of", 1);
    }
    keys.set("description", &mut package.description);
    let of_registry = &mut package.metadata;
    keys.set("license", &mut of_registry.license);
    keys.set("license-file", &mut of_registry.license_file);
    keys.set("repository", &mut of_registry.repository);
    keys.set("homepage", &mut of_registry.homepage);
    keys.set("authors", &mut of_registry.authors);
    keys.set("keywords", &mut of_registry.keywords);
    keys.set("categories", &mut of_registry.categories);
    keys.set("publish", &mut package.publish);
    keys.set("cli", &mut package.cli);
    keys.set("parts", &mut package.parts);
    package.operations = keys.read("operations");
    keys.set("features", &mut package.features);
    keys.set("handles", &mut package.handles);
    if package.types_only {
        keys.check_types_only();
        package.features = Some(Features::None);
        package.handles = Some(Features::None);
    }
    keys.set("types", &mut package.types);
    keys.set("derives", &mut package.derives);
    keys.set(DEPENDENCIES, &mut package.dependencies);
    keys.check_known(members);
    keys.check_values(&package);
    keys.check_dependencies(&package);
    keys.check_derives(&package);
    package
}

const HELP: &str = "correct it where it is written";

/// The members of the extension, each read by itself.
struct Keys<'k, 'd> {
    notes: &'k mut Notes<'d>,
    value: &'d Value,
    /// The keys that were read.
    known: Vec<&'static str>,
}

impl Keys<'_, '_> {
    fn read<T: DeserializeOwned>(&mut self, key: &'static str) -> Option<T> {
        self.known.push(key);
        let value = self.value.get(key)?;
        match serde_path_to_error::deserialize(value) {
            Ok(read) => Some(read),
            Err(error) => {
                let inside = match error.path().to_string().as_str() {
                    "." => String::new(),
                    path => format!(", at `{path}`"),
                };
                let message = format!("`{key}` of `x-rust-package`{inside}: {}", error.inner());
                self.wrong(key, message);
                None
            }
        }
    }

    fn wrong(&mut self, at: &str, message: String) {
        self.wrong_for(at, message, HELP);
    }

    fn wrong_for(&mut self, at: &str, message: String, help: &str) {
        let at = format!("{AT}/{at}");
        self.notes.wrong(RULE, &at, message, help);
    }

    fn set<T: DeserializeOwned>(&mut self, key: &'static str, into: &mut T) {
        if let Some(value) = self.read(key) {
            *into = value;
        }
    }

    /// Notes the keys that nothing reads, before the errors in the others.
    fn check_known(&mut self, members: &Map<String, Value>) {
        let source = self.notes.source;
        let unknown = members.keys();
        let unknown = unknown.filter(|key| !self.known.contains(&key.as_str()));
        let findings = unknown.map(|key| {
            let at = pointer::join(AT, key);
            let message = format!("`x-rust-package` has no `{key}`");
            let finding = source.finding(RULE, at, message, HELP);
            finding.suggest(key, self.known.iter().copied())
        });
        self.notes.findings.splice(..0, findings);
    }

    fn check_values(&mut self, package: &Package) {
        let (version, environment) = (&package.version, &package.environment);
        if let Err(error) = semver::Version::parse(version) {
            let message = format!("`{version}` is not a version such as `0.1.0`: {error}");
            self.wrong("version", message);
        }
        if self.value.get("environment").is_some() && !is_environment(environment) {
            let message = format!(
                "`{environment}` is not the beginning of environment variables: expected capital letters, digits and `_`"
            );
            self.wrong("environment", message);
        }
        let mut parts = package.parts.iter();
        if let Some(part) = parts.find(|one| !PARTS.contains(&one.as_str())) {
            let known = PARTS.join("`, `");
            let message = format!("`{part}` is not a part: expected one of `{known}`");
            self.wrong("parts", message);
        }
    }

    /// Refuses the settings of a client.
    fn check_types_only(&mut self) {
        for key in ["cli", "parts", "features", "handles"] {
            if self.value.get(key).is_some() {
                let message = format!("a crate of types alone has no `{key}`");
                self.wrong_for(key, message, "remove it, or `types-only`");
            }
        }
    }

    fn check_dependencies(&mut self, package: &Package) {
        for (name, dependency) in &package.dependencies {
            let at = format!("{DEPENDENCIES}/{}", pointer::escape(name));
            if !is_crate(name) {
                self.wrong(&at, format!("`{name}` is not the name of a crate"));
            } else if OURS.contains(&name.as_str()) {
                self.wrong(&at, format!("every client depends on `{name}` already"));
            }
            let version = dependency.version();
            let mut letters = version.chars();
            if version.is_empty()
                || !letters.all(|c| " .,<>=^~*+-".contains(c) || c.is_ascii_alphanumeric())
            {
                self.wrong(&at, format!("`{version}` is not a version, such as `1`"));
            }
            for feature in dependency.features().iter().filter(|one| !is_crate(one)) {
                self.wrong(&at, format!("`{feature}` is not the name of a feature"));
            }
        }
    }

    fn check_derives(&mut self, package: &Package) {
        for (index, derive) in package.derives.iter().enumerate() {
            let at = format!("derives/{index}");
            let Some(segments) = derive_path(derive) else {
                self.wrong_for(
                    &at,
                    format!("`{derive}` is not the path of a derive"),
                    "write it as `#[derive(…)]` has it: `Hash`, `schemars::JsonSchema`",
                );
                continue;
            };
            match segments.as_slice() {
                [name] if name == "Ord" => {
                    for needed in ["Eq", "PartialOrd"] {
                        if !package.derives.iter().any(|one| one.ends_with(needed)) {
                            let message = format!("`Ord` needs `{needed}`");
                            self.wrong_for(&at, message, "add it to `derives`");
                        }
                    }
                }
                [name] if !STANDARD.contains(&name.as_str()) => self.wrong_for(
                    &at,
                    format!("`{name}` is not a derive of the standard library that a client may add"),
                    "write the path of the derive with its crate, as in `schemars::JsonSchema`; `Default` is given by what a type holds",
                ),
                [of, _, ..] => {
                    let listed = package.dependencies.keys().map(String::as_str);
                    let mut known = listed.chain(OURS);
                    if known.all(|name| name.replace('-', "_") != *of) {
                        self.wrong_for(
                            &at,
                            format!("`{derive}` is of a crate that the client does not depend on"),
                            "add the crate to `dependencies`, as in `dependencies: {schemars: \"1\"}`",
                        );
                    }
                }
                _ => {}
            }
        }
    }
}

/// Returns whether a crate or a feature can have this name.
fn is_crate(name: &str) -> bool {
    let mut letters = name.chars();
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// Returns whether a name begins environment variables that every shell can set.
fn is_environment(name: &str) -> bool {
    let mut letters = name.chars();
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && letters.all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Returns the segments of the path of a derive; `None` for any other string.
fn derive_path(text: &str) -> Option<Vec<String>> {
    let path: syn::Path = syn::parse_str(text).ok()?;
    let segments = path.segments.iter();
    let is_plain =
        path.leading_colon.is_none() && segments.clone().all(|segment| segment.arguments.is_none());
    is_plain.then(|| segments.map(|segment| segment.ident.to_string()).collect())
}

fn of_title(title: &str) -> Package {
    let name = names::package(title);
    // The manifest and the README have it on one line.
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    Package {
        version: "0.1.0".to_owned(),
        environment: environment(&name),
        description: match title.as_str() {
            "" => "Typed client for an HTTP API".to_owned(),
            title => format!("Typed client for {title}"),
        },
        publish: true,
        name,
        ..Package::default()
    }
}
