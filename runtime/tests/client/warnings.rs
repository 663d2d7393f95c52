//! What is said in the log about prices.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use crate::script::{Answers, DONE, PAID, Script, UNKNOWN, call};

/// Counts warnings.
#[derive(Clone, Default)]
struct Warnings(Arc<Mutex<Vec<String>>>);

impl tracing::Subscriber for Warnings {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        *metadata.level() == tracing::Level::WARN
    }

    fn event(&self, event: &tracing::Event<'_>) {
        struct Fields(String);
        impl tracing::field::Visit for Fields {
            fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn Debug) {
                self.0.push_str(&format!("{field}={value:?} "));
            }
        }
        let mut fields = Fields(String::new());
        event.record(&mut fields);
        self.0.lock().unwrap().push(fields.0);
    }

    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }

    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

#[tokio::test(start_paused = true)]
async fn a_price_above_the_known_one_is_warned_of_once() {
    let warnings = Warnings::default();
    let _guard = tracing::subscriber::set_default(warnings.clone());
    let five = || Answers(200, None, r#"{"cost": 5}"#);
    let script = Script::of([DONE, five(), five(), DONE, DONE]);
    let client = script.builder().build().unwrap();
    for _ in 0..4 {
        call(&client, &PAID).await.unwrap();
    }
    // What was not known cannot be above it.
    call(&client, &UNKNOWN).await.unwrap();
    let warnings = warnings.0.lock().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(
        warnings[0].contains("paid") && warnings[0].contains("credits=5"),
        "{warnings:?}"
    );
}
