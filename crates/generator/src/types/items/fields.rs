//! The fields of structs: in the order of the document, under their names, tolerant of what a service leaves out.

use openapi_model::{
    Form, Model, Object, Others, Place, Presence, Property, Schema, Shape, States, Usage, names,
};
use proc_macro2::TokenStream;
use quote::quote;

use super::constants::Constants;
use super::defaults::default_value;
use crate::types::circles::Circles;
use crate::types::runtime::{chosen, instead};
use crate::types::rust_type::{TypeLocation, has_null_elements, is_json_map, rust_type};

const OPTIONAL: &str = "optional";
const NULLABLE: &str = "nullable";
const FITTING: &str = "fitting";

/// The collection type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One value.
    Plain,
    /// A list.
    List,
    /// The records of a page: one that does not decode must not lose the others.
    Records,
    /// A map.
    Map,
    /// A map of any JSON.
    JsonMap,
    /// Whatever was sent. It has a form for what is missing, and is never in an option.
    Loose,
}

impl Kind {
    /// Returns the collection type of a place.
    pub(super) fn of(place: &Place) -> Self {
        if chosen(place).is_some_and(|runtime| runtime.form == Form::Around) {
            return Self::Loose;
        }
        match &place.shape {
            _ if instead(place).is_some() => Self::Plain,
            Shape::List(_) => Self::List,
            Shape::Map(others) if is_json_map(others) => Self::JsonMap,
            Shape::Map(_) => Self::Map,
            Shape::Object(_) => Self::JsonMap,
            _ => Self::Plain,
        }
    }

    /// Returns the functions that read a collection.
    pub(super) fn collection(self, has_nulls: bool) -> Option<Collection> {
        Some(match self {
            Self::Plain | Self::Loose => return None,
            Self::List | Self::Map => Collection {
                read: "entries",
                optional: "some_entries",
                nullable: "nullable_entries",
                needed: match self {
                    _ if has_nulls => "null_as_default",
                    Self::List => "needed_list",
                    _ => "entries",
                },
                content: "content_entries",
            },
            Self::Records | Self::JsonMap => Collection {
                read: match self {
                    Self::Records => "null_as_default",
                    _ => FITTING,
                },
                optional: OPTIONAL,
                nullable: NULLABLE,
                needed: "null_as_default",
                content: "content",
            },
        })
    }
}

/// Returns whether a place is a list or a map that is read without the elements that do not match.
pub(crate) fn is_collection(place: &Place) -> bool {
    matches!(Kind::of(place), Kind::List | Kind::Map)
}

/// The functions that read a collection.
#[derive(Clone, Copy)]
pub(super) struct Collection {
    /// Reads it where a service may write `null`.
    pub(super) read: &'static str,
    /// Reads it in an option.
    optional: &'static str,
    /// Reads it where it may be absent and may be `null`.
    nullable: &'static str,
    /// Reads it where it leads to the records of a page.
    needed: &'static str,
    /// Reads it where it is the content of a response, and no `null`.
    pub(super) content: &'static str,
}

/// The form of a field without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    /// It always has one, or its type has an empty form.
    Plain,
    /// It is `None`.
    Option,
    /// It is absent or null, which differ in requests.
    Nullable,
}

/// A field of a struct.
pub(super) struct Field<'m> {
    /// Its property; `None` for the field of all other members.
    pub(super) property: Option<&'m Property>,
    pub(super) ident: syn::Ident,
    pub(super) kind: Kind,
    /// True if elements of the list or map may be null.
    has_nulls: bool,
    pub(super) hold: Hold,
    /// The type of a value.
    pub(super) inner: TokenStream,
    /// True if a value is boxed.
    pub(super) is_boxed: bool,
    /// The whole type.
    pub(super) ty: TokenStream,
    pub(super) presence: Presence,
    /// True if it may have no value, and no empty form.
    pub(super) was_option: bool,
    /// True if a request has to have it.
    pub(super) is_required: bool,
    /// The documented default of a required field, which callers need not give.
    pub(super) default: Option<TokenStream>,
    /// The function of the runtime that reads it, if there is a special one.
    pub(super) read: Option<&'static str>,
    /// True if it has a value without its member.
    pub(super) has_default: bool,
    /// True if its member is not written without a value.
    pub(super) is_omitted: bool,
}

impl<'m> Field<'m> {
    /// The fields of a struct.
    pub(super) fn all(
        model: &'m Model,
        schema: &'m Schema,
        object: &'m Object,
        circles: &Circles<'_>,
        constants: &Constants,
    ) -> Vec<Self> {
        let properties = object.properties.iter();
        let mut fields: Vec<Self> = properties
            .map(|property| match &property.place.constant {
                Some(value) => Self::constant(property, constants.field(value)),
                None => Self::of(model, schema, property, circles),
            })
            .collect();
        if let Others::Of(_) = &object.others {
            // It has no name on the wire, and may be called as a property is.
            let mut name = "extra".to_owned();
            while fields
                .iter()
                .any(|field| field.ident == names::ident(&name))
            {
                name.push('_');
            }
            let map = Place::of(Shape::Map(object.others.clone()));
            let ty = rust_type(&map, TypeLocation::Types(schema.usage));
            fields.push(Self {
                kind: Kind::of(&map),
                ..Self::plain(&name, ty)
            });
        }
        fields
    }

    /// A field of a value that may be absent, without a property.
    fn plain(name: &str, ty: TokenStream) -> Self {
        Self {
            property: None,
            ident: names::ident(name),
            kind: Kind::Plain,
            has_nulls: false,
            hold: Hold::Plain,
            inner: ty.clone(),
            is_boxed: false,
            ty,
            presence: Presence::Optional,
            was_option: false,
            is_required: false,
            default: None,
            read: None,
            has_default: false,
            is_omitted: false,
        }
    }

