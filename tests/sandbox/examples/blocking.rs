//! A program without `async`: `cargo run -p company-intel-sandbox --example blocking`.

use company_intel_sandbox::Sandbox;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One runtime for the whole program: it keeps the connections of the client.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let sandbox = runtime.block_on(Sandbox::start())?;
    let client = sandbox.client()?;

    for company in ["example.com", "example.org"] {
        match runtime.block_on(client.headcount_trends(company).send()) {
            Ok(trend) => match trend.body.data.total_employees {
                Some(employees) => println!("{company}: {employees} employees"),
                None => println!("{company}: no number"),
            },
            Err(error) => println!("{error}"),
        }
    }
    Ok(())
}
