//! Generates progenitor's client of the same document.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use openapi_to_rust::{CodeGenerator, GeneratorConfig, SchemaAnalyzer};
use openapiv3::OpenAPI;
use progenitor::Generator;

const DOCUMENT: &str = "../../generated/openapi.yaml";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={DOCUMENT}");
    let published = fs::read_to_string(DOCUMENT)?;
    let json: serde_json::Value = serde_yaml::from_str(&published)?;
    let document: OpenAPI = serde_yaml::from_str(&published)?;
    let tokens = Generator::default().generate_tokens(&document)?;
    let text = prettyplease::unparse(&syn::parse2(tokens)?);
    let out = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    let out = Path::new(&out);
    fs::write(out.join("peer.rs"), text)?;
    fs::write(out.join("document.json"), json.to_string())?;
    let folder = out.join("openapi_to_rust");
    fs::create_dir_all(&folder)?;
    let mut analysis = SchemaAnalyzer::new(json)?.analyze()?;
    let config = GeneratorConfig {
        enable_async_client: true,
        tracing_enabled: false,
        ..GeneratorConfig::default()
    };
    for made in CodeGenerator::new(config)
        .generate_all(&mut analysis)?
        .files
    {
        // A module that includes the file has no room for attributes of a whole file.
        let mut file = syn::parse_file(&made.content)?;
        file.attrs.clear();
        fs::write(folder.join(made.path), prettyplease::unparse(&file))?;
    }
    Ok(())
}