    /// A member with one value, which no one gives.
    fn constant(property: &'m Property, ty: TokenStream) -> Self {
        Self {
            property: Some(property),
            has_default: true,
            ..Self::plain(&property.field_name(), ty)
        }
    }

    /// Returns whether the type writes it by itself.
    pub(super) fn is_constant(&self) -> bool {
        self.property
            .is_some_and(|property| property.place.constant.is_some())
    }

    /// How a collection is read and written.
    pub(super) fn collection(&self) -> Option<Collection> {
        self.kind.collection(self.has_nulls)
    }

    fn of(
        model: &'m Model,
        schema: &'m Schema,
        property: &'m Property,
        circles: &Circles<'_>,
    ) -> Self {
        let place = &property.place;
        let is_boxed = circles.lead_back(&schema.name, place);
        let is_given = schema.usage.request && schema.requires(&property.name) && !place.nullable;
        let is_option = if has_empty_form(place) {
            schema.usage.request && place.nullable
        } else {
            !is_given
        };
        let presence = model.presence(schema, &property.name);
        // The records of a page are not within what is null.
        let is_read = model.is_needed(schema, &property.name);
        let location = TypeLocation::Types(Usage {
            request: schema.usage.request && !is_read,
            ..schema.usage
        });
        let kind = match Kind::of(place) {
            Kind::List if !is_option && is_paged(model, schema, property) => Kind::Records,
            kind => kind,
        };
        let inner = match (kind, &place.shape) {
            (Kind::Records, Shape::List(items)) => {
                let record = rust_type(items, location);
                quote!(::generated_client::Records<#record>)
            }
            _ => rust_type(place, location),
        };
        let held = if is_boxed {
            quote!(::std::boxed::Box<#inner>)
        } else {
            inner.clone()
        };
        let runtime = chosen(place).map(|runtime| runtime.form);
        let is_decoded = matches!(runtime, Some(Form::DecodedBy(_)));
        let states = States::of(model, schema, &property.name);
        let hold = match (states, kind) {
            _ if kind == Kind::Loose || presence.is_plain() => Hold::Plain,
            (Some(States::OrEither), _) if !is_decoded => Hold::Nullable,
            (Some(States::OrAbsent | States::OrNull), _) => Hold::Option,
            _ if is_option => Hold::Option,
            _ => Hold::Plain,
        };
        let is_required = hold == Hold::Plain && schema.insists_on(&property.name);
        let ty = match hold {
            Hold::Plain => held,
            Hold::Option => quote!(::std::option::Option<#held>),
            Hold::Nullable => quote!(::generated_client::values::Nullable<#held>),
        };
        let mut field = Self {
            property: Some(property),
            kind,
            has_nulls: has_null_elements(place),
            hold,
            inner,
            is_boxed,
            presence,
            was_option: is_option && kind != Kind::Loose,
            is_required,
            default: default_value(model, schema, property).filter(|_| is_required),
            ..Self::plain(&property.field_name(), ty)
        };
        field.tolerate(model, schema, property);
        field
    }

    fn read_or_default(&mut self, function: &'static str) {
        self.read = Some(function);
        self.has_default = true;
    }

    /// Sets how a missing value is read, and when a value is not written.
    fn tolerate(&mut self, model: &Model, schema: &Schema, property: &Property) {
        let (name, place) = (property.name.as_str(), &property.place);
        let insists = self.presence.is_plain();
        let is_promised = self.presence == Presence::Promised;
        // A member that a request must have is written as `null` if it has no value.
        let is_demanded = schema.usage.request && schema.requires(name);
        let collection = self.collection();
        if self.hold == Hold::Nullable {
            self.read_or_default(collection.map_or(NULLABLE, |one| one.nullable));
            self.is_omitted = true;
        } else if self.hold == Hold::Option {
            if let Some(Form::DecodedBy(decode)) = chosen(place).map(|runtime| runtime.form) {
                self.read_or_default(decode);
            } else if let Some(collection) = collection {
                self.read_or_default(collection.optional);
            } else if schema.usage.response && !model.is_needed(schema, name) {
                self.read_or_default(OPTIONAL);
            }
            self.is_omitted = !is_demanded;
        } else if let Some(collection) = collection {
            // A required list is written even when it is empty.
            if insists && !is_promised {
                if schema.is_content(name) {
                    self.read = Some(collection.content);
                }
            } else {
                self.read_or_default(if model.is_needed(schema, name) {
                    collection.needed
                } else {
                    collection.read
                });
                self.is_omitted = !insists;
            }
        } else if self.kind == Kind::Loose {
            self.has_default = true;
            self.is_omitted = !is_demanded;
        } else if is_promised && model.is_set_aside(schema, name) {
            self.read_or_default(FITTING);
        } else if self.presence == Presence::Certain && !schema.usage.request && reads_null(place) {
            self.read = Some("content");
        }
    }
}

/// Returns whether values without content are a value of their type: an empty list or map.
fn has_empty_form(place: &Place) -> bool {
    let is_collection = matches!(
        place.shape,
        Shape::List(_) | Shape::Tuple(_) | Shape::Map(_) | Shape::Object(_)
    );
    is_collection && instead(place).is_none()
}

/// Returns whether a property contains the records of a page.
pub(super) fn is_paged(model: &Model, schema: &Schema, property: &Property) -> bool {
    let mut lists = model.pages.iter().filter_map(|pages| pages.items.last());
    lists.any(|list| list.owner == schema.name && list.property == property.name)
}

/// Returns whether the type of a place keeps `null` as a value that was sent.
fn reads_null(place: &Place) -> bool {
    instead(place).is_some_and(|runtime| runtime.form == Form::Instead)
}
