//! The normal forms of schemas.

use std::rc::Rc;

use serde_json::Value;

use super::gather::Gathered;
use crate::{Scalar, Tag};

/// The normal form of a schema.
pub(super) enum Form<'d> {
    /// Any JSON.
    Any,
    /// A runtime type, which an override has chosen for values of this form.
    Chosen(Box<Form<'d>>),
    /// A string, a number or a boolean.
    Scalar(Scalar),
    /// A list.
    List,
    /// A list of a fixed length, in which each element has its form.
    Tuple,
    /// An object whose members have no names.
    Map,
    /// One of these strings; with `open` any other too.
    Texts { values: Vec<&'d str>, open: bool },
    /// An object with properties.
    Object,
    /// One of several forms.
    Union(Union<'d>),
    /// The same as another schema.
    One(&'d Value),
}

impl Form<'_> {
    /// Returns whether types of this form have names.
    pub(super) fn is_named(&self) -> bool {
        matches!(
            self,
            Self::Texts { .. } | Self::Object | Self::Tuple | Self::Union(_)
        )
    }

    /// Returns the title of a form that is the same at many places, which have nothing else in common: a number of either kind.
    pub(super) fn title(&self) -> Option<&'static str> {
        let Self::Union(union) = self else {
            return None;
        };
        matches!(
            union.alternatives.as_slice(),
            [
                Alternative::Scalar(Scalar::Integer),
                Alternative::Scalar(Scalar::Number)
            ]
        )
        .then_some("Integer or number")
    }
}

/// A schema with its form.
pub(super) struct Formed<'d> {
    pub(super) gathered: Gathered<'d>,
    pub(super) form: Form<'d>,
}

/// A schema that is one of several forms.
pub(super) struct Union<'d> {
    pub(super) alternatives: Vec<Alternative<'d>>,
    pub(super) tag: Option<Tag>,
}

/// One of them.
pub(super) enum Alternative<'d> {
    /// A schema.
    Schema(&'d Value),
    /// The merged values of several string schemas.
    Texts { values: Vec<&'d str>, open: bool },
    /// A scalar, merged from several schemas.
    Scalar(Scalar),
    /// A child, to which no reference leads.
    Child(&'d Value),
    /// A parent without its children, which are alternatives beside it.
    Itself(&'d Value),
    /// An alternative with the members that are beside the alternatives.
    Extended(&'d Value, Box<Formed<'d>>),
}

impl<'d> Alternative<'d> {
    /// Returns the schema of the alternative, if it is one.
    pub(super) fn schema(&self) -> Option<&'d Value> {
        match self {
            Self::Schema(schema)
            | Self::Child(schema)
            | Self::Itself(schema)
            | Self::Extended(schema, _) => Some(schema),
            Self::Texts { .. } | Self::Scalar(_) => None,
        }
    }
}

/// An alternative of the document, resolved.
pub(super) struct Choice<'d> {
    pub(super) schema: &'d Value,
    /// Its name in the document, if it is not written out here.
    pub(super) name: Option<String>,
    /// True if its children are alternatives beside it.
    pub(super) is_itself: bool,
    /// The discriminator of its family.
    pub(super) chosen_by: Option<&'d Value>,
    /// The discriminator of the union among the alternatives that it is an alternative of.
    pub(super) nested_by: Option<&'d Value>,
    /// The outermost union among the alternatives that it is an alternative of.
    pub(super) union: Option<&'d Value>,
    /// The alternative without a name whose family it is of: its members are also those of each child.
    pub(super) within: Option<Rc<Gathered<'d>>>,
}
