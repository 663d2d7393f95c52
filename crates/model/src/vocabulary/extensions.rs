//! The extensions that overrides write and the generator reads, in their typed form.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::bounds::TextFormat;

/// `x-rust-package` on `info`: what the generated crate is called, and what all its code shares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    /// The crate's name.
    pub name: String,
    /// The crate's version.
    pub version: String,
    /// Prefix of the environment variables that configure a client, as `PETSTORE` in `PETSTORE_API_KEY`.
    pub environment: String,
    /// One line for the manifest.
    pub description: String,
    /// The metadata that a registry shows beside the description.
    pub metadata: Metadata,
    /// True if cargo may publish the crate, which is the default.
    pub publish: bool,
    /// True for a crate with a command line.
    pub cli: bool,
    /// True for a crate of the types alone, without a client.
    pub types_only: bool,
    /// Parts of the runtime that the crate has although its document does not need them.
    pub parts: Vec<String>,
    /// The operations that the crate has, each by its `operationId`, as `METHOD /path`, or all of a tag as `tag:NAME`; `None` for all.
    pub operations: Option<Vec<String>>,
    /// Selection of operations by features; by default, the size of the document decides.
    pub features: Option<Features>,
    /// Operations behind handles; by default, the size of the document decides.
    pub handles: Option<Features>,
    /// The types of strings by their formats.
    pub types: Types,
    /// Derives of every type that can have them, as paths.
    pub derives: Vec<String>,
    /// The crates that the derives are of, by name.
    pub dependencies: BTreeMap<String, Dependency>,
}

/// The parts of the runtime that a crate may name.
pub const PARTS: [&str; 18] = [
    "cache",
    "cache-file",
    "chrono",
    "drift",
    "jiff",
    "multipart",
    "paging",
    "records",
    "streams",
    "styles",
    "test-util",
    "text-types",
    "tokens",
    "unstable-reqwest",
    "uploads",
    "uuid",
    "waiting",
    "webhooks",
];

/// The metadata that a registry shows, beside the name, the version and the description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// An SPDX expression.
    pub license: Option<String>,
    /// The path of the license file in the crate, if no expression names the license.
    pub license_file: Option<String>,
    /// The address of the sources.
    pub repository: Option<String>,
    /// The address of a site about the crate.
    pub homepage: Option<String>,
    /// Names, each with or without an address in `<…>`.
    pub authors: Vec<String>,
    /// Search keywords for the registry.
    pub keywords: Vec<String>,
    /// Categories of crates.io.
    pub categories: Vec<String>,
}

impl Default for Metadata {
    fn default() -> Self {
        Self {
            license: None,
            license_file: None,
            repository: None,
            homepage: None,
            authors: Vec::new(),
            keywords: ["api", "client", "openapi"].map(str::to_owned).into(),
            categories: ["api-bindings", "web-programming::http-client"]
                .map(str::to_owned)
                .into(),
        }
    }
}

/// A crate of `dependencies` of `x-rust-package`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Dependency {
    /// Its version, with its default features.
    Version(String),
    /// Its version, with more features.
    Features {
        /// As Cargo writes it.
        version: String,
        /// Names of features.
        features: Vec<String>,
    },
}

impl Dependency {
    /// The version that the crate needs.
    pub fn version(&self) -> &str {
        match self {
            Self::Version(version) | Self::Features { version, .. } => version,
        }
    }

    /// The features beside the default ones.
    pub fn features(&self) -> &[String] {
        match self {
            Self::Version(_) => &[],
            Self::Features { features, .. } => features,
        }
    }
}

/// `types` of `x-rust-package`: what strings of a format are in Rust.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Types {
    /// Strings of the format `date`.
    pub date: Option<Dates>,
    /// Strings of the format `date-time`.
    pub date_time: Option<Dates>,
    /// Strings of the format `uuid`.
    pub uuid: Option<Uuids>,
}

/// The type of dates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dates {
    /// `Date` and `Timestamp` of jiff.
    Jiff,
    /// `NaiveDate` and `DateTime<FixedOffset>` of chrono.
    Chrono,
    /// Any string.
    Text,
}

impl Dates {
    fn feature(self) -> &'static str {
        match self {
            Self::Jiff => "jiff",
            Self::Chrono => "chrono",
            Self::Text => "",
        }
    }
}

/// The type of UUIDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Uuids {
    /// `Uuid` of uuid.
    Uuid,
    /// Any string.
    Text,
}

impl Types {
    /// Returns the runtime feature with the type of a format; empty for any string, `None` without a setting.
    pub fn feature(self, format: TextFormat) -> Option<&'static str> {
        match format {
            TextFormat::Date => self.date.map(Dates::feature),
            TextFormat::DateTime => self.date_time.map(Dates::feature),
            TextFormat::Uuid => self.uuid.map(|uuids| match uuids {
                Uuids::Uuid => "uuid",
                Uuids::Text => "",
            }),
        }
    }
}

/// `features` and `handles` of `x-rust-package`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Features {
    /// A feature or a handle for the operations of each tag.
    Tags,
    /// All operations are always there, as methods of the client.
    None,
}

