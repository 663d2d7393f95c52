//! A team's policy on changes: other verdicts by rule and location, waivers with a reason and an end date, and verdicts on announced removals
//! and on changes of unstable operations. A file is read strictly; entries that match nothing are reported. The date is passed in: this module
//! reads no clock.

mod apply;
mod model;

pub use model::{Policy, read};
