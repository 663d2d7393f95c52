//! What a schema says, in one place: [`read`] follows its references, merges its `allOf`, peels wrappers of one alternative or of null, and
//! drops keywords without meaning. It takes a [`Site`] of a [`Document`] in any spelling of 3.0 or 3.1, and returns a [`Reading`], which
//! answers:
//!
//! | question | answer |
//! |---|---|
//! | which types and values, and null | `types`, `null`, `enum_values` |
//! | which members, required or not, and which others | [`Reading::members`], [`Reading::further`], [`directions`] |
//! | which alternatives, and the tags that choose them | `choices`, `children`, [`Choice::alternatives`] |
//! | which bounds, the tightest of all that apply | [`Reading::bound`] |
//! | which schema gives the form, and which are around it | [`Extensions::follow`] |
//! | which locations lead to the schema of one | [`resolution_path()`] |
//! | which schemas hold at once, each as written; and which may | [`parts`], [`choices()`], [`described`] |
//! | which schemas say the same | [`is_same`], [`fingerprint()`] |
//!
//! It never fails: a reference that cannot be followed is listed in the reading, and a schema that exceeds the one limit is cut: the reading and
//! the document say so.

mod bounds;
mod children;
mod choice;
mod direction;
mod document;
mod family;
mod fingerprint;
mod follow;
mod formats;
mod keywords;
mod meaning;
mod member;
mod nested;
mod parts;
mod path;
mod plain;
mod pointers;
mod read;
mod same;
mod site;
pub mod types;
mod wrapper;

pub use bounds::{BOUNDS, Bound, Limit, MAXIMUM, MINIMUM, whole};
pub use choice::{Alternative, Choice};
pub use direction::{Directions, directions};
pub use document::{Document, Found, LIMIT, Unresolved, component_schemas, referring};
pub use fingerprint::fingerprint;
pub use follow::{Extensions, Followed};
pub use formats::{is_of_bytes, is_of_text, limits};
pub use keywords::{is_wrapping, leads_on, leaves_open, names_types};
pub use meaning::Reading;
pub use member::{Further, Member};
pub use parts::{CHOICES, choices, described, only_choice, parts};
pub use path::{allows_all, resolution_path};
pub use plain::{EnumValue, is_null};
pub use read::read;
pub use same::is_same;
pub use site::{Parts, Site};
pub use wrapper::{Peeled, peel};
