//! The address of requests. `operations/` has the requests of each operation.

use company_intel::types::AddCompanyRequest;
use reviewed_facts::path;

use crate::support::calls::sent_below;
use crate::support::wire::{get, target};

#[tokio::test]
async fn the_base_url_keeps_its_path_and_needs_no_slash() {
    for (prefix, expected) in [
        ("", ""),
        ("/", ""),
        ("/api", "/api"),
        ("/api/", "/api"),
        ("/a/b/api", "/a/b/api"),
    ] {
        let request = sent_below(prefix, |client| client.job_posts("k7f3q9").send()).await;
        assert_eq!(
            get(request),
            expected.to_owned() + &target("job_posts", "", "?company=k7f3q9"),
            "{prefix}"
        );

        let request = sent_below(prefix, |client| client.request_status("r1").send()).await;
        assert_eq!(
            get(request),
            expected.to_owned() + &target("request_status", "r1", ""),
            "{prefix}"
        );

        let request = sent_below(prefix, |client| {
            client
                .add_company(AddCompanyRequest::new("A", "a.example"))
                .send()
        });
        assert_eq!(
            request.await.line,
            format!("POST {expected}{} HTTP/1.1", path("add_company")),
            "{prefix}",
        );
    }
}
