//! Lists the types of the generated crate, so that suites can go through all of them.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use syn::{Item, Type, Visibility};

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
                types.push(one.ident.to_string());
            }
            // Only an enum that knows the list and nothing else can fail to read a text.
            Item::Impl(one) => {
                let of = one
                    .trait_
                    .as_ref()
                    .and_then(|(path, _)| path.segments.last());
                if let (Some(of), Type::Path(ty)) = (of, &*one.self_ty)
                    && of.ident == "FromStr"
                {
                    closed.extend(ty.path.get_ident().map(ToString::to_string));
                }
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
    Ok(())
}
