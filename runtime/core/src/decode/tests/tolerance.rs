//! Values of another JSON type that are read as the documented one.

use super::{read, read_in};
use crate::decode::reader::Mode;

#[test]
fn a_whole_number_is_read_in_any_spelling() {
    for (text, expected) in [
        ("37.0", 37),
        ("1e2", 100),
        ("-0", 0),
        ("-0.0", 0),
        ("-5E0", -5),
        ("12", 12),
        ("9007199254740991.0", 9_007_199_254_740_991),
        ("\"37\"", 37),
        ("\"-3.70e1\"", -37),
    ] {
        assert_eq!(read::<i64>(text).unwrap(), expected, "{text}");
        assert_eq!(read::<Option<i64>>(text).unwrap(), Some(expected), "{text}");
        let is_plain = text
            .bytes()
            .all(|byte| byte == b'-' || byte.is_ascii_digit());
        assert_eq!(
            read_in::<i64>(Mode::Strict, text).is_ok(),
            is_plain,
            "{text}"
        );
    }
    for text in [
        "1.5",
        "1e-1",
        "9007199254740993.0",
        "1e300",
        "\"37.5\"",
        "\" 37\"",
        "\"+37\"",
        "\"037\"",
        "\"\"",
        "true",
        "[1.0]",
    ] {
        assert!(read::<i64>(text).is_err(), "{text}");
    }
    assert_eq!(read::<u8>("255.0").unwrap(), 255);
    assert!(read::<u8>("256.0").is_err() && read::<u8>("-1.0").is_err());
    assert!(read::<i64>("9223372036854775807").is_ok());
    assert!(read::<i64>("9223372036854775808").is_err());
    assert!(read::<u64>("99999999999999999999999999999999999999999999").is_err());
}

#[test]
fn a_number_is_read_as_a_string_if_one_is_expected() {
    for (text, expected) in [
        ("12", "12"),
        ("-3", "-3"),
        ("18446744073709551615", "18446744073709551615"),
        ("12.0", "12.0"),
        ("3.5", "3.5"),
        ("\"12\"", "12"),
        ("true", "true"),
    ] {
        assert_eq!(read::<String>(text).unwrap(), expected, "{text}");
        let several = read::<Vec<Option<String>>>(&format!("[{text}, null]")).unwrap();
        assert_eq!(several, [Some(expected.to_owned()), None], "{text}");
        let strict = read_in::<String>(Mode::Strict, text);
        assert_eq!(strict.is_ok(), text.starts_with('"'), "{text}");
    }
    for text in ["null", "[1]", "{}"] {
        assert!(read::<String>(text).is_err(), "{text}");
    }
    assert_eq!(read::<f64>("\"12.5\"").unwrap(), 12.5);
    for text in [
        "\"NaN\"",
        "\"inf\"",
        "\"1e999\"",
        "\"12,5\"",
        "\"12 \"",
        "\"0x1\"",
        "1e999",
    ] {
        assert!(read::<f64>(text).is_err(), "{text}");
    }
}

#[test]
fn a_boolean_is_read_from_a_string_that_spells_it() {
    for (text, expected) in [
        ("true", true),
        ("\"true\"", true),
        ("\"false\"", false),
        ("\"True\"", true),
        ("\"FALSE\"", false),
    ] {
        let read: Option<bool> = read(text).unwrap();
        assert_eq!(read, Some(expected), "{text}");
        let strict = read_in::<bool>(Mode::Strict, text);
        assert_eq!(strict.is_ok(), !text.starts_with('"'), "{text}");
    }
    // These may mean something else, such as a count.
    for text in [
        "1",
        "0",
        "1.0",
        "\"1\"",
        "\"yes\"",
        "\"\"",
        "\" true\"",
        "[]",
    ] {
        assert!(read::<bool>(text).is_err(), "{text}");
    }
}
