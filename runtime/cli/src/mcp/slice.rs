//! A result in parts that an agent can read: whole records up to a number of bytes, and a cursor for what is left.

use serde_json::Value;

use super::kept::Kept;
use crate::columns::compact;
use crate::visible::visible;

/// Bytes reserved for the cursor and the words around it.
const RESERVE: usize = 300;
/// How many notes a part has, and how long each is.
const NOTES: usize = 5;
const NOTE: usize = 300;

/// Where a part begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) record: usize,
    /// Bytes of this record that an earlier part had.
    pub(super) byte: usize,
}

/// Reads a cursor: the id of a result, and where to begin.
pub(super) fn cursor(text: &str) -> Option<(&str, Start)> {
    let mut parts = text.split('.');
    let id = parts.next().filter(|id| !id.is_empty())?;
    let mut number = || match parts.next() {
        None => Some(0),
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => digits.parse().ok(),
        Some(_) => None,
    };
    let start = Start {
        record: number()?,
        byte: number()?,
    };
    parts.next().is_none().then_some((id, start))
}

/// Returns the part of a result that begins there, as JSON of limited size; `None` if nothing does. `left`: the remaining budget.
pub(super) fn part(
    kept: &Kept,
    id: &str,
    start: Start,
    left: Option<&str>,
    most: usize,
) -> Option<String> {
    let is_whole = kept.records.is_empty() && start == Start::default();
    if start.record >= kept.records.len() && !is_whole {
        return None;
    }
    let mut text = String::from("{");
    member(&mut text, "id", &id.into());
    member(&mut text, "tool", &kept.tool.as_str().into());
    if let Some(cost) = &kept.cost {
        member(&mut text, "cost", &cost.as_str().into());
    }
    if let Some(left) = left {
        member(&mut text, "left", &left.into());
    }
    if start == Start::default() && !kept.notes.is_empty() {
        let notes = kept.notes.iter().take(NOTES);
        let notes: Value = notes
            .map(|note| note.chars().take(NOTE).collect::<String>())
            .collect();
        member(&mut text, "notes", &notes);
    }
    let room = most.saturating_sub(text.len()).saturating_sub(RESERVE);
    let record = |index: usize| {
        let raw = kept.records.get(index)?;
        Some(visible(&compact(raw.get())).into_owned())
    };
    let mut whole: Vec<String> = Vec::new();
    let mut used = 0_usize;
    let mut next = start;
    while start.byte == 0
        && let Some(record) = record(next.record)
    {
        used = used.saturating_add(record.len()).saturating_add(1);
        if used > room {
            break;
        }
        whole.push(record);
        next.record = next.record.saturating_add(1);
    }
    match record(next.record).filter(|_| whole.is_empty()) {
        Some(record) => {
            let rest = record.get(start.byte..).filter(|rest| !rest.is_empty())?;
            let piece = piece(rest, room);
            next.byte = start.byte.saturating_add(piece.len());
            if next.byte >= record.len() {
                next = Start {
                    record: next.record.saturating_add(1),
                    byte: 0,
                };
            }
            member(&mut text, "piece_of_record", &start.record.into());
            member(&mut text, "piece", &piece.into());
        }
        None if kept.is_page => raw_member(&mut text, "records", &format!("[{}]", whole.join(","))),
        None => raw_member(
            &mut text,
            "result",
            whole.first().map_or("null", String::as_str),
        ),
    }
    let rest = kept.records.len().saturating_sub(next.record);
    if rest > 0 {
        let cursor = match next.byte {
            0 => format!("{id}.{}", next.record),
            byte => format!("{id}.{}.{byte}", next.record),
        };
        member(&mut text, "records_left", &rest.into());
        member(&mut text, "next_cursor", &cursor.into());
    } else if kept.next.is_some() {
        member(&mut text, "has_next_page", &true.into());
    }
    text.push('}');
    Some(text)
}

/// Returns the longest prefix that fits in this many bytes as a JSON string; at least one character.
fn piece(text: &str, room: usize) -> String {
    let mut used = 2_usize;
    let mut piece = String::new();
    for c in text.chars() {
        let bytes = match c {
            '"' | '\\' => 2,
            c if u32::from(c) < 0x20 => 6,
            c => c.len_utf8(),
        };
        used = used.saturating_add(bytes);
        if used > room && !piece.is_empty() {
            break;
        }
        piece.push(c);
    }
    piece
}

fn member(text: &mut String, name: &str, value: &Value) {
    raw_member(text, name, &visible(&value.to_string()));
}

fn raw_member(text: &mut String, name: &str, json: &str) {
    if text.len() > 1 {
        text.push(',');
    }
    text.push_str(&format!("\"{name}\":{json}"));
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn kept(records: &[String]) -> Kept {
        Kept {
            tool: "list".to_owned(),
            is_page: true,
            records: records
                .iter()
                .map(|one| RawValue::from_string(one.clone()).unwrap())
                .collect(),
            ..Kept::default()
        }
    }

    /// Reads a result to its end, and returns its records: those that came in pieces, put together.
    fn read(kept: &Kept, most: usize) -> (Vec<Value>, usize) {
        let (mut records, mut pieces, mut parts) = (Vec::new(), String::new(), 0);
        let mut next = Some("7".to_owned());
        while let Some(text) = next {
            let (id, start) = cursor(&text).unwrap();
            let part = part(kept, id, start, Some("3"), most).unwrap();
            assert!(part.len() <= most, "{} {part}", part.len());
            parts += 1;
            let mut part: Value = serde_json::from_str(&part).unwrap();
            match part["piece"].as_str() {
                Some(piece) => {
                    pieces.push_str(piece);
                    if let Ok(whole) = serde_json::from_str(&pieces) {
                        records.push(whole);
                        pieces.clear();
                    }
                }
                None => records.extend(part["records"].as_array().unwrap().iter().cloned()),
            }
            next = part["next_cursor"].take().as_str().map(str::to_owned);
        }
        assert_eq!(pieces, "");
        (records, parts)
    }

    #[test]
    fn all_parts_together_are_the_result_and_none_is_longer_than_allowed() {
        let small: Vec<String> = (0..300).map(|n| format!("{{ \"n\" : {n} }}")).collect();
        let text = "é\"\\\u{202e}\u{1}x".repeat(2000);
        let large = serde_json::json!({ "text": text }).to_string();
        for records in [
            vec![],
            small.clone(),
            vec![large.clone()],
            [&small[..3], std::slice::from_ref(&large), &small[..3]].concat(),
        ] {
            let expected: Vec<Value> = records
                .iter()
                .map(|one| serde_json::from_str(one).unwrap())
                .collect();
            for most in [2048, 4096, 1 << 20] {
                let (read, parts) = read(&kept(&records), most);
                assert_eq!(read, expected);
                let bytes: usize = records.iter().map(String::len).sum();
                assert!(most < 1 << 20 || parts == 1, "{parts} parts of {bytes}");
            }
        }
    }

    #[test]
    fn a_cursor_that_was_made_up_is_refused() {
        for wrong in [
            "",
            ".1",
            "1.x",
            "1.-1",
            "1.1.1.1",
            "1.99999999999999999999999",
            "1. 1",
        ] {
            assert_eq!(cursor(wrong), None, "{wrong}");
        }
        let kept = kept(&["\"é\"".to_owned()]);
        for (record, byte) in [(1, 0), (0, 2), (0, 4), (9, 9)] {
            let start = Start { record, byte };
            assert_eq!(part(&kept, "1", start, None, 4096), None, "{start:?}");
        }
    }
}
