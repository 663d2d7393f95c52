//! Sample data, selected by an operation's arguments. Fixtures are in `data/*.json`, or in a folder of the user; bulk data
//! is made from their templates.
//!
//! Bodies lack `credits_consumed` and the paging parameters, which the caller adds. They ignore the document; `fitting` adapts them to it.

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
