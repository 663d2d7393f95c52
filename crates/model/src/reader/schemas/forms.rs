//! The normal forms of schemas.

use std::rc::Rc;

use serde_json::Value;

use super::gather::{Gathered, Located};
use crate::{Scalar, Tag};

/// The normal form of a schema.
pub(super) enum Form<'s> {
    /// Any JSON.
    Any,
    /// A runtime type, which an override has chosen for values of this form.
    Chosen(Box<Form<'s>>),
    /// A string, a number or a boolean.
    Scalar(Scalar),
    /// A list.
    List,
    /// A list of a fixed length, in which each element has its form.
    Tuple,
    /// An object whose members have no names.
    Map,
    /// One of these strings; with `open` any other too.
    Texts { values: Vec<&'s str>, open: bool },
    /// An object with properties.
    Object,
    /// One of several forms.
    Union(Union<'s>),
    /// The same as another schema.
    One(Located<'s>),
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
pub(super) struct Formed<'s> {
    pub(super) gathered: Gathered<'s>,
    pub(super) form: Form<'s>,
}

/// A schema that is one of several forms.
pub(super) struct Union<'s> {
    pub(super) alternatives: Vec<Alternative<'s>>,
    pub(super) tag: Option<Tag>,
}

/// One of them.
pub(super) enum Alternative<'s> {
    /// A schema.
    Schema(Located<'s>),
    /// The merged values of several string schemas.
    Texts { values: Vec<&'s str>, open: bool },
    /// A scalar, merged from several schemas.
    Scalar(Scalar),
    /// A child, to which no reference leads.
    Child(Located<'s>),
    /// A parent without its children, which are alternatives beside it.
    Itself(Located<'s>),
    /// An alternative with the members that are beside the alternatives.
    Extended(Located<'s>, Box<Formed<'s>>),
}

impl<'s> Alternative<'s> {
    /// Returns the schema of the alternative, if it is one.
    pub(super) fn located(&self) -> Option<&Located<'s>> {
        match self {
            Self::Schema(located)
            | Self::Child(located)
            | Self::Itself(located)
            | Self::Extended(located, _) => Some(located),
            Self::Texts { .. } | Self::Scalar(_) => None,
        }
    }
}

/// An alternative of the document, resolved.
pub(super) struct Choice<'s> {
    pub(super) schema: &'s Value,
    pub(super) pointer: String,
    /// Its name in the document, if it is not written out here.
    pub(super) name: Option<String>,
    /// True if its children are alternatives beside it.
    pub(super) is_itself: bool,
    /// The discriminator of its family.
    pub(super) chosen_by: Option<&'s Value>,
    /// The alternative without a name whose family it is of: its members are also those of each child.
    pub(super) within: Option<Rc<Gathered<'s>>>,
}
