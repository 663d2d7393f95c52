//! The payload of an enrichment, section by section.

use serde_json::json;

use crate::support::payloads::{ENRICHMENT, assert_fields, read};

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
