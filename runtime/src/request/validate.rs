//! What a document says about arguments, checked before money is spent. Like the other methods of [`Request`], these keep the first refusal.

use std::cmp::Ordering;
use std::fmt::Display;

use crate::request::request::Request;

impl Request {
    /// Refuses a number outside of its inclusive bounds.
    pub fn require_range<T: PartialOrd + Display + Copy>(
        &mut self,
        name: &str,
        value: T,
        min: Option<T>,
        max: Option<T>,
    ) -> &mut Self {
        // `is_none_or`: what cannot be compared, NaN, is inside of no bounds.
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

    /// Refuses a text with too few or too many characters.
    pub fn require_length(
        &mut self,
        name: &str,
        value: &str,
        min: Option<usize>,
        max: Option<usize>,
    ) -> &mut Self {
        let length = value.chars().count();
        if let Some(min) = min
            && length < min
        {
            return match length {
                0 => self.refuse(name, "is empty"),
                _ => self.refuse(
                    name,
                    format!("has {length} characters, fewer than its minimum {min}"),
                ),
            };
        }
        if let Some(max) = max
            && length > max
        {
            return self.refuse(
                name,
                format!("has {length} characters, more than its maximum {max}"),
            );
        }
        self
    }

    /// Refuses an argument that does nothing without another one.
    pub fn require_together(
        &mut self,
        name: &str,
        given: bool,
        needs: &str,
        needs_given: bool,
    ) -> &mut Self {
        if !given || needs_given {
            return self;
        }
        self.refuse(name, format!("has no effect without `{needs}`"))
    }

    /// Refuses a run through pages without the argument that makes them.
    pub fn require_for_pages(&mut self, name: &str, given: bool) -> &mut Self {
        if given {
            return self;
        }
        self.refuse(name, "is missing, and without it there are no pages")
    }

    /// Refuses a run through pages without records.
    pub fn require_page_size(&mut self, name: &str, size: Option<u64>) -> &mut Self {
        if size != Some(0) {
            return self;
        }
        let problem = match self.has_query(name) {
            true => "is 0, and such pages have no records: ask for at least 1",
            false => "is not given and 0 by default, and such pages have no records: give it",
        };
        self.refuse(name, problem)
    }
}
