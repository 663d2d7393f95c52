//! Changes a repository and stores an object in each documented way: `cargo run -p checked-tests --example lake`.

use std::error::Error;

use checked_tests::Service;
use lake_client::Client;
use lake_client::operations::UploadObjectMultipart;
use lake_client::request::{Part, Payload};
use lake_client::types::{Owner, RepositoryChange};

const DOCUMENT: &str = include_str!("../../documents/lake/openapi.yaml");

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let service = Service::start(DOCUMENT, &[]).await?;
    run(&service.url()).await?;
    for received in service.take_received() {
        println!("{}: {}", received.operation, received.body);
    }
    Ok(())
}

pub(crate) async fn run(url: &str) -> Result<(), Box<dyn Error>> {
    let client = Client::builder(url).build()?;
    // Unset members stay unchanged; an empty list is a list, and cleared members are null.
    let change = RepositoryChange::new()
        .clear_description()
        .labels(Vec::<String>::new())
        .owner(Owner::new("Ada").clear_note());
    client.change_repository("books", change).send().await?;

    let object = client
        .upload_object("books")
        .body(Payload::from("as it is"));
    object.send().await?;
    let parts = UploadObjectMultipart::new(
        Part::new("{}")
            .file_name("a.json")
            .content_type("application/json"),
    )
    .note("by hand")
    .more(["one", "two"]);
    let stored = client.upload_object("books").body(parts).send().await?;
    println!("stored {}", stored.body.path);
    Ok(())
}
