//! Single cases of the cursor, page by page.

use super::super::cursor::{Cursor, Stall, View};
use super::super::list_progress::Seen;
use super::{List, Run, Server, hash};

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
fn a_page_without_lists_ends_the_run() {
    let mut cursor = Cursor::at(7);
    cursor.accept(&of(&[])).unwrap();
    assert!(cursor.is_over());
    assert_eq!((cursor.next(), cursor.shortfall()), (7, None));
}

#[test]
fn remaining_pages_are_estimated_by_the_last_page_and_the_limit() {
    let mut cursor = Cursor::at(0);
    assert_eq!(cursor.remaining_pages(Some(10)), None);
    cursor.accept(&of(&[page(5, Some(25), "a")])).unwrap();
    for (limit, pages) in [(None, 4), (Some(10), 4), (Some(5), 4), (Some(2), 10)] {
        assert_eq!(cursor.remaining_pages(limit), Some(pages), "{limit:?}");
    }
    assert_eq!(cursor.remaining_pages(Some(0)), None);
    cursor.accept(&of(&[page(5, None, "b")])).unwrap();
    assert_eq!(cursor.remaining_pages(Some(5)), None);
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
fn remaining_records_count_each_list_from_its_own_offset() {
    let list = |key: &str, received| Seen {
        key: Some(key.to_owned()),
        ..page(received, Some(5), key)
    };
    let mut cursor = Cursor::at(0);
    cursor.accept(&of(&[list("a", 3), list("b", 1)])).unwrap();
    assert_eq!((cursor.next(), cursor.remaining()), (1, Some(6)));
    assert_eq!(cursor.remaining_pages(None), Some(4));
}

#[test]
fn repeated_pages_are_detected_at_any_distance() {
    for earlier in 0..5_u64 {
        let mut cursor = Cursor::at(0);
        for number in 0..5_u64 {
            let lists = [page(2, Some(100), &number.to_string())];
            cursor.accept(&of(&lists)).unwrap();
        }
        let stall = cursor.accept(&of(&[page(2, Some(100), &earlier.to_string())]));
        let repeats = Stall {
            echoed: None,
            repeats: Some(earlier * 2),
            after: 12,
        };
        assert_eq!(stall, Err(repeats));
        assert_eq!(cursor.next(), 10);
    }
}

#[test]
fn a_page_without_records_repeats_nothing() {
    let list = |key: &str, received, bytes: &str| Seen {
        key: Some(key.to_owned()),
        ..page(received, None, bytes)
    };
    let mut cursor = Cursor::at(0);
    for number in 0..3 {
        let lists = [list("a", 0, ""), list("b", 2, &number.to_string())];
        assert!(cursor.accept(&of(&lists)).is_ok());
    }
    assert_eq!(cursor.next(), 6);
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

#[test]
fn a_server_that_ignores_the_offset_and_changes_its_page_size_repeats_records() {
    let server = Server {
        lists: vec![List {
            key: None,
            records: 4,
        }],
        sizes: vec![2, 3],
        says_total: true,
        ignores_offset: Some(0),
        ..Server::default()
    };
    let run = Run::of(&server, 0);
    assert_eq!(run.of_list(0), [0, 1, 0, 1, 2]);
    assert_eq!(run.stall, None);
}
