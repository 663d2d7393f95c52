//! Reviews by employees, and of products by customers.
//!
//! With `products`, only those products are listed, each with its own page. The provider does not document the other products.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::arguments::Arguments;
use crate::data::calendar;
use crate::data::companies::Company;
use crate::data::template::{bulk, by_provider, fill, with};
use crate::refusal::Refusal;

#[derive(Debug, Deserialize)]
pub(super) struct EmployeeReviews {
    overall_rating: Value,
    other_ratings: Value,
    reviews: Vec<Value>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ProductReviews {
    products: Vec<Product>,
    reviews: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct Product {
    /// Members that are always listed.
    listed: Value,
    /// Members that are added for requested products.
    reviewed: Value,
}

impl EmployeeReviews {
    pub(super) fn body(&self, company: &Company, arguments: &Arguments) -> Value {
        let reviews = bulk(&self.reviews, company, company.employee_reviews);
        let review = |(number, template): (u64, Value)| {
            let id = company.seed * 10_000 + number;
            let own = json!({
                "id": id,
                "review_link": format!("https://reviews.example/{id}"),
                "review_date": calendar::day(number * 9),
            });
            with(template, own)
        };
        let reviews: Vec<_> = reviews.into_iter().map(review).collect();
        json!({ "data": {
            "uuid": company.uuid,
            "employee_reviews": {
                "overall_rating": self.overall_rating,
                "other_ratings": self.other_ratings,
                "reviews": page(reviews, arguments),
            },
        }})
    }
}

impl ProductReviews {
    /// Returns the number of products.
    pub(super) fn products(&self) -> usize {
        self.products.len()
    }

    pub(super) fn body(&self, company: &Company, arguments: &Arguments) -> Result<Value, Refusal> {
        let wanted = arguments.texts("products");
        let ids: Vec<_> = (1..=company.product_reviews.len())
            .map(|number| format!("{}-{number}", company.seed))
            .collect();
        if let Some(unknown) = wanted.iter().find(|id| !ids.iter().any(|own| own == *id)) {
            let rule = format!("must be products of the company; `{unknown}` is not");
            return Err(Refusal::argument("products", rule));
        }
        let mut products = Vec::new();
        for ((product, id), &reviews) in
            self.products.iter().zip(&ids).zip(&company.product_reviews)
        {
            let listed = with(fill(&product.listed, company), json!({ "id": id }));
            if !arguments.is_given("products") {
                products.push(listed);
            } else if wanted.contains(&id.as_str()) {
                let reviews = page(self.reviews(company, id, reviews), arguments);
                let reviewed = with(product.reviewed.clone(), json!({ "reviews": reviews }));
                products.push(with(listed, reviewed));
            }
        }
        Ok(json!({ "data": { "uuid": company.uuid, "product": products } }))
    }

    fn reviews(&self, company: &Company, product: &str, count: usize) -> Vec<Value> {
        let review = |(number, template): (u64, Value)| {
            let id = company.seed * 10_000 + number;
            let own = json!({
                "review_id": id,
                "review_link": format!("https://reviews.example/products/{product}/{number}"),
                "publish_date": format!("{}T08:00:00Z", calendar::day(number * 13)),
            });
            with(template, own)
        };
        let reviews = bulk(&self.reviews, company, count);
        reviews.into_iter().map(review).collect()
    }
}

fn page(reviews: Vec<Value>, arguments: &Arguments) -> Value {
    json!({
        "total": reviews.len(),
        "total_by_provider": by_provider(&reviews),
        "data": arguments.slice(reviews),
    })
}