impl Package {
    /// Gives the package another name, which is also that of its environment variables.
    pub fn rename(&mut self, name: &str) {
        self.name = name.to_owned();
        self.environment = environment(name);
    }
}

/// The prefix of the environment variables of a package: `pet-store` → `PET_STORE`.
pub fn environment(package: &str) -> String {
    package.replace('-', "_").to_uppercase()
}

/// `x-canonical` on a schema: what makes two values equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Canonical {
    /// A website, by its host, or an identifier.
    Website,
}

/// One entry of `x-credits` on an operation: a price that was seen.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// Credits per call.
    pub credits: serde_json::Number,
    /// The optional parameters that the price was observed with or without.
    #[serde(default)]
    pub when: BTreeMap<String, Presence>,
    /// Unknown facts about it.
    pub note: Option<String>,
}

impl Price {
    /// The price in micro-credits; `None` for more than six decimals, and for anything but an amount.
    pub fn micros(&self) -> Option<u64> {
        let text = self.credits.to_string();
        let (whole, decimals) = text.split_once('.').unwrap_or((&text, ""));
        if decimals.len() > 6 {
            return None;
        }
        format!("{whole}{decimals:0<6}").parse().ok()
    }
}

/// Presence of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Presence {
    /// The parameter is given.
    Present,
    /// It is not.
    Absent,
}

/// `x-pagination` on an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Pagination {
    /// RFC 9535 path of the records in the response body, of names and `[*]` only; `$` for a body that is the array.
    pub items: String,
    /// Path or header of the number of all records, where a response has it.
    pub total: Option<String>,
    /// Path of the key that distinguishes the lists, if `items` leads to several.
    pub key: Option<String>,
    /// Name of the query parameter, or member of the body, that bounds a page.
    pub limit: Option<String>,
    /// True if a page with fewer records than `limit` is the last one.
    #[serde(default)]
    pub short_is_last: bool,
    /// True if a page without the array of the records has no records; otherwise it is an error.
    #[serde(default)]
    pub absent_is_empty: bool,
    /// Name of the query parameter, or member of the body, that skips records.
    pub offset: Option<String>,
    /// Name of the query parameter, or member of the body, that takes the number of a page.
    pub page: Option<String>,
    /// The number of the first page; 1 by default.
    pub first: Option<u64>,
    /// Path or header of the number of pages.
    pub pages: Option<String>,
    /// Name of the query parameter, or member of the body, that takes what `next` leads to.
    pub cursor: Option<String>,
    /// Path or header of the cursor of the next page, or without `cursor` of a link to it. `[-1]` is the last element of an array.
    pub next: Option<String>,
    /// Relation of the link to the next page in the header `Link`.
    pub link: Option<String>,
    /// Path or header of the flag for another page.
    pub more: Option<String>,
    /// Name of a parameter that the limit depends on.
    pub requires: Option<String>,
    /// True without `x-pagination`: the parameters and the response of the operation agree.
    #[serde(skip)]
    pub is_detected: bool,
}

impl Pagination {
    /// The path at which a response repeats the offset, if it does.
    pub fn echoed_offset(&self) -> Option<String> {
        let offset = self.offset.as_ref()?;
        let name = match request_body(offset) {
            Some(pointer) => pointer.rsplit('/').next()?,
            None => offset,
        };
        Some(format!("$.{name}"))
    }
}

/// Returns the name of a response header in a runtime expression of OpenAPI, such as `$response.header.X-Total`.
pub fn response_header(expression: &str) -> Option<&str> {
    expression.strip_prefix("$response.header.")
}

/// Returns the JSON Pointer into a request body in a runtime expression of OpenAPI, such as `$request.body#/page/at`.
pub fn request_body(expression: &str) -> Option<&str> {
    let pointer = expression.strip_prefix("$request.body#")?;
    pointer.starts_with('/').then_some(pointer)
}

/// `x-idempotency` on an operation: the service does the same work once for all calls with one key.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Idempotency {
    /// The header of the key.
    pub header: String,
    /// The seconds for which the service remembers a key; unknown where nothing is said.
    pub window: Option<u64>,
}

/// `x-waiter` on an operation that reports the progress of a job.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiter {
    /// RFC 9535 path, of names only, of the value that is present once it is done.
    pub done: String,
    /// Path of the value that is present once it has failed: the reason.
    pub failed: String,
}

/// One step of a path such as `$.data[*].parts`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A member of an object.
    Member(String),
    /// Every element of an array.
    Each,
    /// The last element of an array.
    Last,
}

/// Reads a path of names (`.name` or `['name']`), `[*]` and `[-1]`; `None` for any other query.
pub fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("[*]") {
            steps.push(Step::Each);
            rest = after;
        } else if let Some(after) = rest.strip_prefix("[-1]") {
            steps.push(Step::Last);
            rest = after;
        } else if let Some(after) = rest.strip_prefix("['") {
            let (name, after) = after.split_once("']")?;
            steps.push(Step::Member(name.to_owned()));
            rest = after;
        } else {
            let after = rest.strip_prefix('.')?;
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (name, remaining) = after.split_at_checked(end)?;
            if name.is_empty() || name == "*" {
                return None;
            }
            steps.push(Step::Member(name.to_owned()));
            rest = remaining;
        }
    }
    Some(steps)
}
