//! Responses against the document: everything sent is declared.

use checked_tests::undeclared;

use super::Server;

#[tokio::test]
async fn every_path_works_with_and_without_a_slash_at_its_end() {
    let server = Server::start().await;
    for (_, path, body) in server
        .full_calls()
        .iter()
        .filter(|(_, path, _)| !path.contains('{'))
    {
        let path = server.path(path);
        let (path, query) = path.split_once('?').unwrap_or((&path, ""));
        let plain = format!("{}?{query}", path.trim_end_matches('/'));
        let slashed = format!("{}/?{query}", path.trim_end_matches('/'));
        let call = async |path: &str| match body {
            Some(body) => server.post(path, body).await,
            None => server.get(path).await,
        };
        let (plain, slashed) = (call(&plain).await, call(&slashed).await);
        assert_eq!((plain.status, slashed.status), (200, 200), "{path}");
        assert_eq!(plain.text, slashed.text, "{path}");
    }
}

#[tokio::test]
async fn every_property_of_an_answer_is_declared() {
    let server = Server::start().await;
    let document = &server.sandbox.service.document;
    for (operation, reply) in server.full_responses().await {
        let mut operations = document.operations.iter();
        let operation = operations.find(|one| one.id == operation).unwrap();
        let schema = operation.response.as_ref().unwrap();
        let (document, body) = (&document.served, reply.json());
        let undeclared = undeclared(document, schema, &body, "");
        assert_eq!(undeclared, [], "{}", operation.id);
    }
}

#[tokio::test]
async fn two_sandboxes_give_the_same_bytes() {
    let (one, two) = (Server::start().await, Server::start().await);
    let responses = one.full_responses().await.into_iter();
    for ((operation, one), (_, two)) in responses.zip(two.full_responses().await) {
        assert_eq!(one.text, two.text, "{operation}");
    }
    for (_, path, _) in one
        .full_calls()
        .iter()
        .filter(|(_, path, body)| body.is_none() && !path.contains('{'))
    {
        assert_eq!(one.get(path).await.text, two.get(path).await.text, "{path}");
    }
}
