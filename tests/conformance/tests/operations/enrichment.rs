//! `enrichment`.

use company_intel::money::PriceSource;
use company_intel::types::EnrichmentSection;
use company_intel::{Credits, Error};
use serde_json::{Value, json};

use crate::paging::{COMPANY, sandbox, spent};
use crate::support::calls::sent;
use crate::support::operations::call;
use crate::support::payloads::essence;
use crate::support::served::{SERVED, check};
use crate::support::whole::whole;
use crate::support::wire::{assert_get, list};

#[tokio::test]
async fn its_requests() {
    let minimal = sent(|client| client.enrichment("example.com").send()).await;
    assert_get(minimal, "enrichment", "", "?company=example.com");

    let full = sent(|client| {
        use EnrichmentSection::*;
        let sections = [
            Firmographic,
            BusinessModel,
            CompanyAssessment,
            TrustSignal,
            CompanyHierarchy,
            DigitalPresence,
            FinancialEstimate,
            Location,
            ManagementProfile,
            ProductOffering,
            StrategicSignal,
            CustomerProfile,
            Industry,
            Technology,
            FundingDetail,
            MnaAndInvestment,
        ];
        client.enrichment("example.com").sections(sections).send()
    })
    .await;
    let sections = [
        "firmographic",
        "business_model",
        "company_assessment",
        "trust_signal",
        "company_hierarchy",
        "digital_presence",
        "financial_estimate",
        "location",
        "management_profile",
        "product_offering",
        "strategic_signal",
        "customer_profile",
        "industry",
        "technology",
        "funding_detail",
        "mna_and_investment",
    ];
    let sections = list("enrichment", "sections", &sections);
    let query = format!("?company=example.com&{sections}");
    assert_get(full, "enrichment", "", &query);
}

#[tokio::test]
async fn no_sections_are_all_sections() {
    let none: [EnrichmentSection; 0] = [];
    let request = sent(|client| client.enrichment("k7f3q9").sections(none).send()).await;
    assert_get(request, "enrichment", "", "?company=k7f3q9");
}

#[tokio::test]
async fn a_section_that_was_not_asked_for_is_absent_and_its_neighbours_are_not() {
    let payload: Value = serde_json::from_str(&reviewed_facts::payload("enrichment")).unwrap();
    let sections = payload["data"].as_object().unwrap();
    assert!(sections.len() > 10);
    for (name, section) in sections {
        let body = json!({"data": {name.as_str(): section}});
        let sent = whole("enrichment", &body.to_string());
        let read = call("enrichment", &sent).await.unwrap();
        assert_eq!(essence(&read.value), essence(&body), "{name}");
    }
}

#[tokio::test]
async fn a_section_is_asked_for_by_its_name_on_the_wire() {
    let (sandbox, client) = sandbox().await;
    let call = || client.enrichment(COMPANY);
    let named = call().extra_query("sections", "firmographic");
    assert_eq!(named.quote().source, PriceSource::Learned);
    let named = named.send_as::<Value>().await.unwrap();
    let typed = call().sections([EnrichmentSection::Firmographic]);
    let typed = typed.send_as::<Value>().await.unwrap();
    assert_eq!(named.body["data"], typed.body["data"]);
    assert_eq!(sandbox.bill().calls.len(), 2);
    assert!(spent(&sandbox, &client) > Credits::ZERO);

    let both = call().sections([EnrichmentSection::Firmographic]);
    let error = both
        .extra_query("sections", "new")
        .send()
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Argument(_)), "{error:?}");
    assert_eq!(sandbox.bill().calls.len(), 2);
}

#[tokio::test]
async fn what_the_sandbox_serves_is_read_whole() {
    let (_sandbox, client) = sandbox().await;
    for company in SERVED {
        check(client.enrichment(company).send().await);
    }
    let sections = [EnrichmentSection::Location, EnrichmentSection::Technology];
    let call = client.enrichment(COMPANY).sections(sections);
    check(call.send().await);
}
