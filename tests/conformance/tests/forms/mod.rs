//! Where the reference disagrees with itself: the published form decodes, the observed one does, and both at once.

mod enum_values;
mod names;
mod other_types;
mod texts;
