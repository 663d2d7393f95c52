//! Lists the types and the operations of the generated crate, so that suites can go through all of them.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use syn::{FnArg, ImplItem, Item, ReturnType, Type, Visibility};

fn main() -> Result<(), Box<dyn Error>> {
    let (mut types, mut closed) = (Vec::new(), Vec::new());
    let source = "../../generated/src/types.rs";
    println!("cargo::rerun-if-changed={source}");
    for item in syn::parse_file(&fs::read_to_string(source)?)?.items {
        match item {
            Item::Struct(one) if matches!(one.vis, Visibility::Public(_)) => {
                types.push(one.ident.to_string());
            }
            Item::Enum(one) if matches!(one.vis, Visibility::Public(_)) => {
                let name = one.ident.to_string();
                if !one.variants.iter().any(|one| one.ident == "Unrecognized") {
                    closed.push(name.clone());
                }
                types.push(name);
            }
            _ => {}
        }
    }
    let text = format!(
        "/// The enums that know no other values than those of the document.\n\
         pub(crate) const CLOSED: &[&str] = &{closed:?};\n\
         /// Gives the names of all types to a macro.\n\
         macro_rules! every_type {{ ($with:ident) => {{ $with! {{ {} }} }}; }}\n",
        types.join(" ")
    );
    let out = env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    fs::write(Path::new(&out).join("types.rs"), text)?;
    fs::write(Path::new(&out).join("operations.rs"), operations()?)?;
    fs::write(Path::new(&out).join("readme.rs"), readme()?)?;
    Ok(())
}

/// Pages whose Rust blocks are run.
const PAGES: [&str; 6] = [
    "../../README.md",
    "../../docs/batches.md",
    "../../docs/budgets.md",
    "../../docs/cache.md",
    "../../docs/drift.md",
    "../../docs/pages.md",
];

/// Makes a module of each Rust block of these pages; its calls go to a sandbox.
fn readme() -> Result<String, Box<dyn Error>> {
    let mut texts = String::new();
    for source in PAGES {
        println!("cargo::rerun-if-changed={source}");
        texts += &fs::read_to_string(source)?;
    }
    let blocks = texts.split("\n```rust").skip(1);
    let blocks = blocks.filter_map(|block| block.split_once('\n')?.1.split("\n```").next());
    let mut modules = String::new();
    for block in blocks {
        let name = match block
            .split_once("async fn ")
            .and_then(|(_, rest)| rest.split_once('('))
        {
            Some((name, _)) => name.to_owned(),
            None => return Err("a block of a page has no function".into()),
        };
        let lines = block
            .lines()
            .map(|line| line.strip_prefix("# ").unwrap_or(line));
        let code: Vec<String> = lines
            .filter(|line| *line != "#[tokio::main]")
            .map(|line| match line.strip_prefix("async fn ") {
                Some(rest) => format!("pub(super) async fn {rest}"),
                None => line.to_owned(),
            })
            .collect();
        let code = code
            .join("\n")
            .replace("\"https://api.example.com/api\"", "super::base_url()")
            .replace(".api_key(\"…\")", ".api_key(super::API_KEY)")
            .replace("Client::from_env()?", "super::client()?")
            .replace("Client::builder_from_env()?", "super::builder()")
            .replace("\"headcount.journal\"", "super::journal()")
            .replace("\"responses.sqlite\"", "super::responses()")
            .replace("\"tests/responses.sqlite\"", "super::responses()");
        modules += &format!(
            "#[allow(unused_imports, reason = \"the replaced calls needed them\")]\nmod {name} {{\n{code}\n}}\n"
        );
    }
    Ok(modules)
}

/// Passes each operation to a macro, as `name: client => call`. String arguments are `a.example`, numbers are 1.
fn operations() -> Result<String, Box<dyn Error>> {
    let source = "../../generated/src/client.rs";
    println!("cargo::rerun-if-changed={source}");
    let mut calls = String::new();
    for item in syn::parse_file(&fs::read_to_string(source)?)?.items {
        let Item::Impl(one) = item else { continue };
        for method in one.items {
            let ImplItem::Fn(method) = method else {
                continue;
            };
            let ReturnType::Type(_, returned) = &method.sig.output else {
                continue;
            };
            let Type::Path(returned) = &**returned else {
                continue;
            };
            let first = returned.path.segments.first();
            if first.is_none_or(|segment| segment.ident != "operations") {
                continue;
            }
            let arguments = method.sig.inputs.iter().filter_map(|input| match input {
                FnArg::Typed(typed) => Some(given(&typed.ty)),
                FnArg::Receiver(_) => None,
            });
            let arguments = arguments.collect::<Result<Vec<_>, _>>()?.join(", ");
            let name = &method.sig.ident;
            calls += &format!("        {name}: client => client.{name}({arguments}),\n");
        }
    }
    Ok(format!(
        "/// Gives the calls of all operations to a macro.\n\
         macro_rules! every_operation {{ ($with:ident) => {{ $with! {{\n{calls}    }} }}; }}\n"
    ))
}

/// Returns an argument that fits a type. For a struct of the types, it is the result of the constructor.
fn given(of: &Type) -> Result<String, Box<dyn Error>> {
    let segments = match of {
        Type::Path(path) => path.path.segments.iter().map(|one| one.ident.to_string()),
        _ => return Ok(argument(of).to_owned()),
    };
    let [module, name] = &segments.collect::<Vec<_>>()[..] else {
        return Ok(argument(of).to_owned());
    };
    if module != "types" {
        return Ok(argument(of).to_owned());
    }
    for item in syn::parse_file(&fs::read_to_string("../../generated/src/types.rs")?)?.items {
        let Item::Impl(one) = item else { continue };
        let is_it = matches!(&*one.self_ty, Type::Path(path) if path.path.is_ident(name));
        for method in one.items {
            if let ImplItem::Fn(method) = method
                && is_it
                && method.sig.ident == "new"
            {
                let given = method.sig.inputs.iter().filter_map(|input| match input {
                    FnArg::Typed(typed) => Some(argument(&typed.ty)),
                    FnArg::Receiver(_) => None,
                });
                let given = given.collect::<Vec<_>>().join(", ");
                return Ok(format!("company_intel::types::{name}::new({given})"));
            }
        }
    }
    Ok(argument(of).to_owned())
}

/// Returns an argument that fits the outermost name of a type.
fn argument(of: &Type) -> &'static str {
    let Type::Path(path) = of else {
        // `impl Into<…>`
        return "\"a.example\"";
    };
    let name = path
        .path
        .segments
        .last()
        .map(|segment| segment.ident.to_string());
    match name.as_deref() {
        Some("bool") => "true",
        Some("f32" | "f64") => "1.0",
        Some(name) if name.starts_with(['i', 'u']) => "1",
        _ => "::core::default::Default::default()",
    }
}
