//! Payloads of reviews, by employees and of products.

use company_intel::types::OtherRatingType;
use serde_json::json;

use crate::support::payloads::{EMPLOYEE_REVIEWS, PRODUCT_REVIEWS, assert_fields, read};

#[tokio::test]
async fn employee_reviews() {
    let response = read(EMPLOYEE_REVIEWS, 1_500_000, |client| {
        client.employee_reviews("k7f3q9").send()
    })
    .await;
    assert_fields!(response, { limit: 10, offset: 0 });
    let data = response.data;
    assert_fields!(data, { uuid: "k7f3q9" });
    let summary = data.employee_reviews.unwrap();
    assert_eq!(summary.overall_rating["provider_a"], 4.1);
    assert_eq!(summary.overall_rating["provider_b"], 3.75);

    use OtherRatingType::*;
    let expected = [
        (BusinessOutlook, "provider_a", 0.66),
        (Ceo, "provider_a", 0.81),
        (RecommendToFriend, "provider_a", 0.72),
        (CompensationAndBenefits, "provider_a", 3.5),
        (CultureAndValues, "provider_a", 4.2),
        (DiversityAndInclusion, "provider_a", 4.0),
        (SeniorManagement, "provider_a", 3.1),
        (WorkLifeBalance, "provider_b", 3.9),
    ];
    assert_eq!(summary.other_ratings.len(), expected.len());
    for (rating, (aspect, provider, value)) in summary.other_ratings.iter().zip(expected) {
        assert_eq!(rating.type_, Some(aspect));
        assert_fields!(rating, { provider: provider, value: value });
    }

    let reviews = summary.reviews.unwrap();
    assert_fields!(reviews, { total: 219 });
    assert_eq!(reviews.total_by_provider["provider_a"], 200);
    assert_eq!(reviews.total_by_provider["provider_b"], 19);
    assert_eq!((reviews.data.len(), reviews.data.rejects().len()), (1, 0));
    assert_fields!(reviews.data[0], {
        id: 7781234,
        summary: "Good team, slow tools",
        pros: "The people",
        cons: "The tools",
        rating: 4,
        review_link: "https://reviews.example/r/7781234",
        job_title: "Test engineer",
        review_date: "2024-11-20",
        employment_status: "REGULAR",
        is_current_employee: true,
        years_of_employment: 3,
        location: "Bremen",
        country_code: "DEU",
        helpful_count: 5,
        not_helpful_count: 1,
        career_opportunities_rating: 3,
        compensation_and_benefits_rating: 2,
        culture_and_values_rating: 5,
        diversity_and_inclusion_rating: 4,
        senior_management_rating: 1,
        work_life_balance_rating: 4,
        ceo_rating: "APPROVE",
        language: "eng",
        provider: "provider_a",
    });
}

#[tokio::test]
async fn product_reviews() {
    let response = read(PRODUCT_REVIEWS, 1_500_000, |client| {
        let call = client.product_reviews("k7f3q9");
        call.products(["nordwind-lift"]).limit(5).send()
    })
    .await;
    assert_fields!(response, { limit: 5, offset: 0 });
    let data = response.data;
    assert_fields!(data, { uuid: "k7f3q9" });
    let product = &data.products[0];
    assert_fields!(product, {
        id: "nordwind-lift",
        product_name: "Nordwind Lift",
        main_category: "Warehouse robots",
        categories: ["Warehouse robots", "Fleet control"],
        description: "A robot that carries shelves.",
    });
    assert_eq!(product.rating["provider_a"], 4.5);
    assert_eq!(product.rating["provider_b"], 4.0);
    let stars = serde_json::to_value(&product.star_distribution["provider_a"]).unwrap();
    assert_eq!(stars, json!({"1": 2, "2": 0, "3": 5, "4": 21, "5": 40}));
    assert_fields!(product.pros_list[0], { text: "Easy to set up", count: "12" });
    assert_fields!(product.cons_list[0], { text: "Expensive spare parts", count: "3" });
    assert_fields!(product.pricing[0], { price: "$90 per month", package: "Starter", price_info: "billed yearly" });
    assert_fields!(product.pricing[1], { price: "On request", package: "Fleet", price_info: null });

    let reviews = product.reviews.as_ref().unwrap();
    assert_fields!(reviews, { total: 68 });
    assert_eq!(reviews.total_by_provider["provider_a"], 60);
    assert_eq!(reviews.total_by_provider["provider_b"], 8);
    assert_eq!((reviews.data.len(), reviews.data.rejects().len()), (1, 0));
    let review = &reviews.data[0];
    assert_fields!(review, {
        review_id: 555001,
        review_title: "Does what it says",
        review_content: "What do you like? It is quiet. What do you dislike? The price.",
        review_rating: 4.5,
        publish_date: "2024-08-09T00:00:00Z",
        reviewer_company_size: "51-200 employees",
        review_link: "https://reviews.example/p/555001",
        provider: "provider_a",
    });
    let answers = &review.review_question_answers;
    assert_fields!(answers[0], { question: "What do you like?", answer: "It is quiet." });
    assert_fields!(answers[1], { question: "What do you dislike?", answer: "The price." });
}

#[tokio::test]
async fn a_product_list_without_reviews_has_empty_extras() {
    let body = r#"{"data": {"uuid": "k7f3q9", "product": [{"id": "lift", "categories": ["Robots"]}]}, "credits_consumed": 0.5}"#;
    let response = read(body, 500_000, |client| {
        client.product_reviews("k7f3q9").send()
    })
    .await;
    let product = &response.data.products[0];
    assert_fields!(product, { id: "lift", rating: {}, pros_list: [], pricing: [], reviews: null });
}
