//! Many companies drawn by a seed, with enough data to page through. The same seed draws the same companies on every machine.

use anyhow::{Context, Result};
use fastrand::Rng;
use serde::Deserialize;

use crate::data::companies::{Company, TAKEN, hash, uuid};

/// Number of companies of a large world, including those of the small one.
const COMPANIES: usize = 300;
const ARTICLES: usize = 10_000;
const JOBS: usize = 5_000;
const POSTS: usize = 4_000;
const REVIEWS: usize = 6_000;
/// First seed of drawn companies; those of additions are above.
const FIRST: u64 = TAKEN.start;

/// What companies are drawn from.
#[derive(Deserialize)]
struct Parts {
    names: Vec<String>,
    trades: Vec<(String, String)>,
    statuses: Vec<String>,
    ranges: Vec<(i64, String)>,
}

/// Adds companies until the world is large. A few have most of the data.
pub(super) fn enlarge(companies: &mut Vec<Company>, seed: u64) -> Result<()> {
    let parts: Parts =
        serde_yaml::from_str(include_str!("../../data/crowd.yaml")).context("crowd.yaml")?;
    let mut random = Rng::with_seed(seed);
    let trades = &parts.trades;
    let names = parts.names.iter();
    let names = names.flat_map(|name| trades.iter().map(move |trade| (name, trade)));
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
        let drawn = parts.company(&mut random, number, name, trade);
        companies.push(Company {
            articles,
            jobs,
            posts,
            employee_reviews,
            product_reviews: vec![employee_reviews, employee_reviews / 2, 0],
            ..drawn
        });
    }
    Ok(())
}

impl Parts {
    fn company(
        &self,
        random: &mut Rng,
        number: u64,
        first: &str,
        trade: &(String, String),
    ) -> Company {
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
        let range = self.ranges.iter().find(|(least, _)| employees >= *least);
        let status = random.choice(&self.statuses);
        Company {
            uuid,
            also_known_as,
            legal_name: format!("{name} Ltd."),
            domain,
            product_category: category.clone(),
            company_status: status.cloned().unwrap_or_default(),
            founded_year: random.u64(1950..2024),
            headcount_range: range.map_or("unknown", |(_, range)| range).to_owned(),
            seed: number,
            employees,
            growth_per_mille: random.i64(-10..30),
            name,
            ..Company::added("", "")
        }
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
        enlarge(&mut companies, seed).unwrap();
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
