//! Choices between alternatives.

mod groups;
