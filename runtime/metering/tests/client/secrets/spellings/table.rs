//! The key in many spellings: those of the encoders that services use, in each other, and with something invisible in between.

/// With all that encoders like to spell in another way.
pub(super) const SECRET: &str = r#"canary/47+x="&'<>\%~_11=="#;

fn each(text: &str, spell: impl Fn(char) -> String) -> String {
    text.chars().map(spell).collect()
}

fn unless_alphanumeric(text: &str, spell: impl Fn(u32) -> String) -> String {
    each(text, |c| match c.is_ascii_alphanumeric() {
        true => c.to_string(),
        false => spell(c.into()),
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

fn html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&apos;")
}

fn pointer(text: &str) -> String {
    text.replace('~', "~0").replace('/', "~1")
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

fn between(text: &str, between: &str) -> String {
    let middle = text.len() / 2;
    format!("{}{between}{}", &text[..middle], &text[middle..])
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
        percent(&percent(key)),
        percent(&percent(key)).to_lowercase(),
        percent(&percent(&percent(key))),
        all(&|code| format!("%u{code:04X}")),
        key.replace('+', "%2b"),
        key.replace('/', "%2f"),
        json(key),
        slashes(&json(key)),
        key.replace('/', r"\/"),
        key.replace('+', r"\u002B"),
        key.replace('+', r"\u002b").replace('&', r"\u0026"),
        unless_alphanumeric(key, |code| format!("\\u{code:04x}")),
        all(&|code| format!("\\u{code:04X}")),
        all(&|code| format!("\\u{{{code:x}}}")),
        all(&|code| format!("\\x{code:02x}")),
        all(&|code| format!("\\{code:03o}")),
        json(&json(key)),
        slashes(&json(&slashes(&json(key)))),
        json(&json(&json(key))),
        json(&key.replace('+', r"\u002B")),
        json(&percent(key)),
        percent(&json(key)),
        slashes(&percent(&json(key))),
        html(key),
        html(&html(key)),
        html(key)
            .replace("&apos;", "&#39;")
            .replace("&quot;", "&#34;"),
        html(key).replace("&apos;", "&#x27;"),
        unless_alphanumeric(key, |code| format!("&#{code};")),
        unless_alphanumeric(key, |code| format!("&#{code:05};")),
        unless_alphanumeric(key, |code| format!("&#x{code:X};")),
        unless_alphanumeric(key, |code| format!("&#X{code:x};")),
        all(&|code| format!("&#x{code:06x};")),
        html(key).replace(';', ""),
        key.replace('/', "&sol;")
            .replace('+', "&plus;")
            .replace('=', "&equals;"),
        html(&json(key)),
        json(&html(key)),
        html(&percent(key)),
        percent(&html(key)),
        percent(&unless_alphanumeric(key, |code| format!("&#{code};"))),
        html(&json(&json(key))),
        pointer(key),
        percent(&pointer(key)),
        json(&pointer(key)),
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
        between(key, "\r\n"),
        between(key, "\u{200b}"),
        between(key, "\u{202e}\u{0}"),
        format!("{}{}", percent(&key[..9]), json(&key[9..])),
        format!("Bearer {key}"),
        format!("https://example.com/?key={}&a=b", percent(key)),
    ]
}
