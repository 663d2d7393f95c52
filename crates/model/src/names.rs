//! Names of a document as Rust names.

/// Returns whether a character may be in a name: a letter or a digit of any alphabet.
pub(crate) fn is_part(c: char) -> bool {
    c.is_alphanumeric() && unicode_ident::is_xid_continue(c)
}

/// Splits at all characters except letters and digits, and at a capital that starts a word.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut current = String::new();
    let characters: Vec<char> = name.chars().collect();
    for (index, &c) in characters.iter().enumerate() {
        if !is_part(c) {
            words.extend((!current.is_empty()).then(|| std::mem::take(&mut current)));
            continue;
        }
        // A digit belongs to the word before it: `v2Events` is two words and `B2B` is one.
        let after_lower = characters
            .get(..index)
            .into_iter()
            .flatten()
            .rev()
            .find(|before| !before.is_numeric())
            .is_some_and(|before| before.is_lowercase());
        let after = characters.get(index + 1..).unwrap_or_default();
        let ends_acronym = after.first().is_some_and(|next| next.is_lowercase())
            && !starts_suffix(after)
            && current.chars().last().is_some_and(char::is_uppercase);
        if c.is_uppercase() && (after_lower || ends_acronym) {
            words.extend((!current.is_empty()).then(|| std::mem::take(&mut current)));
        }
        current.push(c);
    }
    words.extend((!current.is_empty()).then_some(current));
    words
}

/// Returns whether these characters, behind a capital, belong to its acronym: the plural of `IDs`, or the version of `IPv6`.
fn starts_suffix(after: &[char]) -> bool {
    match after {
        ['s'] => true,
        ['s', next, ..] => !next.is_lowercase(),
        ['v', next, ..] => next.is_ascii_digit(),
        _ => false,
    }
}

/// `pet_shop` → `PetShop`; a leading digit gets an `X`, an empty name is `Empty`, a leading sign is spelt out.
pub fn pascal(name: &str) -> String {
    // Sort orders are written `title` and `-title`.
    let sign = match name.chars().next() {
        Some('-') => Some("Minus"),
        Some('+') => Some("Plus"),
        _ => None,
    };
    let mut joined: String = sign.unwrap_or_default().to_owned() + &capitalised(name);
    // A name reads as one again: `x_y_z` gives `XYZ`, and that one is `Xyz`.
    while capitalised(&joined) != joined {
        joined = capitalised(&joined);
    }
    match joined.chars().next() {
        None => "Empty".to_owned(),
        Some(first) if !unicode_ident::is_xid_start(first) => format!("X{joined}"),
        Some(_) if joined == "Self" => "Self_".to_owned(),
        Some(_) => joined,
    }
}

/// The words of a name, each with a capital, and joined.
fn capitalised(name: &str) -> String {
    words(name)
        .into_iter()
        .map(|word| {
            let mut letters = word.chars();
            let acronym = word.strip_suffix('s').unwrap_or(&word);
            let all_capitals = acronym.len() > 1 && acronym.chars().all(|c| !c.is_lowercase());
            letters
                .next()
                .map(|first| {
                    let rest = letters.as_str();
                    let rest = if all_capitals {
                        rest.to_lowercase()
                    } else {
                        rest.to_owned()
                    };
                    first.to_uppercase().collect::<String>() + &rest
                })
                .unwrap_or_default()
        })
        .collect()
}

/// `petShop` → `pet_shop`; a keyword gets a trailing underscore.
pub fn snake(name: &str) -> String {
    let joined = words(name).join("_").to_lowercase();
    let joined = match joined.chars().next() {
        None => "empty".to_owned(),
        Some(first) if !unicode_ident::is_xid_start(first) => format!("x{joined}"),
        Some(_) => joined,
    };
    // Reserved since edition 2024, which the parser does not know.
    if joined != "gen" && syn::parse_str::<syn::Ident>(&joined).is_ok() {
        joined
    } else {
        format!("{joined}_")
    }
}

/// Words that add nothing to a name: `The id of a pet` is `pet_id`, `pet`.
const FILLERS: [&str; 5] = ["a", "an", "id", "of", "the"];

/// Returns whether a description has no word that its name lacks, in any order: `The name of the user.` repeats `userName`.
pub fn repeats(text: &str, name: &str) -> bool {
    // Other alphabets are not split into words, and count as content.
    text.is_ascii() && !text.trim().is_empty() && content(text) == content(name)
}

/// Returns the words of a text that are no fillers, sorted.
fn content(text: &str) -> Vec<String> {
    let words = words(text).into_iter().map(|word| word.to_lowercase());
    let mut words: Vec<String> = words
        .filter(|word| !FILLERS.contains(&word.as_str()))
        .collect();
    words.sort_unstable();
    words
}

/// Returns a name that `take` accepts: the wanted one, or with the first number from 2 on.
pub fn unique(wanted: &str, mut take: impl FnMut(&str) -> bool) -> String {
    let mut name = wanted.to_owned();
    // `Self_` is no name that a number can follow.
    let base = wanted.trim_end_matches('_');
    let mut number = 2;
    while !take(&name) {
        name = format!("{base}{number}");
        number += 1;
    }
    name
}

