//! One payload per operation, typed by hand from part 2 of the reference: every field once, in the observed form, with made-up values.
//! Each field is read by its Rust name, and nothing of a payload may be missing from what was read.
//!
//! Two payloads hold what no answer holds at once: a reason beside a company, and a known company beside a request.

use company_intel::types::{CompanyStatus, JobType, OtherRatingType, Sentiment};
use company_intel::{Client, Error, Response};
use serde::Serialize;
use serde_json::{Value, json};

use crate::support::{answered, json};

pub(crate) const NEWS: &str = include_str!("../payloads/news.json");
pub(crate) const ENRICHMENT: &str = include_str!("../payloads/enrichment.json");
pub(crate) const COMPANY_SEARCH: &str = include_str!("../payloads/company_search.json");
pub(crate) const INDUSTRY_SEARCH: &str = include_str!("../payloads/industry_search.json");
pub(crate) const REQUEST_STATUS: &str = include_str!("../payloads/request_status.json");
pub(crate) const ADD_COMPANY: &str = include_str!("../payloads/add_company.json");
pub(crate) const HEADCOUNT_TRENDS: &str = include_str!("../payloads/headcount_trends.json");
pub(crate) const EMPLOYEE_REVIEWS: &str = include_str!("../payloads/employee_reviews.json");
pub(crate) const PRODUCT_REVIEWS: &str = include_str!("../payloads/product_reviews.json");
pub(crate) const JOB_POSTS: &str = include_str!("../payloads/job_posts.json");
pub(crate) const SOCIAL_POSTS: &str = include_str!("../payloads/social_posts.json");

/// Compares fields by what they write, so that a field may get a richer type and keep its test.
macro_rules! assert_fields {
    ($value:expr, { $($field:ident: $expected:tt),* $(,)? }) => {{
        let value = &$value;
        $(assert_eq!(
            serde_json::to_value(&value.$field).unwrap(),
            json!($expected),
            stringify!($field),
        );)*
    }};
}

/// The decoded payload, which holds all of it and cost this much.
async fn read<T, F>(payload: &str, micros: u64, call: impl FnOnce(Client) -> F) -> T
where
    T: Serialize,
    F: Future<Output = Result<Response<T>, Error>>,
{
    let response = answered(json(payload), call).await.unwrap();
    assert_eq!(response.raw, payload);
    assert_eq!(response.meta.status.as_u16(), 200);
    let cost = response.meta.reported_charge.map(|cost| cost.micros());
    assert_eq!(cost, Some(micros));

    let sent: Value = serde_json::from_str(payload).unwrap();
    let read = serde_json::to_value(&response.body).unwrap();
    assert_eq!(essence(&read), essence(&sent), "the types lack a field");
    response.into_body()
}

/// What two values have in common that say the same: `4` is `4.0`, and a field may be null, an empty list, or absent.
pub(crate) fn essence(value: &Value) -> Value {
    let says_something = |value: &Value| !(value.is_null() || *value == json!([]));
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(elements) => elements.iter().map(essence).collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| says_something(value))
            .map(|(name, value)| (name.clone(), essence(value)))
            .collect(),
        _ => value.clone(),
    }
}

#[tokio::test]
async fn news() {
    let page = read(NEWS, 350_000, |client| client.news("k7f3q9").send()).await;
    assert_fields!(page, {
        status: "success",
        total: 128,
        limit: 10,
        offset: 0,
        count: 1,
        primary_tag: { "name": "Expansion", "code": "expansion", "is_primary": true },
    });
    assert_eq!((page.data.len(), page.data.rejects().len()), (1, 0));
    let article = &page.data[0];
    assert_fields!(article, {
        id: 90210441,
        title: "Nordwind Robotics opens a plant in Poznań",
        url: "https://paper.example/business/nordwind-plant",
        publisher: "The Example Paper",
        published_date: "2025-03-04T08:15:00",
        sentiment: "Positive",
        sentiment_score: 0.87,
        news_score: 0.61,
        newsworthiness_score: 0.74,
        ai_summary: "The maker of warehouse robots starts production abroad.",
        word_count: 612,
        original_language: "EN",
        author: "Jo Writer",
        countries: ["DEU", "POL"],
        primary_tag: "expansion",
        status: "published",
        is_press_release: false,
        is_opinion: false,
        is_breaking: true,
        group_id: 5512,
        full_text: "Nordwind Robotics has opened a plant.\nIt is the first abroad.",
    });
    assert_eq!(article.sentiment, Some(Sentiment::Positive));
    assert_eq!(article.industries.len(), 2);
    assert_fields!(article.industries[0], { name: "Robotics", code: "robotics", is_primary: true });
    assert_fields!(article.industries[1], { name: "Logistics", code: "logistics", is_primary: false });
    assert_fields!(article.tags[0], { name: "Expansion", code: "expansion", is_primary: true });
    assert_eq!(article.company_mentions.len(), 2);
    assert_fields!(article.company_mentions[0], {
        uuid: "k7f3q9",
        name: "Nordwind Robotics",
        website: "https://nordwind.example",
        is_primary: true,
    });
    assert_fields!(article.company_mentions[1], {
        uuid: "3d0c1a52-9b1e-4f6c-8a57-0e2b7c9d4f10",
        name: "Harbour Freight Lines",
        website: "https://harbour.example",
        is_primary: false,
    });
    let article_type = article.article_type.as_ref().unwrap();
    assert_fields!(article_type, { code: "news", label: "News report" });
    assert_fields!(article.iptc_codes[0], { code: "04000000", name: "economy, business and finance" });
    assert_fields!(article.iab_categories[0], { code: "IAB3", name: "Business" });
    assert_fields!(article.naics_codes[0], { code: "333922", name: "Conveyor Manufacturing" });
    assert_fields!(article.sic_codes[0], { code: "3535", name: "Conveyors" });
    assert_fields!(article.entities.as_ref().unwrap(), {
        person: ["Ada Sample"],
        location: ["Poznań", "Bremen"],
        product: ["Nordwind Lift 3"],
        event: ["Logistics Fair"],
    });
}

