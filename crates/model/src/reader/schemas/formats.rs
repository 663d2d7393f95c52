//! String formats as types: unchecked strings, checked strings, or a type of another crate.

use crate::extensions::Types;
use crate::{Place, RuntimeType, TextFormat};

/// Settings for the formats of a document.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::reader) struct Formats {
    pub(in crate::reader) types: Types,
    /// True if calls cost credits: a value to be sent is then not refused for its format.
    pub(in crate::reader) is_metered: bool,
}

impl Formats {
    /// Gives a place the type of its format, or the check. Enumerations have neither, nor has what an override gives a type. A schema with a
    /// name gets the check: a UUID with a name is an identifier type.
    pub(super) fn apply(self, mut place: Place, is_named: bool) -> Place {
        let is_plain = place.is_any_string() && place.rust_type.is_none();
        let format = place.format.as_deref().filter(|_| is_plain);
        let Some((written, format)) = format.and_then(|written| Some((written, read(written)?)))
        else {
            return place;
        };
        match self.types.feature(format) {
            Some("") => {}
            Some(feature) if !is_named => place.native = RuntimeType::native(written, feature),
            None if self.is_metered => {}
            _ => place.bounds.format = Some(format),
        }
        place
    }
}

fn read(format: &str) -> Option<TextFormat> {
    match format {
        "date" => Some(TextFormat::Date),
        "date-time" => Some(TextFormat::DateTime),
        _ => {
            let runtime = RuntimeType::of_format(format);
            runtime
                .is_some_and(RuntimeType::is_uuid)
                .then_some(TextFormat::Uuid)
        }
    }
}
