//! One test for each override, named after it. Without the file, a named fact is missing from the reconciled document
//! and from the emitted crate; with its target edited in the published document it drifts or is orphaned; with its
//! correction published it is retired.

mod check;

use std::collections::BTreeSet;

use crate::support::Inputs;
use check::{Emitted, Row, check, in_file, in_type};

macro_rules! rows {
    ($($name:ident: $together_with:expr, $place:expr, $emitted:expr;)*) => {
        const IDS: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                let id: &'static str = stringify!($name).replace('_', "-").leak();
                check(&Row { id, together_with: &$together_with, place: $place, emitted: $emitted });
            }
        )*
    };
}

rows! {
    article_tags: [],
        "/components/schemas/NewsArticle/properties/tags",
        in_type("pub struct NewsArticle ", "pub tags: Vec<Tag>");
    company_ids: [],
        "/components/schemas/CompanySearchResult/properties/uuid/$ref",
        in_type("pub struct CompanySearchResult ", "pub uuid: Option<CompanyId>");
    country_codes: [],
        "/components/schemas/NewsArticle/properties/countries/description",
        in_type("pub struct NewsArticle ", "codes of three letters");
    job_type: [],
        "/components/schemas/JobPost/properties/type/$ref",
        in_type("pub struct JobPost ", "pub type_: Option<JobType>");
    job_url: [],
        "/components/schemas/JobPost/properties/job_url/x-aliases",
        in_type("struct JobPostWire ", "rename = \"url\"");
    language_codes: [],
        "/components/schemas/NewsArticle/properties/original_language/description",
        in_type("pub struct NewsArticle ", "two letters in upper case");
    mention_uuid: ["company-links"],
        "/components/schemas/CompanyMention/properties/uuid",
        in_type("pub struct CompanyMention ", "pub uuid: Option<CompanyId>");
    newsworthiness_score: [],
        "/components/schemas/NewsArticle/properties/newsworthiness_score",
        in_type("pub struct NewsArticle ", "pub newsworthiness_score: Option<f64>");
    published_date: [],
        "/components/schemas/NewsArticle/properties/published_date",
        in_type("pub struct NewsArticle ", "in ISO 8601 without a zone");
    sentiment_casing: [],
        "/components/schemas/Sentiment/x-aliases",
        in_type("impl From<&str> for Sentiment ", "\"Positive\" | \"positive\"");
    add_company: ["company-links"],
        "/paths/~1v1~1company~1addition/post",
        in_file("src/client.rs", "pub fn add_company(");
    coded_fields: [],
        "/components/schemas/ApiDetail/properties/sdk_language/x-rust-type",
        in_type("pub struct ApiDetail ", "pub sdk_language: Option<::metered_client::Loose<CodeLabel>>");
    company_search_parameter: [],
        "/paths/~1v1~1company~1search/get/parameters/0",
        in_file("src/operations/company_search.rs", "query: String");
    credits_consumed: [],
        "/components/schemas/NewsResponse/properties/credits_consumed",
        in_type("pub struct NewsResponse ", "pub credits_consumed");
    empty_texts: [],
        "/components/schemas/EmployeeReview/properties/job_title/minLength",
        in_type("pub struct EmployeeReview ", "It decodes to `Some(\"\")`");
    enrichment_lists: [],
        "/components/schemas/Brand/properties/source/type",
        in_type("pub struct Brand ", "pub source: Option<::metered_client::Loose<String>>");
    enrichment_texts: [],
        "/components/schemas/Firmographic/properties/legal_name/type",
        in_type("pub struct Firmographic ", "pub legal_name: Option<::metered_client::Loose<String>>");
    experience_level: [],
        "/components/schemas/JobPost/properties/experience_level/x-rust-type",
        in_type("pub struct JobPost ", "pub experience_level: Option<::metered_client::TextRange>");
    icp_codes: [],
        "/components/schemas/IdealCustomer/properties/buying_structure/$ref",
        in_type("pub struct IdealCustomer ", "pub buying_structure: Option<::metered_client::Loose<CodeLabel>>");
    job_posts_limit: [],
        "/paths/~1v1~1company~1jobs/get/parameters/2/description",
        in_file("src/operations/job_posts.rs", "The most that is possible is not published");
    management_profile: [],
        "/components/schemas/Enrichment/properties/management_profile/x-rust-type",
        in_type("pub struct Enrichment ", "pub management_profile: Option<::metered_client::Loose<Executive>>");
    news_company_required: [],
        "/paths/~1v1~1news/get/parameters/0/required",
        in_file("src/operations/news.rs", "company: types::CompanyRef,\n    limit");
    news_paging: ["paging-news"],
        "/paths/~1v1~1news/get/parameters/2",
        in_file("src/operations/news.rs", "pub fn offset(");
    news_primary_tag: [],
        "/components/schemas/NewsArticle/properties/primary_tag",
        in_type("pub struct NewsArticle ", "pub primary_tag");
    news_status: [],
        "/components/schemas/NewsResponse/properties/status",
        in_type("pub struct NewsResponse ", "pub status");
    prior_employers: [],
        "/components/schemas/Executive/additionalProperties/description",
        in_type("pub struct Executive ", "pub extra: ");
    product_reviews_limit: [],
        "/paths/~1v1~1company~1product-reviews/get/parameters/1/description",
        in_file("src/operations/product_reviews.rs", "Give `limit` too");
    product_reviews_offset: ["paging-product-reviews"],
        "/paths/~1v1~1company~1product-reviews/get/parameters/3/description",
        in_file("src/operations/product_reviews.rs", "How many reviews to skip of each product");
    required_texts: [],
        "/components/schemas/AddCompanyRequest/properties/website/minLength",
        in_file("src/operations/add_company.rs", "require_length(\"website\"");
    review_date: [],
        "/components/schemas/EmployeeReview/properties/review_date/x-rust-type",
        in_type("pub struct EmployeeReview ", "pub review_date: Option<::metered_client::TextDate>");
    size_bands: [],
        "/components/schemas/Firmographic/properties/headcount_range/x-rust-type",
        in_type("pub struct Firmographic ", "pub headcount_range: Option<::metered_client::TextRange>");
    social_posts_parameters: ["paging-social-posts", "prices"],
        "/paths/~1v1~1company~1posts/get/parameters/0",
        in_file("src/operations/social_posts.rs", "company: types::CompanyRef");
    star_scale: [],
        "/components/schemas/EmployeeReview/properties/rating/maximum",
        in_type("pub struct EmployeeReview ", "Range: 0 to 5");
    timestamps: [],
        "/components/schemas/CompanyAdditionDetail/properties/created_at/x-rust-type",
        in_type("pub struct CompanyAdditionDetail ", "pub created_at: Option<::metered_client::TextDate>");
    unique_article: [],
        "/paths/~1v1~1news/get/parameters/3/description",
        in_file("src/operations/news.rs", "Whether to leave out articles that repeat another one");
    api_key_scheme: [],
        "/paths/~1v1~1industry~1search/get/parameters/0/name",
        Emitted::Refused("key-parameter");
    company_links: [],
        "/paths/~1v1~1company~1search/get/responses/200/links",
        in_type("impl From<&CompanySearchResult> for CompanyRef ", "value.uuid");
    credits_exact: [],
        "/components/schemas/JobPostsResponse/properties/credits_consumed/x-rust-type",
        in_type("pub struct JobPostsResponse ", "Option<::metered_client::Credits>");
    package: [],
        "/info/x-rust-package",
        in_file("Cargo.toml", "name = \"company-intel\"\nversion");
    dates_of_days: [],
        "/components/schemas/HeadcountMonth/properties/date/x-rust-type",
        in_type("pub struct HeadcountMonth ", "pub date: Option<::metered_client::TextDate>");
    dates_with_offset: [],
        "/components/schemas/SocialPost/properties/posted_date/x-rust-type",
        in_type("pub struct SocialPost ", "pub posted_date: Option<::metered_client::TextDate>");
    paging_employee_reviews: [],
        "/paths/~1v1~1company~1employee-reviews/get/x-pagination",
        in_type("pub struct EmployeeReviewPage ", "::metered_client::Records<EmployeeReview>");
    paging_job_posts: [],
        "/paths/~1v1~1company~1jobs/get/x-pagination",
        in_type("pub struct JobPostsResponse ", "::metered_client::Records<JobPost>");
    paging_news: [],
        "/components/schemas/NewsResponse/properties/count/description",
        in_type("pub struct NewsResponse ", "`total` has the number of all");
    paging_product_reviews: [],
        "/paths/~1v1~1company~1product-reviews/get/x-pagination/key",
        in_file("src/operations/product_reviews.rs", "let key = at_2.id");
    paging_social_posts: [],
        "/components/schemas/SocialPostsResponse/properties/count/description",
        in_type("pub struct SocialPostsResponse ", "over all pages");
    prices: [],
        "/paths/~1v1~1company~1headcount-trends/get/x-credits",
        in_file("src/operations/headcount_trends.rs", "2.5 credits");
    product_list: [],
        "/components/schemas/ProductReviewData/properties/product/x-rust-name",
        in_type("pub struct ProductReviewData ", "pub products: Vec<Product>");
    request_ids: [],
        "/components/schemas/AddCompanyResponse/properties/request_id",
        in_type("pub struct AddCompanyResponse ", "pub request_id: Option<RequestId>");
    wait_for_addition: [],
        "/paths/~1v1~1status~1{request_id}/get/x-waiter/done",
        in_file("src/operations/request_status.rs", "done: &[\"/detail/company_uuid\"]");
}

#[test]
fn every_override_has_a_row() {
    let files: BTreeSet<String> = Inputs::committed()
        .overrides
        .overrides
        .iter()
        .map(|one| one.id.replace('-', "_"))
        .collect();
    let rows: BTreeSet<String> = IDS.iter().map(|id| (*id).to_owned()).collect();
    assert_eq!(files, rows);
}