#[tokio::test]
async fn company_search() {
    let found = read(COMPANY_SEARCH, 0, |client| {
        client.company_search("Nordwind").send()
    })
    .await;
    assert_eq!(found.data.len(), 1);
    assert_fields!(found.data[0], {
        uuid: "3d0c1a52-9b1e-4f6c-8a57-0e2b7c9d4f10",
        name: "Nordwind Robotics GmbH",
        website: "https://nordwind.example",
        product_category: "Industrial automation",
        company_status: "private",
    });
    assert_eq!(found.data[0].company_status, Some(CompanyStatus::Private));
}

#[tokio::test]
async fn industry_search() {
    let found = read(INDUSTRY_SEARCH, 0, |client| {
        client.industry_search("robots").send()
    })
    .await;
    assert_fields!(found, { count: 2 });
    assert_eq!(found.data.len(), 2);
    assert_fields!(found.data[0], { code: "l4-robotics", industry_name: "Warehouse robotics", similarity: 0.912 });
    assert_fields!(found.data[1], { code: "l3-automation", industry_name: "Automation", similarity: 0.75 });
}

#[tokio::test]
async fn headcount_trends() {
    let response = read(HEADCOUNT_TRENDS, 2_500_000, |client| {
        client.headcount_trends("k7f3q9").send()
    })
    .await;
    let headcount = response.data;
    assert_fields!(headcount, {
        uuid: "k7f3q9",
        social_username: "nordwind-robotics",
        social_official_name: "Nordwind Robotics",
        social_id: "1284477",
        total_employees: 412,
        date: "2025-02-01",
    });
    assert_eq!(headcount.growth_periods.len(), 3);
    assert_fields!(headcount.growth_periods[0], { month_difference: 6, change_percentage: 4 });
    assert_fields!(headcount.growth_periods[1], { month_difference: 12, change_percentage: 11 });
    assert_fields!(headcount.growth_periods[2], { month_difference: 24, change_percentage: (-3) });
    assert_eq!(headcount.headcount_monthly.len(), 2);
    assert_fields!(headcount.headcount_monthly[0], { employee_count: 408, date: "2025-01-01" });
    assert_fields!(headcount.headcount_monthly[1], { employee_count: 412, date: "2025-02-01" });
    let function = &headcount.headcount_by_function[0];
    assert_fields!(function, { name: "Engineering", employee_count: 160 });
    assert_fields!(function.growth_periods[0], { month_difference: 6, change_percentage: 7 });
    assert_fields!(function.growth_periods[1], { month_difference: 12, change_percentage: 15 });
}

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
async fn job_posts() {
    let page = read(JOB_POSTS, 4_000_000, |client| {
        client.job_posts("k7f3q9").send()
    })
    .await;
    assert_fields!(page, { status: "success", count: 37, limit: 10, offset: 0 });
    assert_eq!((page.data.len(), page.data.rejects().len()), (1, 0));
    assert_eq!(page.data[0].type_, Some(JobType::Contractor));
    assert_fields!(page.data[0], {
        job_id: "job-00417",
        company_uuid: "k7f3q9",
        title: "Embedded Rust engineer",
        source: "exampleboard",
        job_url: "https://board.example/jobs/417",
        date_posted: "2025-01-30T09:00:00+01:00",
        location: "Bremen, Germany",
        description: "Writes the firmware of a robot.",
        type_: "CONTRACTOR",
        remote: true,
        salary_min_usd: 78000,
        salary_max_usd: 96000,
        experience_level: "3-5",
        key_skills: ["Rust", "CAN bus"],
    });
}

