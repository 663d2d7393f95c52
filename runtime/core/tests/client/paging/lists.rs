//! Pages that hold several lists beside each other. Time is paused.

use crate::support::things::{Service, groups, numbers};

#[tokio::test(start_paused = true)]
async fn lists_beside_each_other_go_on_from_where_the_last_of_them_is() {
    let service = Service::of([
        groups(&[
            (r#""a""#, "5", &["10", "11"]),
            (r#""b""#, "3", &["20", "21", "22"]),
            (r#""c""#, "4", &["30"]),
        ]),
        // The order differs, and the completed group is missing.
        groups(&[
            (r#""c""#, "4", &["31", "32", "33"]),
            (r#""a""#, "5", &["11", "12", "13"]),
        ]),
        groups(&[(r#""a""#, "5", &["14"]), (r#""c""#, "4", &[])]),
    ]);
    let mut items = service.client().groups().of(["all"]).items();
    let mut numbers = numbers(&mut items).await;
    assert_eq!(
        service.asked(),
        ["of=all", "of=all&offset=1", "of=all&offset=4"]
    );
    numbers.sort_unstable();
    assert_eq!(numbers, [10, 11, 12, 13, 14, 20, 21, 22, 30, 31, 32, 33]);
}

#[tokio::test(start_paused = true)]
async fn a_page_of_lists_is_resumed_as_a_whole() {
    let first = groups(&[(r#""a""#, "3", &["10", "11"]), (r#""b""#, "3", &["20"])]);
    let second = groups(&[
        (r#""a""#, "3", &["11", "12"]),
        (r#""b""#, "3", &[r#""?""#, "22"]),
    ]);
    let service = Service::of([first, second]);
    let mut items = service.client().groups().of(["all"]).items();
    for offset in [0, 0, 1, 1] {
        items.next().await.unwrap().unwrap();
        assert_eq!(items.offset(), offset);
    }
    let error = items.next().await.unwrap().unwrap_err();
    assert_eq!(error.resume_offset(), Some(1));
    assert_eq!(items.next().await.unwrap().unwrap(), 22);
    assert!(items.next().await.is_none());
    assert_eq!(items.offset(), 3);
}
