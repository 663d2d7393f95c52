//! Single cases of the cursor, page by page.

use super::super::cursor::{Cursor, View};
use super::super::list_progress::Seen;
use super::hash;

fn page(records: u64, total: Option<u64>, bytes: &str) -> Seen {
    Seen {
        key: None,
        received: records,
        total,
        identity: Some(hash(bytes)),
    }
}

fn of(lists: &[Seen]) -> View {
    View {
        echoed: None,
        is_last: None,
        identity: hash(lists.iter().map(|list| list.identity).collect::<Vec<_>>()),
        lists: lists.to_vec(),
        records: Vec::new(),
    }
}

#[test]
fn the_largest_offset_ends_the_run() {
    let mut cursor = Cursor::at(u64::MAX - 1);
    cursor.accept(&of(&[page(5, None, "a")])).unwrap();
    assert_eq!(cursor.next(), u64::MAX);
    cursor.accept(&of(&[page(5, None, "b")])).unwrap();
    assert!(cursor.is_over());
}

#[test]
fn a_list_that_ended_may_grow_while_another_continues() {
    let list = |key: &str, received, total, head: &str| Seen {
        key: Some(key.to_owned()),
        ..page(received, Some(total), head)
    };
    let mut cursor = Cursor::at(0);
    let first = [list("a", 2, 2, "a0"), list("b", 2, 6, "b0")];
    assert_eq!(cursor.accept(&of(&first)), Ok(vec![0, 0]));
    // The end of `a` again, as some servers send it for every later offset.
    let second = [list("a", 2, 2, "a0"), list("b", 2, 6, "b2")];
    assert_eq!(cursor.accept(&of(&second)), Ok(vec![2, 0]));
    let third = [list("a", 1, 5, "a4"), list("b", 2, 6, "b4")];
    assert_eq!(cursor.accept(&of(&third)), Ok(vec![0, 0]));
    // `a` grew by two records that were never requested.
    assert_eq!((cursor.next(), cursor.missing()), (6, Some(2)));
    let short = cursor.shortfall().unwrap();
    assert_eq!((short.promised, short.received), (11, 9));
}

#[test]
fn a_repeated_list_is_detected_while_another_continues() {
    let list = |key: &str, bytes: &str| Seen {
        key: Some(key.to_owned()),
        ..page(2, Some(100), bytes)
    };
    let mut cursor = Cursor::at(0);
    for number in 0..3_u64 {
        let lists = [
            list("a", &format!("a{number}")),
            list("b", &format!("b{number}")),
        ];
        cursor.accept(&of(&lists)).unwrap();
    }
    let stall = cursor.accept(&of(&[list("a", "a1"), list("b", "b3")]));
    assert_eq!(stall.unwrap_err().repeats, Some(2));
    // If several lists share a key, only the page as a whole is compared.
    let mut cursor = Cursor::at(0);
    cursor
        .accept(&of(&[list("a", "a0"), list("a", "b0")]))
        .unwrap();
    cursor
        .accept(&of(&[list("a", "a0"), list("a", "b1")]))
        .unwrap();
    let stall = cursor.accept(&of(&[list("a", "a0"), list("a", "b0")]));
    assert_eq!(stall.unwrap_err().repeats, Some(0));
}