#[tokio::test]
async fn social_posts() {
    let page = read(SOCIAL_POSTS, 1_000_000, |client| {
        client.social_posts("k7f3q9").send()
    })
    .await;
    assert_fields!(page, { count: 84, limit: 10, offset: 0 });
    let data = page.data;
    assert_fields!(data, { uuid: "k7f3q9" });
    assert_eq!((data.posts.len(), data.posts.rejects().len()), (1, 0));
    let post = &data.posts[0];
    assert_fields!(post, {
        id: "7301122334455667788",
        content_type: "document",
        url: "https://social.example/posts/7301122334455667788",
        posted_date: "2025-02-11T12:00:00+00:00",
        is_paid: false,
        reposted: true,
        text_content: "Our plant in Poznań is open.",
        post_classification: "Product & technology",
        author: {},
    });
    assert_fields!(post.engagement_metrics.as_ref().unwrap(), {
        total_reaction_count: 250,
        like_count: 180,
        empathy_count: 21,
        praise_count: 30,
        appreciation_count: 7,
        interest_count: 9,
        funny_count: 3,
        comments_count: 14,
        reposts_count: 6,
    });
    assert_fields!(post.mentions[0], {
        name: "Harbour Freight Lines",
        social_url: "https://social.example/company/harbour",
        mention_type: "company",
        social_public_identifier: "harbour",
    });
}

#[tokio::test]
async fn add_company() {
    let submitted = read(ADD_COMPANY, 0, |client| {
        client
            .add_company("Nordwind Robotics", "nordwind.example")
            .send()
    })
    .await;
    assert_fields!(submitted, {
        already_exists: false,
        company: { "not_published": 10 },
        request_id: "6f1d2c3b-4a59-4e87-9b60-1c2d3e4f5a6b",
        status: "pending",
    });
}

#[tokio::test]
async fn request_status() {
    let record = read(REQUEST_STATUS, 0, |client| {
        client.request_status("r1").send()
    })
    .await;
    assert_fields!(record, {
        request_id: "6f1d2c3b-4a59-4e87-9b60-1c2d3e4f5a6b",
        request_type: "company_addition",
    });
    assert_fields!(record.detail, {
        company_name: "Nordwind Robotics",
        domain: "nordwind.example",
        status: "pending",
        reason: "the website did not answer",
        company_uuid: "k7f3q9",
        created_at: "2025-02-11T12:00:00Z",
        updated_at: "2025-02-11T12:30:00Z",
    });
}

