//! Stores a file in each documented way, and an agent with two kinds of tools: `cargo run -p checked-tests --example assistant`.

use std::error::Error;

use assistant_client::Client;
use assistant_client::operations::UploadFileMultipart;
use assistant_client::request::{Part, Payload};
use assistant_client::types::{
    AgentCreation, Function, FunctionTool, HookChannel, Purpose, Tool, WebSearchTool,
};
use checked_tests::Service;

const DOCUMENT: &str = include_str!("../../documents/assistant/openapi.yaml");

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
    let whole = client.upload_file().body(Payload::from("as it is"));
    whole.send().await?;
    let file = Part::new("a,b").file_name("a.csv").content_type("text/csv");
    let parts = UploadFileMultipart::new(file).purpose(Purpose::Batch);
    let parts = parts.more(["one", "two"]);
    let stored = client.upload_file().body(parts).send().await?;
    println!("stored {}", stored.body.id);

    // The tag of a tool and the number of a channel are set by the client. An empty list is a list, and a cleared member is null.
    let tools = vec![
        Tool::WebSearchTool(Box::new(WebSearchTool::new())),
        Tool::FunctionTool(Box::new(FunctionTool::new(
            Function::new("add").strict(true),
        ))),
    ];
    let agent = AgentCreation::new("clerk", tools)
        .clear_instructions()
        .labels([""; 0])
        .channel(HookChannel::new("https://clerk.example").into());
    let agent = client.create_agent(agent).send().await?;
    for tool in &agent.body.tools {
        match tool {
            Tool::WebSearchTool(_) => println!("searches"),
            Tool::FunctionTool(tool) => println!("calls {:?}", tool.function),
            other => println!("a tool of a later version: {other:?}"),
        }
    }
    Ok(())
}
