//! Sample data, and how an operation's arguments lead to it. Fixtures stand in `data/*.json`; what comes in bulk is made from their templates.
//!
//! Bodies leave here without `credits_consumed` and the echo of paging parameters; the caller adds them.

mod addition;
mod calendar;
mod companies;
mod enrichment;
mod headcount;
mod industries;
mod jobs;
mod news;
mod posts;
mod reviews;
mod template;
mod world;

pub(crate) use world::World;
