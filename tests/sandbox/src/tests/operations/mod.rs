//! Tests about one operation, in the file with its name in Rust. Tests about anything else are not here.

mod employee_reviews;
mod industry_search;
mod news;
mod product_reviews;
mod social_posts;
