//! Tests about one operation, in the file with its name in Rust. Tests about anything else are not here.

mod industry_search;
mod news;
mod product_reviews;
