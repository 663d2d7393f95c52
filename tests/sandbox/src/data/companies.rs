//! The companies, the references to them, and the search for them.

use std::ops::{Range, RangeInclusive};

use anyhow::{Result, ensure};
use serde::Deserialize;
use serde_json::{Value, json};

/// A company, and the amount of each kind of data about it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Company {
    /// Identifier in responses: a UUID or a short string.
    pub(super) uuid: String,
    /// Identifier of the other form.
    pub(super) also_known_as: String,
    pub(super) name: String,
    pub(super) legal_name: String,
    pub(super) domain: String,
    pub(super) product_category: String,
    pub(super) company_status: String,
    pub(super) founded_year: u64,
    pub(super) headcount_range: String,
    /// Keeps record identifiers of different companies apart.
    pub(super) seed: u64,
    pub(super) employees: i64,
    /// Monthly growth of the headcount.
    pub(super) growth_per_mille: i64,
    pub(super) articles: usize,
    pub(super) jobs: usize,
    pub(super) posts: usize,
    pub(super) employee_reviews: usize,
    /// Number of reviews of each product.
    pub(super) product_reviews: Vec<usize>,
}

/// Monthly growth rates that leave employees in the two years of a response.
pub(super) const GROWTH: RangeInclusive<i64> = -1_000..=40;
/// Maximum number of records of one kind per company: record identifiers have no room for more.
const MOST: usize = 1_000;
/// Seeds of companies that are added by callers or drawn.
pub(super) const TAKEN: Range<u64> = 200..10_000;

impl Company {
    /// Checks that responses can be made from the company.
    pub(super) fn check(&self) -> Result<()> {
        let name = &self.name;
        ensure!(
            domain(&self.domain).as_ref() == Some(&self.domain),
            "`{name}` has a `domain` in small letters, without `www.` and what stands around it in an address"
        );
        let employees = 0..=1_000_000_000;
        ensure!(
            employees.contains(&self.employees) && GROWTH.contains(&self.growth_per_mille),
            "`{name}` has up to a billion `employees`, and a `growth_per_mille` from {} to {}",
            GROWTH.start(),
            GROWTH.end()
        );
        ensure!(
            self.seed < 1_000_000_000 && !TAKEN.contains(&self.seed),
            "`{name}` has a `seed` below {}, or from {} to a billion",
            TAKEN.start,
            TAKEN.end
        );
        let own = [self.articles, self.jobs, self.posts, self.employee_reviews];
        let mut counts = own.iter().chain(&self.product_reviews);
        ensure!(
            counts.all(|count| *count <= MOST),
            "`{name}` has up to {MOST} of everything"
        );
        Ok(())
    }

    /// Returns a company with few known facts.
    pub(super) fn added(name: &str, domain: &str) -> Self {
        let number = hash(domain);
        Self {
            uuid: uuid(number),
            also_known_as: format!("{:08x}", number & 0xffff_ffff),
            name: name.to_owned(),
            legal_name: name.to_owned(),
            domain: domain.to_owned(),
            product_category: "Uncategorised".to_owned(),
            company_status: "unknown".to_owned(),
            founded_year: 2020,
            headcount_range: "11-50".to_owned(),
            seed: 1_000 + number % 9_000,
            employees: 25,
            growth_per_mille: 5,
            articles: 3,
            jobs: 2,
            posts: 1,
            employee_reviews: 1,
            product_reviews: vec![1],
        }
    }

    pub(super) fn website(&self) -> String {
        format!("https://{}", self.domain)
    }

    /// Returns whether the reference is one of the company's identifiers, its domain, or a URL on it.
    pub(super) fn is_meant_by(&self, reference: &str) -> bool {
        let reference = reference.trim();
        [&self.uuid, &self.also_known_as]
            .iter()
            .any(|id| id.eq_ignore_ascii_case(reference))
            || domain(reference).as_ref() == Some(&self.domain)
    }

    pub(super) fn search_result(&self) -> Value {
        json!({
            "name": self.name,
            "website": self.website(),
            "product_category": self.product_category,
            "company_status": self.company_status,
            "uuid": self.uuid,
        })
    }
}

/// Returns the companies that the query refers to, or whose name contains it.
pub(super) fn search(companies: &[Company], query: &str) -> Value {
    let part = query.trim().to_lowercase();
    let matches = |company: &&Company| {
        let name = company.name.to_lowercase();
        company.is_meant_by(query) || (!part.is_empty() && name.contains(&part))
    };
    let found = companies.iter().filter(matches).map(Company::search_result);
    json!({ "data": found.collect::<Vec<_>>() })
}

/// Returns the domain of a website, given as a domain or a URL; `None` for any other string.
pub(super) fn domain(website: &str) -> Option<String> {
    let website = website.trim();
    let rest = website
        .split_once("://")
        .map_or(website, |(_, after)| after);
    let host = rest.split(['/', '?', '#', ':']).next()?.to_lowercase();
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let is_domain = host.contains('.') && !host.contains(char::is_whitespace);
    (is_domain && !host.starts_with('.') && !host.ends_with('.')).then(|| host.to_owned())
}

/// Returns the FNV-1a hash, which is the same on every machine.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Formats a number as a version 4 UUID.
pub(crate) fn uuid(number: u64) -> String {
    let (high, low) = (number >> 32, number & 0xffff_ffff);
    let (second, third) = (low >> 16, low & 0xfff);
    format!("{high:08x}-{second:04x}-4{third:03x}-8000-{low:012x}")
}
