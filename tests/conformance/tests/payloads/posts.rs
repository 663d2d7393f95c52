//! Payloads of what is published: news, job posts, social posts.

use company_intel::types::{JobType, Sentiment};
use serde_json::json;

use crate::support::payloads::{JOB_POSTS, NEWS, SOCIAL_POSTS, assert_fields, read};

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
