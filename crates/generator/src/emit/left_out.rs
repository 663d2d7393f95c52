//! The operations of the document that a crate does not have, for its README.

use openapi_model::LeftOut;

/// A table of them with the reasons; empty when the crate has all operations.
pub(super) fn emit(left_out: &[LeftOut]) -> String {
    if left_out.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "\n## Left out\n\n\
         These operations of the document are not in this crate, because no call of them could be generated right.\n\n\
         | request | reason |\n|---|---|\n",
    );
    for one in left_out {
        text.push_str(&format!(
            "| `{} {}` | {} |\n",
            one.method,
            cell(&one.path),
            cell(&one.reason)
        ));
    }
    text
}

/// A text on one line that ends no cell.
pub(super) fn cell(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}
