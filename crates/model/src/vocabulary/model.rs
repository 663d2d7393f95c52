//! The document as the emitters read it: named schemas, operations, authentication, package.
//! Looks up what it holds, and reads no document.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use openapi_document::finding::Finding;
use openapi_schemas::LeftOut;

use super::access::{Auth, Servers};
use super::detections::Detection;
use super::extensions::Package;
use super::groups::Group;
use super::handles::Handle;
use super::operation::Operation;
use super::pages::{PageMembers, Pages};
use super::place::Place;
use super::runtime_types::RuntimeType;
use super::schema::Schema;
use super::subset::Subset;
use super::waits::Waits;
use super::webhooks::{GROUP, Signature, Webhook};

/// A response field that is the value of a parameter, from an OpenAPI Link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The object that holds the field.
    pub owner: String,
    /// The field, by its wire name.
    pub property: String,
    /// The generated type of the field, if it has one.
    pub value_type: Option<String>,
    /// The generated type of the parameter.
    pub parameter_type: String,
    /// The location of the Link, or the first of several equal ones.
    pub pointer: String,
}

/// Everything that the emitters need.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The package of the crate.
    pub package: Package,
    /// `info.title`.
    pub title: String,
    /// `info.version`.
    pub version: String,
    /// `info.description`.
    pub description: String,
    /// The documentation of the address: the description of the server and of its variables.
    pub server: String,
    /// With which credentials the operations are called.
    pub auth: Auth,
    /// At which addresses they are called.
    pub servers: Servers,
    /// True if calls cost credits.
    pub is_metered: bool,
    /// The schemas that operations reach, by name.
    pub schemas: Vec<Schema>,
    /// The operations, in the order of the document.
    pub operations: Vec<Operation>,
    /// The groups of the operations, by name; none in a crate that is not split.
    pub groups: Vec<Group>,
    /// The handles of the client, by name; none where it has all methods itself.
    pub handles: Vec<Handle>,
    /// The operations that could not be generated right, in the order of the document.
    pub left_out: Vec<LeftOut>,
    /// The choice among the operations and webhooks of the document.
    pub subset: Subset,
    /// Requests that the service makes, in the order of the document.
    pub webhooks: Vec<Webhook>,
    /// How the service signs them, if the document says it.
    pub webhook_signature: Option<Signature>,
    /// Parts that are less typed than the document, and the reasons why operations are left out. The emitters do not read it.
    pub warnings: Vec<Finding>,
    /// Conversions that links promise.
    pub conversions: Vec<Conversion>,
    /// Operations whose responses are pages.
    pub pages: Vec<Pages>,
    /// Paging that was detected without an extension. The emitters write certain ones into the README.
    pub detections: Vec<Detection>,
    /// Operations that report the progress of something.
    pub waits: Vec<Waits>,
    /// The member in which all operations report the charge, cached.
    pub shared_charge: OnceLock<Option<String>>,
    /// The schemas whose types have no default, cached after the pages are read.
    pub without_default: OnceLock<BTreeSet<String>>,
    /// The members that paging needs, cached after the pages are read.
    pub(crate) page_members: OnceLock<PageMembers>,
}

impl Model {
    /// A schema by its Rust name.
    pub fn schema(&self, name: &str) -> Option<&Schema> {
        let index = self
            .schemas
            .binary_search_by(|schema| schema.name.as_str().cmp(name));
        self.schemas.get(index.ok()?)
    }

    /// The types whose schemas the document has: all that callers see, except the union of the bodies of webhooks.
    pub fn documented_types(&self) -> impl Iterator<Item = &Schema> {
        let any = self.webhooks.iter().find(|webhook| webhook.name.is_none());
        let any = any.and_then(|webhook| webhook.schema.reference());
        let visible = self.schemas.iter().filter(|schema| schema.is_visible);
        visible.filter(move |schema| Some(schema.name.as_str()) != any)
    }

    /// Returns whether the crate reads webhooks: it has some, knows how they are signed, or is told to.
    pub fn has_webhooks(&self) -> bool {
        !self.webhooks.is_empty()
            || self.webhook_signature.is_some()
            || self.package.parts.iter().any(|part| part == GROUP)
    }

    /// Returns what a crate of the types alone has of the document.
    #[must_use]
    pub fn types_alone(self) -> Self {
        Self {
            operations: Vec::new(),
            waits: Vec::new(),
            webhooks: Vec::new(),
            webhook_signature: None,
            ..self
        }
    }

    /// Returns whether the crate has types.
    pub fn has_types(&self) -> bool {
        self.schemas.iter().any(|one| one.is_visible)
    }

    /// The schema that a place refers to.
    pub fn referenced(&self, place: &Place) -> Option<&Schema> {
        self.schema(place.reference()?)
    }

    /// Returns the place of the schema that a place refers to, or the place itself.
    pub fn resolved<'m>(&'m self, place: &'m Place) -> &'m Place {
        self.referenced(place).map_or(place, |schema| &schema.place)
    }

    /// Returns whether a value is any string, by itself or by the name of its schema. The only such type of the runtime is the UUID: it is
    /// read as a string whatever was sent.
    pub fn is_text(&self, place: &Place) -> bool {
        let resolved = self.resolved(place);
        resolved.is_any_string()
            && resolved.text_format().is_none_or(RuntimeType::is_uuid)
            && [place, resolved].iter().all(|one| one.rust_type.is_none())
    }

    /// Returns the pages of an operation.
    pub fn pages_of(&self, operation: &Operation) -> Option<&Pages> {
        self.pages.iter().find(|one| one.operation == operation.id)
    }

    /// Returns the progress that an operation reports.
    pub fn waits_of(&self, operation: &Operation) -> Option<&Waits> {
        self.waits.iter().find(|one| one.operation == operation.id)
    }

    /// Returns the handle of an operation.
    pub fn handle(&self, operation: &Operation) -> Option<&Handle> {
        let name = operation.handle.as_ref()?;
        self.handles.iter().find(|handle| handle.name == *name)
    }

    /// Returns the path of an operation's method, from the root of the crate.
    pub fn method_path(&self, operation: &Operation) -> String {
        let method = &operation.rust_name;
        match self.handle(operation) {
            Some(handle) => format!("handles::{}::{method}", handle.type_name),
            None => format!("Client::{method}"),
        }
    }

    /// The feature that an operation needs; `None` for an operation that is always there.
    pub fn feature(&self, operation: &Operation) -> Option<&str> {
        let name = operation.group.as_ref()?;
        let group = self.groups.iter().find(|group| group.name == *name)?;
        Some(&group.feature)
    }
}
