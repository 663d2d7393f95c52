//! Budgets of operations, beside that of the client. Time is paused.

use generated_client::money::RefusedBy;
use generated_client::{Budget, Credits, Outcome};

use crate::support::scripted_client::{
    DONE, FREE, Hangs, PAID, Responds, Script, Step, UNKNOWN, books, call, credits, start,
};

const NONE: Credits = Credits::ZERO;

#[tokio::test(start_paused = true)]
async fn the_calls_of_an_operation_need_room_in_its_budget_too() {
    let script = Script::of(vec![DONE; 9]);
    let builder = script.builder().budget(credits("20"));
    let client = builder.budget_for([PAID.id], credits("5")).build().unwrap();
    let scope = client.scoped(credits("10"));
    call(&client, &PAID).await.unwrap();
    call(&scope, &PAID).await.unwrap();
    let error = call(&client, &PAID).await.unwrap_err();
    let refused = error.budget().unwrap();
    assert_eq!((refused.limit, refused.spent), (credits("5"), credits("4")));
    assert_eq!(refused.refused_by, RefusedBy::OperationBudget);
    assert!(call(&scope, &PAID).await.is_err());
    // Nothing stays reserved for a call that was refused, and others go on.
    assert_eq!(books(client.budget()), (credits("4"), NONE, NONE));
    call(&client, &FREE).await.unwrap();
    call(&client, &UNKNOWN).await.unwrap();
    assert_eq!(scope.budget().usage().spent, credits("2"));
}

#[test]
fn an_id_that_no_operation_has_is_refused() {
    let builder = || Script::of([]).builder();
    let group = Budget::of(credits("7"));
    for (named, id) in [
        (builder().budget_for(["Paid"], NONE), "Paid"),
        (
            builder().budget_for([PAID.id, "freePosts"], group),
            "freePosts",
        ),
    ] {
        let error = named.build().unwrap_err();
        let expected = format!("the API has no operation `{id}`");
        assert_eq!(error.to_string(), expected);
    }
    builder().budget_for(["raw"], NONE).build().unwrap();
}

#[test]
fn a_budget_with_the_root_of_the_client_is_refused() {
    let all = Budget::of(credits("20"));
    for own in [all.clone(), all.scoped(credits("5"))] {
        let builder = Script::of([]).builder().budget(all.clone());
        let error = builder.budget_for([PAID.id], own).build().unwrap_err();
        let text = error.to_string();
        assert!(
            text.starts_with("the budget of `paid` is that of the client"),
            "{text}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_for_its_operation_holds_nothing_that_others_need() {
    let script = Script::of([Hangs, DONE]);
    let builder = script.builder().budget(credits("4"));
    let client = builder.budget_for([PAID.id], credits("2")).build().unwrap();
    let first = start(&client, &PAID).await;
    let waiting = start(&client, &PAID).await;
    assert_eq!(client.budget().left(), Some(credits("2")));
    first.abort();
    waiting.abort();
}

#[tokio::test(start_paused = true)]
async fn several_operations_share_a_budget_and_each_end_counts_in_both() {
    let steps: [(Step, Credits, Credits); 5] = [
        (DONE, credits("2"), NONE),
        (Responds(403, None, ""), NONE, NONE),
        (Responds(404, None, ""), NONE, credits("2")),
        (Responds(200, None, "{}"), NONE, credits("2")),
        (Hangs, NONE, credits("2")),
    ];
    for (step, spent, at_risk) in steps {
        let group = Budget::of(credits("7"));
        let is_dropped = matches!(step, Hangs);
        let script = Script::of([step, DONE]);
        let builder = script.builder().budget(credits("20"));
        let builder = builder.budget_for([PAID.id, UNKNOWN.id], group.clone());
        let client = builder.build().unwrap();
        let running = start(&client, &PAID).await;
        if is_dropped {
            assert_eq!(books(&group), (NONE, credits("2"), NONE));
            running.abort();
        }
        let ended = running.await;
        assert_eq!(books(&group), (spent, NONE, at_risk));
        assert_eq!(books(client.budget()), (spent, NONE, at_risk));
        if let Ok(Err(error)) = ended
            && error.outcome() == Outcome::Unknown(Some(credits("2")))
        {
            assert!(error.settle(credits("1")));
            assert_eq!(books(&group), (credits("1"), NONE, NONE));
            assert_eq!(books(client.budget()), (credits("1"), NONE, NONE));
        }
        // A call of unknown price needs room in both.
        let left = books(&group);
        call(&client, &UNKNOWN).await.unwrap();
        assert_eq!(books(&group), (left.0 + credits("2"), NONE, left.2));
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_is_settled_by_its_id_in_all_its_budgets() {
    for is_own_first in [true, false] {
        let script = Script::of([Responds(500, None, ""), Responds(500, None, ""), DONE]);
        let own = Budget::of(credits("20"));
        let all = Budget::of(credits("20"));
        let builder = script.builder().budget(all.clone());
        let builder = builder.budget_for([PAID.id], own.clone());
        let client = builder.build().unwrap();
        // The scope is gone when the call is settled.
        let scope = client.scoped(credits("9"));
        call(&scope, &PAID).await.unwrap_err();
        drop(scope);
        call(&client, &PAID).await.unwrap_err();
        drop(client);
        let by = if is_own_first { &own } else { &all };
        let lost = by.at_risk();
        assert!(by.settle(lost[0].id, credits("1")));
        assert!(!by.settle(lost[0].id, credits("1")), "it is settled");
        let after = (credits("1"), NONE, credits("2"));
        assert_eq!((books(&own), books(&all)), (after, after));
    }
}

#[tokio::test(start_paused = true)]
async fn a_lost_call_of_unknown_price_is_repriced_in_both_budgets() {
    let script = Script::of([Responds(500, None, ""), DONE]);
    let group = Budget::of(credits("7"));
    let builder = script.builder().budget(credits("20"));
    let client = builder
        .budget_for([UNKNOWN.id], group.clone())
        .build()
        .unwrap();
    let error = call(&client, &UNKNOWN).await.unwrap_err();
    assert_eq!(error.outcome(), Outcome::Unknown(Some(credits("3"))));
    assert_eq!(books(&group), (NONE, NONE, credits("3")));
    assert_eq!(books(client.budget()), (NONE, NONE, credits("3")));
    call(&client, &UNKNOWN).await.unwrap();
    let after = (credits("2"), NONE, credits("2"));
    assert_eq!((books(&group), books(client.budget())), (after, after));
}
