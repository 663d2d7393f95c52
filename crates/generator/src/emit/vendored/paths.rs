//! The paths of the runtime and of emitted code, where the crates of the runtime are modules.

use super::MODULES;
use super::pieces::{Kind, pieces};

/// Rewrites an emitted file, if it is one that has paths.
pub(in super::super) fn emitted(path: &str, text: &str, package: &str) -> Option<String> {
    match path {
        "README.md" => Some(linked(text, &package.replace('-', "_"))),
        path => path.ends_with(".rs").then(|| code(text)),
    }
}

/// Rewrites the paths of emitted code. Comments and strings stay, except paths in attributes of serde.
fn code(text: &str) -> String {
    let mut before = "";
    let mut all = String::new();
    for (kind, piece) in pieces(text) {
        let is_path = match kind {
            Kind::Code => true,
            Kind::Literal => before.ends_with("_with = "),
            Kind::Comment => false,
        };
        if is_path {
            all.push_str(&rewritten(piece, None, "crate"))
        } else {
            all.push_str(piece)
        }
        before = piece;
    }
    all
}

/// Rewrites the paths of a file of the runtime, which becomes part of a module. Its examples need crates that the emitted crate has not:
/// they are read and not run, and name the crate as its callers do.
pub(super) fn runtime(text: &str, module: &str, crate_name: &str) -> String {
    let mut all = String::new();
    let mut is_example = false;
    for (kind, piece) in pieces(text) {
        match kind {
            Kind::Code => all.push_str(&rewritten(piece, Some(module), "crate")),
            // The fence of an example that depends on a feature.
            Kind::Literal if piece.starts_with("\"```") && all.ends_with("doc = ") => {
                is_example = true;
                all.push_str("\"```ignore\"");
            }
            Kind::Literal => all.push_str(piece),
            Kind::Comment => {
                let fence = fence(piece);
                let text = match fence {
                    Some(_) if is_example => piece.to_owned(),
                    Some(info) if is_rust(info) => {
                        piece.trim_end_matches(info).to_owned() + "ignore"
                    }
                    Some(_) => piece.to_owned(),
                    None if is_example => rewritten(piece, None, crate_name),
                    None => linked(&rewritten(piece, Some(module), "crate"), crate_name),
                };
                is_example ^= fence.is_some();
                all.push_str(&text);
            }
        }
    }
    all
}

/// Returns the rest of a line of documentation behind the fence of an example, if it is one.
fn fence(line: &str) -> Option<&str> {
    let line = line.strip_prefix("///").or(line.strip_prefix("//!"))?;
    line.trim().strip_prefix("```")
}

fn is_rust(info: &str) -> bool {
    let known = ["rust", "no_run", "should_panic", "compile_fail", "ignore"];
    let mut words = info.split(',').map(str::trim);
    words.all(|word| word.is_empty() || known.contains(&word))
}

/// Writes the paths that begin with a crate of the runtime as those of its module, and those of the file's own crate if it is of a `module`.
fn rewritten(text: &str, module: Option<&str>, root: &str) -> String {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut all = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(is_of_name) {
        let (between, from) = rest.split_at(at);
        all.push_str(between);
        let (name, after) = from.split_at(from.find(|c| !is_of_name(c)).unwrap_or(from.len()));
        let is_path = after.starts_with("::");
        let is_module = MODULES.iter().any(|(one, _)| *one == name);
        match module {
            Some(module) if is_path && name == "crate" => {
                all.push_str(&format!("crate::{module}"));
            }
            _ if is_path && is_module => {
                if all.ends_with("::") {
                    all.truncate(all.len() - 2);
                }
                all.push_str(&format!("{root}::{name}"));
            }
            _ => all.push_str(name),
        }
        rest = after;
    }
    all + rest
}

/// Leads a link to a crate of the runtime to its module. Any other mention of the crate is that of a target of `tracing`.
fn linked(comment: &str, crate_name: &str) -> String {
    MODULES
        .iter()
        .fold(comment.to_owned(), |text, (module, _)| {
            text.replace(
                &format!("[`{module}`]"),
                &format!("[`{module}`](crate::{module})"),
            )
            .replace(
                &format!(" `{module}`"),
                &format!(" `{crate_name}::{module}`"),
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_the_module_and_an_example_names_the_crate() {
        let text = "//! Of [`generated_client`], as [X](crate::x::X) and `generated_client`.\n\
                    //!\n//! ```\n//! use generated_client::Call;\n//! ```\n\
                    //! ```text\n//! a\n//! ```\n\
                    #[doc = \"```\"]\nuse crate::{a, b};\n\
                    pub(in crate::c) fn f(_: ::generated_client::D) -> E { $crate::e!(\"crate::f\", my_crate::G) }\n";
        assert_eq!(
            runtime(text, "generated_cli", "shop"),
            "//! Of [`generated_client`](crate::generated_client), as [X](crate::generated_cli::x::X) and `shop::generated_client`.\n\
             //!\n//! ```ignore\n//! use shop::generated_client::Call;\n//! ```\n\
             //! ```text\n//! a\n//! ```\n\
             #[doc = \"```ignore\"]\nuse crate::generated_cli::{a, b};\n\
             pub(in crate::generated_cli::c) fn f(_: crate::generated_client::D) -> E \
             { $crate::generated_cli::e!(\"crate::f\", my_crate::G) }\n"
        );
    }

    #[test]
    fn what_a_document_says_stays_in_emitted_code() {
        let text = "/// See generated_client::a.\n#[serde(rename = \"generated_client::b\", deserialize_with = \"generated_client::wire::c\")]\n\
                    x: generated_client::D,\n";
        assert_eq!(
            code(text),
            "/// See generated_client::a.\n#[serde(rename = \"generated_client::b\", deserialize_with = \"crate::generated_client::wire::c\")]\n\
             x: crate::generated_client::D,\n"
        );
    }
}
