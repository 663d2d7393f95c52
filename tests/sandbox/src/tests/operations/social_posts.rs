//! `social_posts`.

use crate::tests::Server;

#[tokio::test]
async fn its_price_is_that_of_the_document() {
    let server = Server::start().await;
    for (arguments, is_made_up) in [("", false), ("&limit=3", true)] {
        let path = format!("socialPosts?company=example.com{arguments}");
        server.costs(&path, 1_000_000, is_made_up).await;
    }
}
