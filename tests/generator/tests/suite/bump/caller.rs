//! Callers that use all items of an old surface, one line of code per item, built against the new crate: exactly the lines
//! that no longer compile were predicted to be major.

use std::collections::{BTreeMap, BTreeSet};

use client_generator::surface::{Bump, Item, Kind, Surface};
use quote::ToTokens;

use super::{ALL, Compared, build};

/// Pairs with a major difference that still compiles.
const SILENT: &[(&str, &str)] = &[
    (
        "parameters of one type change places",
        "callers compile and mean something else",
    ),
    (
        "the crate has another name",
        "all crates are modules of one here",
    ),
];

/// A line of a caller, and the item that it uses.
struct Line {
    item: String,
    code: String,
}

fn lines(surface: &Surface) -> Vec<Line> {
    let line = |(index, item): (usize, &Item)| {
        Some(Line {
            item: item.path.clone(),
            code: uses(surface, item, index)?,
        })
    };
    surface.items().enumerate().filter_map(line).collect()
}

fn uses(surface: &Surface, item: &Item, index: usize) -> Option<String> {
    let path = &item.path;
    let owner = path.rsplit_once("::").map_or("", |(owner, _)| owner);
    let name = path.rsplit("::").next().unwrap();
    // Callers are built without features, and an account needs one.
    let signature = item.signature.replace(' ', "");
    if signature.contains("generated_client::account::") {
        return None;
    }
    let code = match item.kind {
        Kind::Package | Kind::Feature | Kind::Behaviour => return None,
        Kind::Reexport if item.signature.starts_with("#[cfg") => return None,
        Kind::Reexport => format!("fn f{index}() {{ use api::{path}; }}"),
        Kind::Type => {
            let named = format!("fn f{index}(_: {path}) where {path}: Send + Sync + Unpin {{}}");
            let field = format!("{path}::0");
            let is_open = surface.items().any(|one| one.path == field);
            if item.signature.ends_with("struct ()") && is_open {
                format!("{named} {}", whole(surface, path, index))
            } else {
                named
            }
        }
        Kind::Field => format!(
            "fn f{index}(value: &{owner}) -> &{} {{ &value.{name} }}",
            item.signature
        ),
        Kind::Variant => {
            let variant: syn::Variant =
                syn::parse_str(&format!("{name}{}", item.signature)).unwrap();
            let (taken, given) = fields(variant.fields.iter().enumerate().map(|(at, field)| {
                let name = field
                    .ident
                    .as_ref()
                    .map_or_else(|| at.to_string(), ToString::to_string);
                (name, field.ty.to_token_stream().to_string())
            }));
            format!(
                "fn f{index}({taken}) -> {owner} {{ {path} {{ {given} }} }} \
                 fn g{index}(value: {owner}) {{ if let {path} {{ .. }} = value {{}} }}"
            )
        }
        Kind::Constant => {
            let path = if owner.is_empty() {
                format!("api::{path}")
            } else {
                path.clone()
            };
            let signature = item.signature.replace("Self", owner);
            format!("fn f{index}() {{ let _: {signature} = {path}; }}")
        }
        Kind::Function => call(item, owner, index),
        Kind::Trait => {
            let (bound, of) = path.strip_prefix("impl ")?.split_once(" for ")?;
            let bound = match bound {
                "serde::Deserialize" => "for<'de> serde::Deserialize<'de>".to_owned(),
                // `impl Trait for T with Output = U` also tests the associated type.
                bound => match item.signature.replace(" with ", ", ").split_once(", ") {
                    Some((_, belongs)) if bound.ends_with('>') => {
                        format!("{}, {belongs}>", bound.trim_end_matches('>'))
                    }
                    Some((_, belongs)) => format!("{bound}<{belongs}>"),
                    None => bound.to_owned(),
                },
            };
            let bound = bound.replace('&', "&'static ");
            format!("fn f{index}() {{ fn is<T: {bound}>() {{}} is::<{of}>(); }}")
        }
    };
    Some(from_root(&code))
}

/// Destructures all fields of a struct and all variants of an enumeration, or constructs them.
fn whole(surface: &Surface, path: &str, index: usize) -> String {
    let of = |kind: Kind| {
        let owner = |item: &Item| Some(item.path.rsplit_once("::")?.0.to_owned());
        let all = surface.items();
        all.filter(move |item| item.kind == kind && owner(item).as_deref() == Some(path))
    };
    let name = |item: &Item| item.path.rsplit("::").next().unwrap().to_owned();
    let (taken, given) = fields(of(Kind::Field).map(|item| (name(item), item.signature.clone())));
    let names: String = of(Kind::Field)
        .map(|item| format!("{}: _, ", name(item)))
        .collect();
    format!(
        "fn g{index}({taken}) -> {path} {{ {path} {{ {given} }} }} fn h{index}(value: {path}) {{ let {path} {{ {names} }} = value; }}"
    )
}

/// Returns arguments of these types, and fields set to them.
fn fields(of: impl Iterator<Item = (String, String)>) -> (String, String) {
    of.enumerate()
        .map(|(at, (name, ty))| (format!("a{at}: {ty}, "), format!("{name}: a{at}, ")))
        .unzip()
}