/// An identifier for emitted code. `name` comes from [`pascal`] or [`snake`], so it is valid.
pub fn ident(name: &str) -> syn::Ident {
    syn::Ident::new(name, proc_macro2::Span::call_site())
}

/// Longer names are cut at a word; crates.io takes 64 characters.
const LONGEST_PACKAGE: usize = 64;

/// Crates that a generated one cannot be called like: those of the compiler, and those that it depends on.
const TAKEN_PACKAGES: [&str; 9] = [
    "alloc",
    "core",
    "generated-cli",
    "generated-client",
    "proc-macro",
    "serde",
    "serde-json",
    "std",
    "test",
];

/// A title as the name of a package: `Pet Store` → `pet-store`; always one that cargo takes.
pub fn package(title: &str) -> String {
    let words = words(&title.replace(|c: char| !c.is_ascii(), " "));
    let words = words.iter().map(String::as_str);
    let name = joined(words, '-', LONGEST_PACKAGE).to_lowercase();
    match name.chars().next() {
        None => "api-client".to_owned(),
        Some(first) if first.is_numeric() => format!("x{name}"),
        Some(_) if is_package(&name) => name,
        Some(_) => format!("{name}-client"),
    }
}

/// Joins words, as many as fit into a length in bytes, and at least the beginning of the first.
pub fn joined<'w>(words: impl Iterator<Item = &'w str>, separator: char, longest: usize) -> String {
    let mut all = String::new();
    for word in words {
        if all.is_empty() {
            all.extend(word.chars().take(longest));
        } else if all.len() + 1 + word.len() <= longest {
            all.push(separator);
            all.push_str(word);
        } else {
            break;
        }
    }
    all
}

/// Returns whether a crate can have this name.
pub fn is_package(name: &str) -> bool {
    let module = name.replace('-', "_");
    !TAKEN_PACKAGES.contains(&module.replace('_', "-").as_str())
        && name.is_ascii()
        && module != "_"
        && module != "gen"
        && syn::parse_str::<syn::Ident>(&module).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_acronym_keeps_its_plural_and_its_version() {
        for (name, in_snake, in_pascal) in [
            ("objectIDs", "object_ids", "ObjectIds"),
            ("VPCs", "vpcs", "Vpcs"),
            (
                "reservedIPv6Address",
                "reserved_ipv6_address",
                "ReservedIPv6Address",
            ),
            ("IDStatus", "id_status", "IdStatus"),
            ("URLsafe", "ur_lsafe", "UrLsafe"),
        ] {
            assert_eq!(snake(name), in_snake, "{name}");
            assert_eq!(pascal(name), in_pascal, "{name}");
        }
    }

    #[test]
    fn a_name_has_the_letters_of_its_alphabet() {
        for (name, in_snake, in_pascal) in [
            ("Größe", "größe", "Größe"),
            ("übrigeTage", "übrige_tage", "ÜbrigeTage"),
            ("Номер заказа", "номер_заказа", "НомерЗаказа"),
            ("名前", "名前", "名前"),
            ("１番", "x１番", "X１番"),
            ("🚀 launch①", "launch", "Launch"),
            ("\u{93f}", "x\u{93f}", "X\u{93f}"),
        ] {
            assert_eq!(snake(name), in_snake, "{name}");
            assert_eq!(pascal(name), in_pascal, "{name}");
            ident(in_snake);
            ident(in_pascal);
        }
        assert_eq!(package("Größe der Заказы"), "gr-e-der");
    }

    #[test]
    fn a_name_of_any_letters_is_an_identifier() {
        for c in '\u{80}'..=char::MAX {
            let expands = c.to_uppercase().count() > 1 || c.to_lowercase().count() > 1;
            if !expands && (!is_part(c) || unicode_ident::is_xid_start(c)) {
                continue;
            }
            for name in [format!("{c}"), format!("a{c}B"), format!("{c}{c}x")] {
                ident(&pascal(&name));
                ident(&snake(&name));
            }
        }
    }

    #[test]
    fn a_description_repeats_a_name_if_it_has_no_other_word() {
        for (text, name) in [
            ("Title", "title"),
            ("`title`.", "title"),
            ("The title.", "title"),
            ("The name of the user.", "user_name"),
            ("user-name", "userName"),
            ("User ID", "user"),
            ("ID of the user", "user_id"),
            ("`@match`", "match_"),
            ("the id", "id"),
        ] {
            assert!(repeats(text, name), "{text}: {name}");
        }
        for (text, name) in [
            ("The title in English", "title"),
            ("`+1`", "plus_one"),
            ("Names of users", "user_name"),
            ("Optional title", "title"),
            ("名前", "id"),
            ("", "id"),
        ] {
            assert!(!repeats(text, name), "{text}: {name}");
        }
    }
}
