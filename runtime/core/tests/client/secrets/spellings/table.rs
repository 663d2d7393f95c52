//! The key in many spellings: as it is, percent-encoded, as a string of JSON, and in Base64.

/// With all that encoders like to spell in another way.
pub(super) const SECRET: &str = r#"canary/47+x="&'<>\%~_11=="#;

fn each(text: &str, spell: impl Fn(char) -> String) -> String {
    text.chars().map(spell).collect()
}

fn unless_alphanumeric(text: &str, spell: impl Fn(u32) -> String) -> String {
    each(text, |c| {
        if c.is_ascii_alphanumeric() {
            c.to_string()
        } else {
            spell(c.into())
        }
    })
}

fn percent(text: &str) -> String {
    unless_alphanumeric(text, |code| format!("%{code:02X}"))
}

/// Escapes a string as JSON does, without the quotes.
fn json(text: &str) -> String {
    let json = serde_json::to_string(text).unwrap();
    json[1..json.len() - 1].to_owned()
}

fn base64(text: &str) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let groups = text.as_bytes().chunks(3);
    let group = |bytes: &[u8]| {
        let mut group = [0; 3];
        group[..bytes.len()].copy_from_slice(bytes);
        let bits = group
            .into_iter()
            .fold(0, |bits, byte| bits << 8 | usize::from(byte));
        let at = |index: usize| char::from(ALPHABET[bits >> (18 - 6 * index) & 63]);
        (0..4)
            .map(|index| if index <= bytes.len() { at(index) } else { '=' })
            .collect::<String>()
    };
    groups.map(group).collect()
}

/// Returns the key in all spellings.
pub(super) fn spellings() -> Vec<String> {
    let key = SECRET;
    let slashes = |text: &str| text.replace('/', r"\/");
    let all = |spell: &dyn Fn(u32) -> String| each(key, |c| spell(c.into()));
    vec![
        key.to_owned(),
        percent(key),
        percent(key).to_lowercase(),
        all(&|code| format!("%{code:02x}")),
        all(&|code| format!("%{code:02X}")),
        key.replace('+', "%2b"),
        key.replace('/', "%2f"),
        json(key),
        slashes(&json(key)),
        key.replace('/', r"\/"),
        key.replace('+', r"\u002B"),
        key.replace('+', r"\u002b").replace('&', r"\u0026"),
        unless_alphanumeric(key, |code| format!("\\u{code:04x}")),
        all(&|code| format!("\\u{code:04X}")),
        json(&json(key)),
        slashes(&json(&slashes(&json(key)))),
        percent(&percent(key)),
        percent(&percent(key)).to_lowercase(),
        base64(key),
        base64(&format!(":{key}")),
        base64(&format!("me:{key}")),
        base64(&format!("{key}:")),
        base64(key).replace('+', "-").replace('/', "_"),
        percent(&base64(key)),
        slashes(&base64(&format!("u:{key}"))),
        key.to_uppercase(),
        percent(&key.to_uppercase()),
        json(&key.to_uppercase()),
        key.replace('a', "A"),
        format!("{}{}", percent(&key[..9]), json(&key[9..])),
        format!("Bearer {key}"),
        format!("https://example.com/?key={}&a=b", percent(key)),
    ]
}
