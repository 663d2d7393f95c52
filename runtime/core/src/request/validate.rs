//! Checks of arguments before anything is sent: those of a [`Request`], and the parts of a [`Multipart`]. As in their other methods, the
//! first refusal is kept.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt::Display;

use serde::Serialize;

#[cfg(feature = "formats")]
use crate::request::format::TextFormat;
#[cfg(feature = "multipart")]
use crate::request::multipart::Multipart;
#[cfg(feature = "patterns")]
use crate::request::pattern::Pattern;
use crate::request::request::Request;
#[cfg(feature = "formats")]
use crate::values::{Format, Native};

/// Returns why there are too few or too many parts of a value, as the end of a sentence; `None` if there are not.
fn miscount(count: usize, of: &str, min: Option<usize>, max: Option<usize>) -> Option<String> {
    match (min, max) {
        (Some(min), _) if count < min => {
            Some(format!("has {count} {of}, fewer than its minimum {min}"))
        }
        (_, Some(max)) if count > max => {
            Some(format!("has {count} {of}, more than its maximum {max}"))
        }
        _ => None,
    }
}

/// The bounds of values.
macro_rules! bounds {
    ($type:ident) => {
        #[doc(hidden)]
        impl $type {
            /// Refuses a number outside of its inclusive bounds.
            pub fn require_range<T: PartialOrd + Display + Copy>(
                &mut self,
                name: &str,
                value: T,
                min: Option<T>,
                max: Option<T>,
            ) -> &mut Self {
                // With `is_none_or`, values that cannot be compared (NaN) are out of bounds.
                if let Some(min) = min
                    && value.partial_cmp(&min).is_none_or(Ordering::is_lt)
                {
                    return self.refuse(name, format!("is {value}, below its minimum {min}"));
                }
                if let Some(max) = max
                    && value.partial_cmp(&max).is_none_or(Ordering::is_gt)
                {
                    return self.refuse(name, format!("is {value}, above its maximum {max}"));
                }
                self
            }

            /// Refuses what JSON cannot write as a number.
            pub fn require_finite(&mut self, name: &str, value: f64) -> &mut Self {
                if value.is_finite() {
                    self
                } else {
                    self.refuse(name, format!("is {value}, which is not a number"))
                }
            }

            /// Refuses a number outside of its exclusive bounds.
            pub fn require_between<T: PartialOrd + Display + Copy>(
                &mut self,
                name: &str,
                value: T,
                above: Option<T>,
                below: Option<T>,
            ) -> &mut Self {
                if let Some(above) = above
                    && value.partial_cmp(&above) != Some(Ordering::Greater)
                {
                    return self.refuse(name, format!("is {value}, and has to be above {above}"));
                }
                if let Some(below) = below
                    && value.partial_cmp(&below) != Some(Ordering::Less)
                {
                    return self.refuse(name, format!("is {value}, and has to be below {below}"));
                }
                self
            }

            /// Refuses a whole number that is not a multiple of another one.
            pub fn require_multiple(
                &mut self,
                name: &str,
                value: impl Into<i128>,
                of: i128,
            ) -> &mut Self {
                let value = value.into();
                match value.checked_rem(of) {
                    Some(0) | None => self,
                    Some(_) => self.refuse(name, format!("is {value}, not a multiple of {of}")),
                }
            }

            /// Refuses a number that is not a multiple of another one, within the precision of both: 0.3 is a multiple of 0.1.
            pub fn require_multiple_of(&mut self, name: &str, value: f64, of: f64) -> &mut Self {
                let times = value / of;
                // Each of the three numbers is off by at most half a unit in its last place.
                let is_whole = (times - times.round()).abs() <= times.abs() * 2.0 * f64::EPSILON;
                if is_whole || of == 0.0 {
                    self
                } else {
                    self.refuse(name, format!("is {value}, not a multiple of {of}"))
                }
            }

            /// Refuses a list with too few or too many elements. An absent optional list counts as empty and is not sent.
            pub fn require_items(
                &mut self,
                name: &str,
                count: usize,
                min: Option<usize>,
                max: Option<usize>,
            ) -> &mut Self {
                match miscount(count, "elements", min, max) {
                    Some(problem) => self.refuse(name, problem),
                    None => self,
                }
            }

            /// Refuses a list in which an element occurs twice.
            pub fn require_unique<T: Serialize>(&mut self, name: &str, items: &[T]) -> &mut Self {
                let mut seen = BTreeSet::new();
                // An element that cannot be serialized is refused when it is sent.
                let mut written = items
                    .iter()
                    .filter_map(|item| serde_json::to_string(item).ok());
                if written.all(|item| seen.insert(item)) {
                    self
                } else {
                    self.refuse(name, "has an element twice")
                }
            }

            /// Refuses a string with too few or too many characters.
            pub fn require_length(
                &mut self,
                name: &str,
                value: &str,
                min: Option<usize>,
                max: Option<usize>,
            ) -> &mut Self {
                let length = value.chars().count();
                match miscount(length, "characters", min, max) {
                    Some(_) if length == 0 => self.refuse(name, "is empty"),
                    Some(problem) => self.refuse(name, problem),
                    None => self,
                }
            }
        }
    };
}

/// The formats of strings.
#[cfg(feature = "formats")]
macro_rules! formats {
    ($type:ident) => {
        #[doc(hidden)]
        impl $type {
            /// Refuses a string that does not match a format. The message does not repeat it: it may be a misplaced key.
            pub fn require_format(
                &mut self,
                name: &str,
                value: &str,
                format: TextFormat,
            ) -> &mut Self {
                if format.takes(value) {
                    self
                } else {
                    self.refuse(name, format!("is not {}", format.expected()))
                }
            }

            /// Refuses a [`Native`](crate::values::Native) that holds no valid value: the service sent something else.
            pub fn require_native<T: Format>(
                &mut self,
                name: &str,
                value: &Native<T>,
            ) -> &mut Self {
                if value.get().is_some() {
                    self
                } else {
                    self.refuse(name, format!("is not {}", T::EXPECTED))
                }
            }
        }
    };
}

/// The patterns of strings.
#[cfg(feature = "patterns")]
macro_rules! patterns {
    ($type:ident) => {
        #[doc(hidden)]
        impl $type {
            /// Refuses a string in which the pattern does not occur.
            pub fn require_pattern(
                &mut self,
                name: &str,
                value: &str,
                pattern: &Pattern,
            ) -> &mut Self {
                if pattern.is_in(value) {
                    self
                } else {
                    let source = pattern.source();
                    self.refuse(name, format!("does not match the pattern `{source}`"))
                }
            }
        }
    };
}

bounds!(Request);
#[cfg(feature = "formats")]
formats!(Request);
#[cfg(feature = "patterns")]
patterns!(Request);
#[cfg(feature = "multipart")]
bounds!(Multipart);
#[cfg(all(feature = "formats", feature = "multipart"))]
formats!(Multipart);
#[cfg(all(feature = "multipart", feature = "patterns"))]
patterns!(Multipart);
