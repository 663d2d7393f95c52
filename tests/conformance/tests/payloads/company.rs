//! Payloads about companies as such: searches, additions, headcount.

use company_intel::types::CompanyStatus;
use serde_json::json;

use crate::support::payloads::{
    ADD_COMPANY, COMPANY_SEARCH, HEADCOUNT_TRENDS, INDUSTRY_SEARCH, REQUEST_STATUS, assert_fields,
    read,
};

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