/// Writes a function with the signature of the called one, so that the types are exactly the declared ones.
fn call(item: &Item, owner: &str, index: usize) -> String {
    let mut declared: syn::TraitItemFn = syn::parse_str(&format!("{};", item.signature)).unwrap();
    declared.attrs.clear();
    let signature = &mut declared.sig;
    let own = syn::parse_str(&format!("f{index}")).unwrap();
    let name = std::mem::replace(&mut signature.ident, own);
    let mut given = Vec::new();
    for (at, input) in signature.inputs.iter_mut().enumerate() {
        let (argument, ty) = match input {
            syn::FnArg::Receiver(receiver) => {
                let by = receiver.to_token_stream().to_string();
                let ty = syn::parse_str(&by.replace("self", "Self")).unwrap();
                ("this".to_owned(), ty)
            }
            syn::FnArg::Typed(input) => (format!("a{at}"), (*input.ty).clone()),
        };
        let pattern: syn::Ident = syn::parse_str(&argument).unwrap();
        *input = syn::parse_quote!(#pattern: #ty);
        given.push(argument);
    }
    let awaited = if signature.asyncness.is_some() {
        ".await"
    } else {
        ""
    };
    let signature = signature.to_token_stream().to_string();
    format!(
        "{signature} {{ {owner}::{name}({}){awaited} }}",
        given.join(", ")
    )
    .replace("Self", owner)
}

/// Rewrites paths of the surface, which start at the root of its crate.
fn from_root(code: &str) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        let (before, from) = rest.split_at(start);
        let end = from
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(from.len());
        let (word, after) = from.split_at(end);
        text.push_str(before);
        if matches!(word, "types" | "operations" | "Client" | "Server")
            && !text.trim_end().ends_with("::")
        {
            text.push_str("api::");
        }
        text.push_str(word);
        rest = after;
    }
    text + rest
}

/// Returns the lines of each caller that do not compile. An error can stop the compiler early, so failing lines are
/// removed until the rest compiles.
fn failures(callers: &BTreeMap<String, (String, Vec<Line>)>) -> BTreeMap<String, BTreeSet<usize>> {
    let mut failing: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let modules: String = callers
        .keys()
        .map(|name| format!("mod {name};\n"))
        .collect();
    build::write(
        "callers/src/lib.rs",
        &format!("#![allow(warnings)]\n{modules}"),
    );
    loop {
        for (name, (module, lines)) in callers {
            let out = failing.entry(name.clone()).or_default();
            let mut text =
                format!("use {{pairs::{module} as api, std::fmt::Debug, std::hash::Hash}};\n");
            for (index, line) in lines.iter().enumerate() {
                text.push_str(if out.contains(&index) { "" } else { &line.code });
                text.push('\n');
            }
            build::write(&format!("callers/src/{name}.rs"), &text);
        }
        let (compiles, messages) = build::check("callers");
        if compiles {
            return failing;
        }
        let mut found = 0;
        for message in &messages {
            let message = &message["message"];
            for span in message["spans"].as_array().into_iter().flatten() {
                let file = span["file_name"].as_str().unwrap();
                let name = file.rsplit('/').next().unwrap().trim_end_matches(".rs");
                if message["level"] == "error"
                    && span["is_primary"] == true
                    && callers.contains_key(name)
                {
                    // The first line is the import.
                    let line = span["line_start"].as_u64().unwrap() as usize - 2;
                    found += usize::from(failing.entry(name.to_owned()).or_default().insert(line));
                }
            }
        }
        assert!(found > 0, "an error of no caller");
    }
}

/// Returns the items whose use is predicted not to compile.
fn predicted(compared: &Compared, lines: &[Line]) -> BTreeSet<String> {
    let majors = compared
        .differences
        .iter()
        .filter(|difference| difference.bump == Bump::Major);
    majors
        .map(|difference| {
            // A breaking addition breaks those who use the type that it belongs to.
            let used = lines.iter().any(|line| line.item == difference.item);
            match difference.item.rsplit_once("::") {
                Some((owner, _)) if !used => owner.to_owned(),
                _ => difference.item.clone(),
            }
        })
        .collect()
}

/// Returns whether an item is the type, one of its members or one of its traits.
fn belongs(item: &str, to: &str) -> bool {
    item == to || item.starts_with(&format!("{to}::")) || item.ends_with(&format!(" for {to}"))
}

#[test]
#[ignore = "the gate runs it: it compiles callers of 80 crates"]
fn callers_of_the_old_crate_compile_with_the_new_one_but_for_what_is_major() {
    let mut callers = BTreeMap::new();
    for (index, compared) in ALL.pairs.iter().enumerate() {
        let [old, new] = &compared.modules;
        let own = || (old.clone(), lines(&compared.old));
        callers.entry(format!("own_{old}")).or_insert_with(own);
        callers.insert(format!("p{index:03}"), (new.clone(), lines(&compared.old)));
    }
    let failures = failures(&callers);
    let mut wrong = Vec::new();
    for (name, out) in failures.iter().filter(|(name, _)| name.starts_with("own")) {
        let (_, lines) = &callers[name];
        let lines = out.iter().map(|line| &lines[*line].code);
        wrong.extend(lines.map(|code| format!("{name}: {code}")));
    }
    for (index, compared) in ALL.pairs.iter().enumerate() {
        let name = format!("p{index:03}");
        let (_, lines) = &callers[&name];
        let failing: BTreeSet<&str> = failures[&name]
            .iter()
            .map(|line| lines[*line].item.as_str())
            .collect();
        let predicted = predicted(compared, lines);
        let name = compared.pair.name.as_str();
        for item in &failing {
            // Complete use of a type uses all of its members.
            if !predicted
                .iter()
                .any(|major| belongs(item, major) || belongs(major, item))
            {
                wrong.push(format!("{name}: `{item}` was not predicted to break"));
            }
        }
        if SILENT.iter().any(|(silent, _)| *silent == name) {
            assert!(!predicted.is_empty(), "{name}");
            continue;
        }
        for major in &predicted {
            if !failing.iter().any(|item| belongs(item, major)) {
                wrong.push(format!("{name}: `{major}` was predicted to break"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
