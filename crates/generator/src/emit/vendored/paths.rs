//! Paths in a crate that contains the runtime, where the crates of the runtime are modules.

use super::{MODULES, OF_CLI};

/// Rewrites an emitted file, if it is one that has paths.
pub(in super::super) fn emitted(path: &str, text: &str, package: &str) -> Option<String> {
    match path {
        "README.md" => Some(of_targets(text, &package.replace('-', "_"))),
        path => path.ends_with(".rs").then(|| emitted_code(text)),
    }
}

/// Rewrites the paths of emitted code. Comments and strings stay.
fn emitted_code(text: &str) -> String {
    text.split_inclusive('\n').map(emitted_line).collect()
}

fn emitted_line(line: &str) -> String {
    if line.trim_start().starts_with("//") {
        return line.to_owned();
    }
    let mut all = String::new();
    let mut is_string = false;
    for piece in line.split_inclusive('"') {
        if is_string {
            all.push_str(piece);
        } else {
            all.push_str(&rewritten(piece, "crate"));
        }
        let before = piece.trim_end_matches('"');
        let backslashes = before.len() - before.trim_end_matches('\\').len();
        is_string ^= piece.ends_with('"') && backslashes % 2 == 0;
    }
    all
}

/// Rewrites the paths of a file of the runtime, which becomes part of a module. Its examples need crates that the emitted crate has not:
/// those of items are read and not run, and name the crate as its callers do; those of modules, for generated code, are left out.
pub(super) fn runtime(text: &str, module: &str, crate_name: &str) -> String {
    let own = format!("crate::{module}::");
    let mut all = String::new();
    let (mut is_example, mut is_left_out) = (false, false);
    for line in text.split_inclusive('\n') {
        let is_of_module = line.starts_with("//!");
        if let Some(info) = fence(line) {
            is_example = !is_example;
            let is_left = is_left_out;
            is_left_out = is_example && is_of_module && is_rust(info);
            if is_left || is_left_out {
                continue;
            }
            if is_example && is_rust(info) {
                all.push_str(line.trim_end().trim_end_matches(info));
                all.push_str("ignore\n");
            } else {
                all.push_str(line);
            }
        } else if is_example && !is_left_out {
            all.push_str(&rewritten(line, crate_name));
        } else if !(is_left_out || line == "//!\n" && all.ends_with("//!\n")) {
            let line = line.replace("crate::", &own);
            if module == OF_CLI {
                all.push_str(&rewritten(&line, "crate"));
            } else {
                all.push_str(&of_targets(&line, crate_name));
            }
        }
    }
    all
}

/// Returns the rest of a line of documentation behind the fence of an example, if it is one.
fn fence(line: &str) -> Option<&str> {
    let line = line.trim();
    let line = line.strip_prefix("///").or(line.strip_prefix("//!"))?;
    line.trim_start().strip_prefix("```")
}

fn is_rust(info: &str) -> bool {
    let known = ["rust", "no_run", "should_panic", "compile_fail", "ignore"];
    let mut words = info.split(',').map(str::trim);
    words.all(|word| word.is_empty() || known.contains(&word))
}

/// Begins paths into a crate of the runtime with this crate.
fn rewritten(text: &str, root: &str) -> String {
    let mut all = text.to_owned();
    for (module, _) in MODULES {
        let path = format!("{module}::");
        let mut parts = all.split(&path);
        let mut rest = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_inside = rest.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                || rest.ends_with("crate::");
            if !is_inside {
                rest.truncate(rest.trim_end_matches("::").len());
                rest.push_str(&format!("{root}::"));
            }
            rest.push_str(&path);
            rest.push_str(part);
        }
        all = rest;
    }
    all
}

/// Names the targets of `tracing`, which begin with the crate.
fn of_targets(text: &str, crate_name: &str) -> String {
    text.replace(
        "`generated_client`",
        &format!("`{crate_name}::generated_client`"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_the_module_and_an_example_names_the_crate() {
        let text = "//! As [X](crate::x::X) and [Y](generated_client::Y).\n\
                    //!\n//! ```\n//! use generated_client::Call;\n//! ```\n//!\n\
                    //! ```text\n//! a\n//! ```\n\
                    use crate::{a, b};\n\
                    /// ```\n/// use generated_client::Call;\n/// ```\n\
                    pub(in crate::c) fn f(_: ::generated_client::D) -> E { $crate::e!(my_generated_client::G) }\n";
        assert_eq!(
            runtime(text, "generated_cli", "shop"),
            "//! As [X](crate::generated_cli::x::X) and [Y](crate::generated_client::Y).\n\
             //!\n\
             //! ```text\n//! a\n//! ```\n\
             use crate::generated_cli::{a, b};\n\
             /// ```ignore\n/// use shop::generated_client::Call;\n/// ```\n\
             pub(in crate::generated_cli::c) fn f(_: crate::generated_client::D) -> E \
             { $crate::generated_cli::e!(my_generated_client::G) }\n"
        );
    }

    #[test]
    fn what_a_document_says_stays_in_emitted_code() {
        let text = "/// See generated_client::a.\n#[serde(rename = \"generated_client::b\")]\n\
                    x: generated_client::D,\n(\"\\\" generated_client::e\\\\\", generated_client::F)\n";
        assert_eq!(
            emitted_code(text),
            "/// See generated_client::a.\n#[serde(rename = \"generated_client::b\")]\n\
             x: crate::generated_client::D,\n(\"\\\" generated_client::e\\\\\", crate::generated_client::F)\n"
        );
    }
}
