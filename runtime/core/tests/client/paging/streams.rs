//! Pages and their records as streams. Time is paused.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use generated_client::Outcome;
use generated_client::paging::{Items, Pages};
use things_client::operations::Things;

use super::seven;
use crate::support::scripted_client::credits;
use crate::support::things::{Service, numbers, page};

#[tokio::test(start_paused = true)]
async fn pages_are_whole_answers_with_what_they_cost() {
    let service = seven();
    let client = service.client();
    let mut pages = client.things().limit(3).pages();
    assert!(service.asked().is_empty());
    for (calls, offset) in [(1, 3), (2, 6), (3, 7)] {
        let page = pages.next().await.unwrap().unwrap();
        assert_eq!(page.meta.outcome(), Outcome::Charged(credits("2")));
        assert!(page.raw.starts_with(b"{"));
        assert_eq!((service.asked().len(), pages.offset()), (calls, offset));
    }
    assert!(pages.next().await.is_none());
    assert!(pages.next().await.is_none());
    assert_eq!(client.budget().usage().spent, credits("6"));
}

#[tokio::test(start_paused = true)]
async fn the_first_page_is_asked_for_as_the_caller_says_and_short_pages_lose_nothing() {
    let service = Service::of([
        page("10", "null", &["10", "11"]),
        page("null", "null", &["12"]),
        page("13", "null", &["13", "14", "15"]),
        page("16", "null", &[]),
    ]);
    let mut items = service.client().things().limit(5).offset(10).items();
    assert_eq!(numbers(&mut items).await, [10, 11, 12, 13, 14, 15]);
    let offsets = [10, 12, 13, 16].map(|offset| format!("limit=5&offset={offset}"));
    assert_eq!(service.asked(), offsets);
    assert_eq!(items.offset(), 16);
}

#[tokio::test(start_paused = true)]
async fn the_hint_of_sizes_follows_the_total_and_what_is_taken() {
    let service = seven();
    let mut items = service.client().things().items().take(100);
    assert_eq!(items.size_hint(), (0, Some(100)));
    for left in (0..7).rev() {
        items.next().await.unwrap().unwrap();
        assert_eq!(items.size_hint(), (0, Some(left)));
    }
    let service = seven();
    let mut items = service.client().things().items();
    assert_eq!(items.size_hint(), (0, None));
    items.next().await;
    assert_eq!(items.size_hint(), (0, Some(6)));
    assert_eq!(items.take(4).size_hint(), (0, Some(4)));

    let service = seven();
    let mut pages = service.client().things().pages();
    assert_eq!(pages.size_hint(), (0, None));
    pages.next().await;
    // Pages can be short.
    assert_eq!(pages.size_hint(), (0, Some(4)));
    let mut pages = pages.take(1);
    assert_eq!(pages.size_hint(), (0, Some(1)));
    pages.next().await;
    assert_eq!(pages.size_hint(), (0, Some(0)));
}

#[tokio::test]
async fn streams_can_be_sent_to_another_task_and_live_for_themselves() {
    fn spawnable<T: Send + Unpin + 'static>(stream: T) -> T {
        stream
    }
    let service = seven();
    let client = service.client();
    let items: Items<Things> = spawnable(client.things().items());
    let pages: Pages<Things> = spawnable(client.things().pages());
    drop((client, pages));
    let mut items = items;
    let task = tokio::spawn(async move { numbers(&mut items).await });
    assert_eq!(task.await.unwrap().len(), 7);
}

#[test]
fn streams_work_as_streams_without_a_runtime_of_their_own() {
    let service = Service::of([page("0", "1", &["0"])]);
    let mut items = pin!(service.client().things().items());
    let mut context = Context::from_waker(Waker::noop());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let _inside = runtime.enter();
    assert!(items.as_mut().poll_next(&mut context).is_pending());
    // The call goes on by itself.
    runtime.block_on(tokio::task::yield_now());
    let next = items.as_mut().poll_next(&mut context);
    assert!(matches!(next, Poll::Ready(Some(Ok(0)))));
    let end = items.as_mut().poll_next(&mut context);
    assert!(matches!(end, Poll::Ready(None)));
}

#[tokio::test(start_paused = true)]
async fn debug_output_shows_where_a_stream_is_and_nothing_of_the_records() {
    let service = seven();
    let mut items = service.client().things().items().take(9);
    items.next().await.unwrap().unwrap();
    assert_eq!(
        format!("{items:?}"),
        "Items { offset: 1, ready: 2, wanted: Some(8), .. }"
    );
    let mut pages = service.client().things().pages();
    pages.next().await.unwrap().unwrap_err();
    assert_eq!(
        format!("{pages:?}"),
        "Pages { offset: 0, wanted: None, .. }"
    );
}
