//! Tests about one operation, in the file with its name in Rust. Tests about anything else are not here.

mod add_company;
mod company_search;
mod employee_reviews;
mod enrichment;
mod headcount_trends;
mod industry_search;
mod job_posts;
mod news;
mod product_reviews;
mod request_status;
mod social_posts;
