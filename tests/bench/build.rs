//! Generates progenitor's client of the same document.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

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
    fs::write(Path::new(&out).join("peer.rs"), text)?;
    fs::write(Path::new(&out).join("document.json"), json.to_string())?;
    Ok(())
}
