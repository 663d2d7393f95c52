//! Warnings about prices in the log.

use tracing::Level;

use crate::support::scripted_client::{DONE, PAID, Responds, Script, UNKNOWN, call};
use crate::support::span_recorder::Recorder;

#[tokio::test(start_paused = true)]
async fn a_price_above_the_known_one_is_warned_of_once() {
    let recorder = Recorder::default();
    let _guard = recorder.listen();
    let five = || Responds(200, None, r#"{"cost": 5}"#);
    let script = Script::of([DONE, five(), five(), DONE, DONE]);
    let client = script.builder().build().unwrap();
    for _ in 0..4 {
        call(&client, &PAID).await.unwrap();
    }
    // A charge cannot exceed an unknown price.
    call(&client, &UNKNOWN).await.unwrap();
    let events = recorder.take().events;
    let [(level, fields)] = events.as_slice() else {
        panic!("{events:?}");
    };
    assert_eq!(*level, Level::WARN);
    assert_eq!((&*fields["operation"], &*fields["credits"]), ("paid", "5"));
}
