//! Calls of an API with a meter, and of one without. Time is paused.

use generated_client::document::Api;
use generated_client::{ClientBuilder, Credits};

use crate::support::api::{API, DEAREST, KEY};
use crate::support::scripted_client::{
    Hangs, PAID, Responds, Script, UNKNOWN, books, call, credits, start,
};

const NONE: Credits = Credits::ZERO;

#[tokio::test(start_paused = true)]
async fn a_call_that_ends_while_it_waits_for_a_permit_gives_back_what_it_reserved() {
    let script = Script::of([Hangs]);
    let builder = script.builder().max_in_flight(1);
    let client = builder.budget(credits("9")).build().unwrap();
    let running = start(&client, &PAID).await;
    let waiting = start(&client, &PAID).await;
    assert_eq!(books(client.budget()), (NONE, credits("4"), NONE));
    waiting.abort();
    waiting.await.unwrap_err();
    assert_eq!(books(client.budget()), (NONE, credits("2"), NONE));
    running.abort();
    running.await.unwrap_err();
    assert_eq!(books(client.budget()), (NONE, NONE, credits("2")));
}

static PLAIN: Api = Api {
    interceptor: None,
    ..API
};

#[tokio::test(start_paused = true)]
async fn only_an_api_without_a_meter_is_free() {
    for (api, is_metered) in [(&PLAIN, false), (&API, true)] {
        let script = generated_client::testing::Script::new([Responds(200, None, "{}").into()]);
        let client = || {
            let builder =
                ClientBuilder::<generated_client::Client>::new(api, "https://example.com");
            builder.api_key(KEY).transport(script.clone())
        };
        let bare = client().build().unwrap();
        assert_eq!(bare.is_metered(), is_metered);
        assert_eq!(bare.scoped(NONE).is_metered(), is_metered);
        let budget = client().budget(credits("5")).build().unwrap();
        assert_eq!(budget.is_metered(), is_metered);
        call(&budget, &UNKNOWN).await.unwrap();
        let at_risk = if std::ptr::eq(api, &API) {
            DEAREST
        } else {
            NONE
        };
        assert_eq!(books(budget.budget()), (NONE, NONE, at_risk));
    }
}
