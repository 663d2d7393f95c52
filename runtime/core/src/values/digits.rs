//! Whole numbers in strings, with or without commas between the thousands.

use std::borrow::Cow;

/// Returns the digits of a whole number without a sign: `1204` of `1204` and of `1,204`.
fn digits(text: &str) -> Option<Cow<'_, str>> {
    if are_digits(text) {
        return Some(Cow::Borrowed(text));
    }
    let mut groups = text.split(',');
    let first = groups.next()?;
    if !are_digits(first) || first.len() > 3 {
        return None;
    }
    groups
        .all(|group| are_digits(group) && group.len() == 3)
        .then(|| Cow::Owned(text.replace(',', "")))
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn whole(text: &str) -> Option<u64> {
    digits(text)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_all_thousands_have_commas_or_none() {
        for (text, expected) in [
            ("0", Some(0)),
            ("007", Some(7)),
            ("1204", Some(1204)),
            ("1,204", Some(1204)),
            ("12,345,678", Some(12_345_678)),
            ("18446744073709551615", Some(u64::MAX)),
            ("18,446,744,073,709,551,615", Some(u64::MAX)),
            ("18446744073709551616", None),
            ("", None),
            (",", None),
            (",204", None),
            ("1,", None),
            ("1,20", None),
            ("1,2045", None),
            ("1204,567", None),
            ("1,204,56", None),
            ("1.204", None),
            ("1 204", None),
            ("+1", None),
            ("-1", None),
            ("١", None),
        ] {
            assert_eq!(whole(text), expected, "{text}");
        }
    }
}
