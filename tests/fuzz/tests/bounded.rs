//! Each target with seeds and with changes of them, drawn by a seed. `FUZZ_ROUNDS=100000` goes further.

use fuzz_tests::TARGETS;

/// What bytes of documents, bodies and headers are made of.
const WORDS: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\n",
    "\r",
    "\n\n",
    "---",
    "- ",
    "null",
    "true",
    "0",
    "-",
    "1e400",
    ".5",
    "\\u0000",
    "\\ud800",
    "$ref",
    "'#/components/schemas/A'",
    "allOf",
    "oneOf",
    "discriminator",
    "items",
    "properties",
    "additionalProperties",
    "type",
    "nullable",
    "enum",
    "format",
    "data: ",
    "event: ",
    "credits_consumed",
    "&a",
    "*a",
    "; rel=",
    "\u{feff}",
];

/// Changes some bytes.
fn change(random: &mut fastrand::Rng, data: &mut Vec<u8>) {
    for _ in 0..random.usize(1..4) {
        let at = random.usize(..=data.len());
        let end = (at + random.usize(..20)).min(data.len());
        match random.u8(..5) {
            0 => _ = data.splice(at..end, []),
            1 => _ = data.splice(at..at, random.choice(WORDS).unwrap_or_default().bytes()),
            2 => {
                let copied = data.get(at..end).unwrap_or_default().to_vec();
                let to = random.usize(..=data.len());
                _ = data.splice(to..to, copied);
            }
            3 => {
                if let Some(byte) = data.get_mut(at) {
                    *byte ^= 1 << random.u8(..8);
                }
            }
            _ => data.truncate(at),
        }
    }
}

#[test]
fn no_bytes_break_a_promise() {
    let rounds = std::env::var("FUZZ_ROUNDS").map_or(30, |rounds| rounds.parse().unwrap());
    for target in TARGETS {
        let seeds = (target.seeds)();
        for seed in &seeds {
            (target.check)(seed);
        }
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..rounds {
            let mut data = random.choice(&seeds).unwrap().clone();
            change(&mut random, &mut data);
            let shown = String::from_utf8_lossy(&data).into_owned();
            let outcome = std::panic::catch_unwind(|| (target.check)(&data));
            assert!(outcome.is_ok(), "{target:?}, round {round}: {shown}");
        }
    }
}
