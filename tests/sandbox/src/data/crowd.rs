//! Many companies drawn by a seed, with enough data to page through. The same seed draws the same companies on every machine.

use fastrand::Rng;

use crate::data::companies::{Company, TAKEN, hash, uuid};

/// Number of companies of a large world, including those of the small one.
const COMPANIES: usize = 300;
const ARTICLES: usize = 10_000;
const JOBS: usize = 5_000;
const POSTS: usize = 4_000;
const REVIEWS: usize = 6_000;
/// First seed of drawn companies; those of additions are above.
const FIRST: u64 = TAKEN.start;

const NAMES: [&str; 28] = [
    "Alder", "Basalt", "Beacon", "Birch", "Canyon", "Cobalt", "Copper", "Delta", "Ember", "Fjord",
    "Granite", "Harvest", "Indigo", "Juniper", "Kestrel", "Lantern", "Maple", "Meridian", "Nimbus",
    "Ochre", "Orchard", "Pinnacle", "Prairie", "Saffron", "Summit", "Tidal", "Umber", "Willow",
];
/// Trades, each with its category.
const TRADES: [(&str, &str); 14] = [
    ("Analytics", "Data and Analytics"),
    ("Biotech", "Life Sciences"),
    ("Cloud", "Cloud Infrastructure"),
    ("Energy", "Energy"),
    ("Foods", "Food and Beverage"),
    ("Freight", "Transport and Logistics"),
    ("Health", "Health Care"),
    ("Learning", "Education"),
    ("Machines", "Industrial Automation"),
    ("Materials", "Materials"),
    ("Payments", "Financial Services"),
    ("Retail", "Retail"),
    ("Security", "Security"),
    ("Software", "Developer Tools"),
];
const STATUSES: [&str; 5] = ["private", "public", "acquired", "delisted", "unknown"];
/// Minimum number of employees of each range.
const RANGES: [(i64, &str); 8] = [
    (10_001, "10001+"),
    (5_001, "5001-10000"),
    (1_001, "1001-5000"),
    (501, "501-1000"),
    (201, "201-500"),
    (51, "51-200"),
    (11, "11-50"),
    (1, "1-10"),
];

/// Adds companies until the world is large. A few have most of the data.
pub(super) fn enlarge(companies: &mut Vec<Company>, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let names = NAMES
        .iter()
        .flat_map(|name| TRADES.iter().map(move |trade| (*name, *trade)));
    let mut names: Vec<_> = names.collect();
    random.shuffle(&mut names);
    names.truncate(COMPANIES.saturating_sub(companies.len()));
    let count = names.len();
    let left = |all: usize, of: fn(&Company) -> usize| {
        let there: usize = companies.iter().map(of).sum();
        shares(all.saturating_sub(there), count)
    };
    let articles = left(ARTICLES, |company| company.articles);
    let jobs = left(JOBS, |company| company.jobs);
    let posts = left(POSTS, |company| company.posts);
    let reviews = left(REVIEWS, |company| company.employee_reviews);
    let shares = articles
        .into_iter()
        .zip(jobs)
        .zip(posts.into_iter().zip(reviews));
    for (number, ((name, trade), share)) in (FIRST..).zip(names.into_iter().zip(shares)) {
        let ((articles, jobs), (posts, employee_reviews)) = share;
        let drawn = company(&mut random, number, name, trade);
        companies.push(Company {
            articles,
            jobs,
            posts,
            employee_reviews,
            product_reviews: vec![employee_reviews, employee_reviews / 2, 0],
            ..drawn
        });
    }
}

fn company(random: &mut Rng, number: u64, first: &str, trade: (&str, &str)) -> Company {
    let (kind, category) = trade;
    let name = format!("{first} {kind}");
    let domain = format!("{}.example", name.to_lowercase().replace(' ', "-"));
    let id = hash(&domain);
    let (long, short) = (uuid(id), format!("{:08x}", id & 0xffff_ffff));
    // Services use identifiers of both forms.
    let (uuid, also_known_as) = if number.is_multiple_of(3) {
        (short, long)
    } else {
        (long, short)
    };
    let employees = 10_i64.saturating_pow(random.u32(0..4)) * random.i64(3..20);
    let range = RANGES.iter().find(|(least, _)| employees >= *least);
    let status = random.choice(STATUSES).unwrap_or("unknown");
    Company {
        uuid,
        also_known_as,
        legal_name: format!("{name} Ltd."),
        domain,
        product_category: category.to_owned(),
        company_status: status.to_owned(),
        founded_year: random.u64(1950..2024),
        headcount_range: range.map_or("unknown", |(_, range)| range).to_owned(),
        seed: number,
        employees,
        growth_per_mille: random.i64(-10..30),
        name,
        ..Company::added("", "")
    }
}

/// Splits a number: the second part gets two thirds of the first, the third a half, and so on.
fn shares(all: usize, parts: usize) -> Vec<usize> {
    let weight = |rank: usize| 1.0 / (rank as f64 + 2.0);
    let sum: f64 = (0..parts).map(weight).sum();
    let mut shares: Vec<usize> = (0..parts)
        .map(|rank| (all as f64 * weight(rank) / sum) as usize)
        .collect();
    let given: usize = shares.iter().sum();
    for share in shares.iter_mut().take(all.saturating_sub(given)) {
        *share += 1;
    }
    shares
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn world(seed: u64) -> Vec<Company> {
        let mut companies = Vec::new();
        enlarge(&mut companies, seed);
        companies
    }

    #[test]
    fn a_large_world_has_what_it_should_and_every_identifier_once() {
        let companies = world(0);
        assert_eq!(companies.len(), COMPANIES);
        assert_eq!(
            companies.iter().map(|one| one.articles).sum::<usize>(),
            ARTICLES
        );
        assert_eq!(companies.iter().map(|one| one.jobs).sum::<usize>(), JOBS);
        let ids = companies
            .iter()
            .flat_map(|one| [&one.uuid, &one.also_known_as, &one.domain]);
        assert_eq!(ids.collect::<BTreeSet<_>>().len(), 3 * COMPANIES);
        // The identifier of an article has the company's number and three digits.
        assert!(companies.iter().all(|one| one.articles < 1_000));
    }

    #[test]
    fn a_seed_draws_the_same_world_again_and_another_one_another() {
        let names = |seed| {
            world(seed)
                .into_iter()
                .map(|one| (one.name, one.employees))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(7), names(7));
        assert_ne!(names(7), names(8));
    }
}
