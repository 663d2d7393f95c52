//! What a team decided about changes: other verdicts by rule and place, waivers with a reason and an end, and what announced removals and
//! changes of unstable operations are worth. A file is read strictly; what it says of nothing is reported. Today is given: nothing here asks a
//! clock.

mod accept;
mod apply;
mod model;

pub use accept::{Accepted, accept, reached, with_waivers};
pub use model::{Policy, read};
