//! The three response types as written by hand for a single use.

#![allow(dead_code, reason = "decoded to be measured")]

use serde::Deserialize;
use serde_json::{Map, Value};

#[derive(Deserialize)]
pub struct Jobs {
    status: Option<String>,
    data: Vec<Job>,
    count: Option<i64>,
    limit: Option<i64>,
    offset: Option<i64>,
    credits_consumed: Option<f64>,
}

#[derive(Deserialize)]
pub struct Job {
    job_id: String,
    company_uuid: String,
    title: String,
    source: String,
    job_url: String,
    date_posted: Option<String>,
    location: String,
    description: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    remote: Option<bool>,
    salary_min_usd: Option<f64>,
    salary_max_usd: Option<f64>,
    experience_level: Option<String>,
    key_skills: Vec<String>,
}

#[derive(Deserialize)]
pub struct News {
    status: Option<String>,
    primary_tag: Option<Tag>,
    total: Option<i64>,
    limit: Option<i64>,
    offset: Option<i64>,
    count: Option<i64>,
    credits_consumed: Option<f64>,
    data: Vec<Article>,
}

#[derive(Deserialize)]
pub struct Tag {
    name: Option<String>,
    code: Option<String>,
    is_primary: Option<bool>,
}

#[derive(Deserialize)]
pub struct Label {
    code: Option<String>,
    label: Option<String>,
}

#[derive(Deserialize)]
pub struct Code {
    code: Option<String>,
    name: Option<String>,
}

#[derive(Deserialize)]
pub struct Mention {
    uuid: Option<String>,
    name: Option<String>,
    website: Option<String>,
    is_primary: Option<bool>,
}

#[derive(Deserialize)]
pub struct Entities {
    person: Vec<String>,
    location: Vec<String>,
    product: Vec<String>,
    event: Vec<String>,
}

#[derive(Deserialize)]
pub struct Article {
    id: i64,
    title: String,
    url: String,
    publisher: Option<String>,
    published_date: Option<String>,
    sentiment: Option<String>,
    sentiment_score: Option<f64>,
    news_score: Option<f64>,
    newsworthiness_score: Option<f64>,
    ai_summary: Option<String>,
    word_count: Option<i64>,
    original_language: Option<String>,
    author: Option<String>,
    countries: Vec<String>,
    industries: Vec<Tag>,
    tags: Vec<Tag>,
    primary_tag: Option<Tag>,
    status: Option<String>,
    company_mentions: Vec<Mention>,
    article_type: Option<Label>,
    is_press_release: Option<bool>,
    is_opinion: Option<bool>,
    is_breaking: Option<bool>,
    iptc_codes: Vec<Code>,
    iab_categories: Vec<Code>,
    naics_codes: Vec<Code>,
    sic_codes: Vec<Code>,
    entities: Option<Entities>,
    group_id: Option<i64>,
    full_text: Option<String>,
}

#[derive(Deserialize)]
pub struct Enrichment {
    data: Company,
    credits_consumed: Option<f64>,
}

#[derive(Deserialize)]
pub struct Company {
    uuid: String,
    firmographic: Option<Firmographic>,
    business_model: Option<BusinessModel>,
    company_assessment: Option<Map<String, Value>>,
    trust_signal: Option<Map<String, Value>>,
    company_hierarchy: Option<Map<String, Value>>,
    digital_presence: Option<Map<String, Value>>,
    financial_estimate: Option<Map<String, Value>>,
    location: Option<Vec<Map<String, Value>>>,
    management_profile: Option<Vec<Executive>>,
    product_offering: Option<Offering>,
    strategic_signal: Option<Map<String, Value>>,
    customer_profile: Option<Customers>,
    industry: Option<Industry>,
    technology: Option<Technology>,
    funding_detail: Option<Map<String, Value>>,
    mna_and_investment: Option<Map<String, Value>>,
}

#[derive(Deserialize)]
pub struct Firmographic {
    name: Option<String>,
    legal_name: Option<String>,
    website: Option<String>,
    company_type: Option<String>,
    founded_year: Option<i64>,
    company_description: Option<String>,
    company_description_short: Option<String>,
    operating_status: Option<Label>,
    ownership_category: Option<Label>,
    headcount_range: Option<String>,
    website_screenshot: Option<String>,
}

#[derive(Deserialize)]
pub struct BusinessModel {
    gtm_motion: Vec<Entry>,
    revenue_model: Vec<Entry>,
    marketing_channels: Vec<Entry>,
    distribution_channels: Vec<Entry>,
}

/// An entry of several lists, which share most of their properties.
#[derive(Deserialize)]
pub struct Entry {
    title: Option<String>,
    description: Option<String>,
    source: Vec<String>,
    #[serde(rename = "type")]
    kind: Option<Label>,
    stage: Option<Label>,
    scope: Option<String>,
    target_buyer: Option<Label>,
    is_primary: Option<bool>,
    pain_point_addressed: Option<String>,
    use_case: Option<String>,
}

#[derive(Deserialize)]
pub struct Executive {
    designation: Option<String>,
    designation_category: Option<Label>,
    name: Option<String>,
    overview: Option<String>,
    profile_commentary: Option<String>,
    source: Vec<String>,
}

#[derive(Deserialize)]
pub struct Offering {
    brand: Vec<Product>,
    core_offering: Option<String>,
    differentiator: Option<String>,
    functional_benefit: Option<String>,
    problem_solved: Option<String>,
    product_overview: Option<String>,
    quantifiable_outcome: Vec<String>,
    product_and_service: Vec<Product>,
}

#[derive(Deserialize)]
pub struct Product {
    category: Option<String>,
    name: Option<String>,
    description: Option<String>,
    source: Vec<String>,
    url: Option<String>,
}

#[derive(Deserialize)]
pub struct Customers {
    segment: Vec<Entry>,
    icp: Vec<Ideal>,
    select_customer: Vec<Customer>,
}

#[derive(Deserialize)]
pub struct Ideal {
    buyer_persona: Option<String>,
    buying_structure: Option<Label>,
    description: Option<String>,
    evidence_proof_points: Vec<String>,
    firmographic_size: Option<Label>,
    geography: Option<String>,
    industry_vertical: Option<Label>,
    pain_points: Vec<String>,
    primary_use_case: Option<String>,
    profile: Option<String>,
    purchase_trigger: Option<String>,
    sales_cycle_length: Option<Label>,
    sales_motion: Option<Label>,
    target_buyer: Option<Label>,
}

#[derive(Deserialize)]
pub struct Customer {
    industry: Option<String>,
    name: Option<String>,
    source: Vec<String>,
    #[serde(rename = "type")]
    kind: Option<Label>,
    use_case: Option<String>,
}

#[derive(Deserialize)]
pub struct Industry {
    keyword: Vec<String>,
    industry: Vec<Class>,
    naics: Vec<Class>,
    sic: Vec<Class>,
    product_category: Option<String>,
}

#[derive(Deserialize)]
pub struct Class {
    code: Option<String>,
    label: Option<String>,
    is_primary: Option<bool>,
}

#[derive(Deserialize)]
pub struct Technology {
    is_technology_focussed: Option<bool>,
    api_detail: Option<ApiDetail>,
    integration: Vec<Entry>,
}

#[derive(Deserialize)]
pub struct ApiDetail {
    description: Option<String>,
    docs_url: Option<String>,
    has_api: Option<bool>,
    has_mcp: Option<bool>,
    sdk_language: Option<Label>,
}
