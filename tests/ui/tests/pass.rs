//! Each case of `fail/`, corrected, by the same name. Most of the test is that it compiles: an error that no correction removes
//! proves nothing.

#![allow(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

use company_intel::types::{
    AddCompanyRequest, CodeName, CompanyId, CompanySearchResult, CompanyStatus, EnrichmentSection,
};
use company_intel::{ApiClient, Client, ClientBuilder, Error};

fn client() -> Client {
    let builder = Client::builder("https://api.example").api_key("canary");
    builder.build().unwrap()
}

/// Makes the calls of all cases. Never run, because it would need the service.
#[expect(dead_code, reason = "compiling it is the test")]
async fn calls(client: &Client, found: &CompanySearchResult) -> Result<(), Error> {
    // a_call_that_is_not_sent_is_a_warning, a_company_is_not_optional
    client.job_posts("example.com").send().await?;

    // a_call_that_is_not_sent_has_no_body
    let response = client.job_posts("example.com").send().await?;
    let _ = response.body.data;

    // a_company_is_not_a_number
    client.job_posts("42").send().await?;
    client.job_posts(String::from("42")).send().await?;
    client.job_posts(CompanyId::from("42")).send().await?;
    if let Some(uuid) = &found.uuid {
        client.job_posts(uuid).send().await?;
    }

    // a_limit_is_not_negative
    client.job_posts("example.com").limit(1).send().await?;

    // a_limit_needs_an_operation_that_has_one
    client.headcount_trends("example.com").send().await?;
    let call = client.job_posts("example.com").limit(5);
    call.send().await?;

    // a_section_is_not_a_text
    let call = client.enrichment("example.com");
    call.sections([EnrichmentSection::Firmographic])
        .send()
        .await?;

    // an_operation_must_exist
    client.job_posts("example.com").send().await?;

    // a_request_may_get_new_fields
    let company = AddCompanyRequest::new("Example Robotics", "example.com");
    client.add_company(company).send().await?;
    Ok(())
}

#[test]
fn a_section_must_exist() {
    let section = EnrichmentSection::Firmographic;
    assert_eq!(section.to_string(), "firmographic");
    assert_eq!(
        "firmographic".parse::<EnrichmentSection>().unwrap(),
        section
    );
    assert!("firmografic".parse::<EnrichmentSection>().is_err());
}

#[test]
fn an_open_enum_needs_a_wildcard() {
    fn is_listed(status: &CompanyStatus) -> bool {
        match status {
            CompanyStatus::Public => true,
            CompanyStatus::Private
            | CompanyStatus::Acquired
            | CompanyStatus::Delisted
            | CompanyStatus::Unknown
            | CompanyStatus::Unrecognized(_) => false,
            _ => false,
        }
    }
    assert!(is_listed(&CompanyStatus::from("public")));
    assert!(!is_listed(&CompanyStatus::from("in_liquidation")));
    assert_eq!("private".parse(), Ok(CompanyStatus::Private));
    assert_eq!(CompanyStatus::from("in_liquidation"), "in_liquidation");
    let all = CompanyStatus::ALL.iter().map(CompanyStatus::as_str);
    assert!(all.eq(CompanyStatus::KNOWN.iter().copied()));
}

#[test]
fn a_response_may_get_new_fields() {
    let mut entry = CodeName::default();
    entry.name = "Business".into();
    let CodeName { code, name, .. } = entry;
    assert_eq!((&*code, &*name), ("", "Business"));
}

#[test]
fn a_client_is_not_made_of_that_of_another_api() {
    // Functions common to the clients of all APIs are in their builders.
    fn built<C: ApiClient>(builder: ClientBuilder<C>) -> Result<C, Error> {
        builder.api_key("canary").build()
    }
    let client: Client = built(Client::builder("http://localhost/api")).unwrap();
    assert!(format!("{client:?}").contains("http://localhost/api"));
}

#[test]
fn the_key_cannot_be_printed() {
    assert!(!format!("{:?}", client()).contains("canary"));
}

#[test]
fn the_key_cannot_be_read_back() {
    // It can be replaced, by building another client.
    let other = Client::builder("https://api.example").api_key("another");
    assert!(other.build().is_ok());
}
