//! The sign and the width of whole numbers.

use serde_json::Number;

use super::model::Model;
use super::place::{Place, Shape};
use super::schema::{Schema, Usage};

/// The type of whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    /// `i32`.
    I32,
    /// `i64`.
    I64,
    /// `u32`.
    U32,
    /// `u64`.
    U64,
}

impl Integer {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::I32 => "i32",
            Self::I64 => "i64",
            Self::U32 => "u32",
            Self::U64 => "u64",
        }
    }

    /// Returns whether it has no negative numbers.
    pub fn is_unsigned(self) -> bool {
        matches!(self, Self::U32 | Self::U64)
    }

    /// Returns whether a number is one of its values.
    pub fn has(self, number: i128) -> bool {
        match self {
            Self::I32 => i32::try_from(number).is_ok(),
            Self::I64 => i64::try_from(number).is_ok(),
            Self::U32 => u32::try_from(number).is_ok(),
            Self::U64 => u64::try_from(number).is_ok(),
        }
    }
}

impl Integer {
    /// Returns the type of integers at a place, in values of a schema with this usage.
    ///
    /// For values that only callers send, the document decides. The type is unsigned if the minimum is not negative, and 32 bits wide if
    /// the format is and no bound is beyond. Values from a service are read whatever their bounds: a number outside them would cost a
    /// response. Only a maximum that `i64` lacks makes them unsigned, without a negative minimum.
    pub fn of(place: &Place, usage: Usage) -> Self {
        let format = place.format.as_deref().unwrap_or_default();
        let bounds = &place.bounds;
        let minimum = bounds.minimum.as_ref().and_then(Number::as_f64);
        if usage.response {
            let maximum = bounds.maximum.as_ref().and_then(Number::as_f64);
            let is_beyond = maximum.is_some_and(|maximum| maximum > i64::MAX as f64)
                && minimum.is_none_or(|minimum| minimum >= 0.0);
            return if format == "uint64" || is_beyond {
                Self::U64
            } else {
                Self::I64
            };
        }
        let above = bounds.above.as_ref().and_then(Number::as_f64);
        let is_unsigned = format.starts_with("uint")
            || minimum.is_some_and(|minimum| minimum >= 0.0)
            || above.is_some_and(|above| above >= -1.0);
        let (narrow, wide) = if is_unsigned {
            (Self::U32, Self::U64)
        } else {
            (Self::I32, Self::I64)
        };
        let is_narrow = ["8", "16", "32"]
            .map(|bits| format.strip_suffix(bits))
            .into_iter()
            .flatten()
            .any(|kind| kind == "int" || kind == "uint");
        let listed: &[_] = match &place.shape {
            Shape::Scalar { listed, .. } => listed,
            _ => &[],
        };
        let known = [
            &bounds.minimum,
            &bounds.maximum,
            &bounds.above,
            &bounds.below,
        ];
        let known = known.into_iter().flatten().filter_map(Number::as_i128);
        let mut known = known.chain(
            listed
                .iter()
                .filter_map(|value| value.as_i64().map(i128::from)),
        );
        if is_narrow && known.all(|number| narrow.has(number)) {
            narrow
        } else {
            wide
        }
    }

    /// Returns the type of integers at a place in a schema. A named schema has one for all of its places.
    pub fn at(model: &Model, owner: &Schema, place: &Place) -> Self {
        match model.referenced(place) {
            Some(named) => Self::of(&named.place, named.usage),
            None => Self::of(place, owner.usage),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bounds::Constraints;
    use super::*;

    #[test]
    fn what_callers_give_has_the_sign_and_the_width_of_the_document() {
        let sent = Usage {
            request: true,
            response: false,
        };
        let received = Usage {
            request: true,
            response: true,
        };
        for (format, minimum, maximum, expected) in [
            ("", None, None, Integer::I64),
            ("", Some(0), None, Integer::U64),
            ("", Some(-1), None, Integer::I64),
            ("int64", Some(1), Some(7), Integer::U64),
            ("int32", None, None, Integer::I32),
            ("int32", Some(0), None, Integer::U32),
            ("uint16", None, None, Integer::U32),
            ("int32", Some(0), Some(1_i64 << 40), Integer::U64),
            ("double", Some(0), None, Integer::U64),
        ] {
            let place = Place {
                format: Some(format.to_owned()),
                bounds: Constraints {
                    minimum: minimum.map(Number::from),
                    maximum: maximum.map(Number::from),
                    ..Constraints::default()
                },
                ..Place::default()
            };
            assert_eq!(Integer::of(&place, sent), expected, "{format}");
            assert_eq!(Integer::of(&place, received), Integer::I64, "{format}");
        }
        let mut place = Place::default();
        place.bounds.maximum = Some(Number::from(u64::MAX));
        assert_eq!(Integer::of(&place, received), Integer::U64);
        place.bounds.minimum = Some(Number::from(-1));
        assert_eq!(Integer::of(&place, received), Integer::I64);
    }
}
