//! Sample data, and how an operation's arguments lead to it. Fixtures stand in `data/*.json`, or in a folder of the user's; what comes in bulk
//! is made from their templates.
//!
//! Bodies leave here without `credits_consumed` and the echo of paging parameters; the caller adds them. They hold what they hold whatever the document says: `fitting` brings the two together.

mod addition;
pub(crate) mod calendar;
mod companies;
mod crowd;
mod enrichment;
mod fixtures;
mod headcount;
mod industries;
mod jobs;
mod news;
mod posts;
mod reviews;
mod samples;
mod template;
mod world;

pub(crate) use companies::{hash, uuid};
pub(crate) use fixtures::Fixtures;
pub(crate) use world::World;
