//! The header `link` (RFC 8288). Input: the value of one header. Output: the target of a relation.
//!
//! The grammar is small: targets in angle brackets, and parameters after semicolons, some of them quoted. Published crates parse the target
//! as a URL, which fails for relative targets.

/// Returns the target of the first link with this relation.
pub(super) fn target<'h>(header: &'h str, relation: &str) -> Option<&'h str> {
    let mut rest = header;
    loop {
        let (_, after) = rest.split_once('<')?;
        let (target, after) = after.split_once('>')?;
        let (parameters, after) = split(after, ',');
        if relates(parameters, relation) {
            return Some(target.trim());
        }
        rest = after;
    }
}

/// Returns whether the first `rel` among the parameters of a link names a relation, ignoring case.
fn relates(parameters: &str, relation: &str) -> bool {
    let mut rest = parameters;
    while !rest.is_empty() {
        let (parameter, after) = split(rest, ';');
        rest = after;
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        if name.trim().eq_ignore_ascii_case("rel") {
            let mut relations = value.trim().trim_matches('"').split_ascii_whitespace();
            return relations.any(|one| one.eq_ignore_ascii_case(relation));
        }
    }
    false
}

/// Splits a string at the first such character outside of quotes.
fn split(text: &str, at: char) -> (&str, &str) {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (index, character) in text.char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            _ if character == at && !is_quoted => {
                let (before, after) = text.split_at(index);
                return (before, after.get(at.len_utf8()..).unwrap_or_default());
            }
            _ => {}
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_of_a_relation_is_found_among_others() {
        for (header, expected) in [
            (
                r#"<https://h/a?page=1>; rel="prev", <https://h/a?page=3>; rel="next""#,
                Some("https://h/a?page=3"),
            ),
            ("</a?b=1,2;3>;rel=next", Some("/a?b=1,2;3")),
            (
                r#"<a>; title="x, <b>; rel=next"; REL="Last NEXT""#,
                Some("a"),
            ),
            (r#"<a>; title="\", "; rel=last, <b>; rel=next"#, Some("b")),
            (r#"<a>; rel=last; rel=next"#, None),
            (r#"<a>; rel="nextcloud", <b>; rev=next"#, None),
            ("<a", None),
            ("<a>", None),
            ("<a>; rel", None),
            ("", None),
        ] {
            assert_eq!(target(header, "next"), expected, "{header}");
        }
    }
}
