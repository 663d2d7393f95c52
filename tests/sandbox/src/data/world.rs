//! The sample data of each operation.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::data::addition::{Additions, COMPLETED};
use crate::data::companies::{self, Company};
use crate::data::enrichment::Enrichment;
use crate::data::headcount::{self, Function};
use crate::data::industries::{self, Industry};
use crate::data::reviews::{EmployeeReviews, ProductReviews};
use crate::data::{Fixtures, crowd, jobs, news, posts};
use crate::refusal::Refusal;

/// All sample data, and additions of callers.
pub(crate) struct World {
    companies: Vec<Company>,
    news: Vec<Value>,
    enrichment: Enrichment,
    industries: Vec<Industry>,
    headcount: Vec<Function>,
    employee_reviews: EmployeeReviews,
    product_reviews: ProductReviews,
    jobs: Vec<Value>,
    posts: Vec<Value>,
    additions: Mutex<Additions>,
}

impl World {
    /// Returns the companies of the fixtures.
    pub(crate) fn small(fixtures: &Fixtures) -> Result<Self> {
        let companies: Vec<Company> = fixtures.read("companies.json")?;
        let headcount: Vec<Function> = fixtures.read("headcount.json")?;
        let product_reviews: ProductReviews = fixtures.read("product_reviews.json")?;
        let mut seeds = BTreeSet::new();
        let is_fit = |company: &Company| {
            company.check()?;
            let name = &company.name;
            ensure!(
                seeds.insert(company.seed),
                "`{name}` has the `seed` of another company"
            );
            ensure!(
                company.product_reviews.len() <= product_reviews.products(),
                "`{name}` has up to {} numbers of `product_reviews`, as there are products",
                product_reviews.products()
            );
            Ok(())
        };
        let fit = companies.iter().try_for_each(is_fit);
        fit.with_context(|| fixtures.place("companies.json"))?;
        let fit = headcount.iter().try_for_each(Function::check);
        fit.with_context(|| fixtures.place("headcount.json"))?;
        Ok(Self {
            companies,
            news: fixtures.read("news.json")?,
            enrichment: fixtures.read("enrichment.json")?,
            industries: fixtures.read("industries.json")?,
            headcount,
            employee_reviews: fixtures.read("employee_reviews.json")?,
            product_reviews,
            jobs: fixtures.read("jobs.json")?,
            posts: fixtures.read("posts.json")?,
            additions: Mutex::default(),
        })
    }

    /// Returns these and hundreds of companies that the seed draws.
    pub(crate) fn large(fixtures: &Fixtures, seed: u64) -> Result<Self> {
        let mut world = Self::small(fixtures)?;
        crowd::enlarge(&mut world.companies, seed)?;
        Ok(world)
    }

    /// Returns the body of the response; `None` for an operation without sample data.
    pub(crate) fn body(
        &self,
        operation: &str,
        arguments: &Arguments,
    ) -> Result<Option<Value>, Refusal> {
        let company = || self.company(arguments.text("company"));
        Ok(Some(match operation {
            "news" => news::body(&self.news, &company()?, arguments),
            "enrichment" => self.enrichment.body(&company()?, arguments),
            "companySearch" => companies::search(&self.companies(), arguments.text("query")),
            "industrySearch" => industries::body(&self.industries, arguments),
            "headcountTrends" => headcount::body(&self.headcount, &company()?),
            "employeeReviews" => self.employee_reviews.body(&company()?, arguments),
            "productReviews" => self.product_reviews.body(&company()?, arguments)?,
            "jobPosts" => jobs::body(&self.jobs, &company()?, arguments),
            "socialPosts" => posts::body(&self.posts, &company()?, arguments),
            "addCompany" => self.add(arguments)?,
            "requestStatus" => self.additions().poll(arguments.text("request_id"))?,
            _ => return Ok(None),
        }))
    }

    /// Returns the companies of the sample data and the added ones.
    fn companies(&self) -> Vec<Company> {
        let mut companies = self.companies.clone();
        companies.extend_from_slice(self.additions().completed());
        companies
    }

    fn company(&self, reference: &str) -> Result<Company, Refusal> {
        let additions = self.additions();
        let mut companies = self.companies.iter().chain(additions.completed());
        let found = companies.find(|company| company.is_meant_by(reference));
        let unknown = || Refusal::not_found(format!("there is no company `{reference}`"));
        found.cloned().ok_or_else(unknown)
    }

    fn add(&self, arguments: &Arguments) -> Result<Value, Refusal> {
        let (name, website) = (arguments.text("company_name"), arguments.text("website"));
        let Some(domain) = companies::domain(website) else {
            return Err(Refusal::argument("website", "must be a website"));
        };
        match self.company(&domain) {
            Ok(known) => Ok(json!({
                "already_exists": true,
                // Its fields are unpublished; these are the fields of a search result.
                "company": known.search_result(),
                "request_id": null,
                "status": COMPLETED,
            })),
            Err(_) => Ok(self.additions().submit(name, &domain)),
        }
    }

    fn additions(&self) -> MutexGuard<'_, Additions> {
        self.additions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