#[tokio::test]
async fn enrichment() {
    let response = read(ENRICHMENT, 12_250_000, |client| {
        client.enrichment("k7f3q9").send()
    })
    .await;
    let data = response.data;
    assert_fields!(data, {
        uuid: "k7f3q9",
        company_assessment: { "not_published": 1 },
        trust_signal: { "not_published": 2 },
        company_hierarchy: { "not_published": 3 },
        digital_presence: { "not_published": 4 },
        financial_estimate: { "not_published": 5 },
        location: [{ "not_published": 6 }],
        strategic_signal: { "not_published": 7 },
        funding_detail: { "not_published": 8 },
        mna_and_investment: { "not_published": 9 },
    });
    assert_fields!(data.firmographic.unwrap(), {
        name: "Nordwind Robotics",
        legal_name: "Nordwind Robotics GmbH",
        website: "https://nordwind.example",
        company_type: "Private company",
        founded_year: 2009,
        company_description: "Builds robots that carry shelves through warehouses.",
        company_description_short: "Warehouse robots.",
        operating_status: { "code": "active", "label": "Active" },
        ownership_category: { "code": "founder", "label": "Founder-owned" },
        headcount_range: "201-500",
        website_screenshot: "https://files.example/nordwind.png",
    });

    let business = data.business_model.unwrap();
    assert_fields!(business.gtm_motion[0], {
        description: "Sells to operators of warehouses.",
        source: ["https://nordwind.example/sales"],
        type_: { "code": "sales_led", "label": "Sales-led" },
    });
    assert_fields!(business.revenue_model[0], {
        description: "Rents robots by the month.",
        source: ["https://nordwind.example/pricing"],
        title: "Rental",
        type_: { "code": "subscription", "label": "Subscription" },
    });
    assert_fields!(business.marketing_channels[0], {
        description: "Shows robots at fairs.",
        source: ["https://nordwind.example/events", "https://fair.example"],
        title: "Fairs",
        type_: { "code": "event", "label": "Event" },
        stage: { "code": "awareness", "label": "Awareness" },
    });
    assert_fields!(business.distribution_channels[0], {
        description: "Integrators install the robots.",
        source: ["https://nordwind.example/partners"],
        title: "Partners",
        type_: { "code": "partner", "label": "Partner" },
        scope: "Europe",
        target_buyer: { "code": "operations", "label": "Operations" },
    });

    let people = data.management_profile.unwrap();
    assert_eq!(people.as_slice().len(), 1);
    assert_fields!(people.first().unwrap(), {
        designation: "Chief Executive Officer",
        designation_category: { "code": "c_level", "label": "C-level" },
        name: "Ada Sample",
        overview: "Founded the company.",
        profile_commentary: "An engineer by training.",
        source: ["https://nordwind.example/team"],
    });

    let offering = data.product_offering.unwrap();
    assert_fields!(offering, {
        core_offering: "Shelf-carrying robots",
        differentiator: "Needs no rails",
        functional_benefit: "Shorter walks",
        problem_solved: "Picking is slow",
        product_overview: "One robot in three sizes",
        quantifiable_outcome: ["30% shorter walks"],
    });
    assert_fields!(offering.brand[0], {
        name: "Nordwind",
        description: "The only brand.",
        source: ["https://nordwind.example"],
    });
    assert_fields!(offering.product_and_service[0], {
        category: "Robot",
        description: "Carries a shelf.",
        name: "Nordwind Lift",
        source: ["https://nordwind.example/lift"],
        url: "https://nordwind.example/lift",
    });

    let customers = data.customer_profile.unwrap();
    assert_fields!(customers.segment[0], {
        description: "Operators of warehouses.",
        is_primary: true,
        pain_point_addressed: "Long walks",
        source: ["https://nordwind.example/customers"],
        title: "Warehouses",
        type_: { "code": "industry", "label": "Industry" },
        use_case: "Order picking",
    });
    assert_fields!(customers.icp[0], {
        buyer_persona: "Head of operations",
        buying_structure: { "code": "committee", "label": "Committee" },
        description: "A large warehouse.",
        evidence_proof_points: ["Case study"],
        firmographic_size: { "code": "mid", "label": "Mid-size" },
        geography: "Europe",
        industry_vertical: "Logistics",
        pain_points: ["Long walks"],
        primary_use_case: "Order picking",
        profile: "Warehouse operator",
        purchase_trigger: "A new building",
        sales_cycle_length: { "code": "long", "label": "Over six months" },
        sales_motion: { "code": "field", "label": "Field sales" },
        target_buyer: { "code": "operations", "label": "Operations" },
    });
    assert_fields!(customers.select_customer[0], {
        industry: "Shipping",
        name: "Harbour Freight Lines",
        source: ["https://nordwind.example/harbour"],
        type_: { "code": "enterprise", "label": "Enterprise" },
        use_case: "Spare parts",
    });

    let industry = data.industry.unwrap();
    assert_fields!(industry, { keyword: ["robot", "warehouse"], product_category: "Industrial automation" });
    assert_fields!(industry.industry[0], { code: "robotics", is_primary: true, label: "Robotics" });
    assert_fields!(industry.naics[0], { code: "333922", label: "Conveyor Manufacturing" });
    assert_fields!(industry.sic[0], { code: "3535", label: "Conveyors" });

    let technology = data.technology.unwrap();
    assert_fields!(technology, { is_technology_focussed: true });
    assert_fields!(technology.api_detail.unwrap(), {
        description: "Moves robots.",
        docs_url: "https://docs.nordwind.example",
        has_api: true,
        has_mcp: false,
        sdk_language: { "code": "rust", "label": "Rust" },
    });
    assert_fields!(technology.integration[0], {
        description: "Reads orders.",
        source: ["https://nordwind.example/integrations"],
        title: "Order system",
        type_: { "code": "erp", "label": "ERP" },
    });
}

#[tokio::test]
async fn a_section_that_was_not_asked_for_is_absent_and_its_neighbours_are_not() {
    let body = r#"{"data": {"uuid": "k7f3q9", "industry": {"keyword": ["robot"]}}, "credits_consumed": 1}"#;
    let response = read(body, 1_000_000, |client| client.enrichment("k7f3q9").send()).await;
    let data = response.data;
    assert!(data.firmographic.is_none());
    assert_fields!(data.industry.unwrap(), { keyword: ["robot"], naics: [] });
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
