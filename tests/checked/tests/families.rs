//! Values of parents and children, of alternatives with a base, and of objects beside references: each is read as the type that has its
//! members, and written as it was read.
#![allow(clippy::unwrap_used)]

use families_client::types::{
    Account, Bicycle, Car, CarItself, Event, EventMade, Garage, GarageAny, Method, Orders,
    OrdersOne, OrdersThree, OrdersTwo, Payment, PaymentOther, Shape, Square, Van, Vehicle,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Reads a value, and checks that it is written as it was read.
fn read<T: Serialize + DeserializeOwned>(value: Value) -> T {
    let read: T = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), value);
    read
}

#[test]
fn a_child_of_any_level_is_read_where_its_parent_stands() {
    let car = json!({"kind": "car", "state": "moving", "doors": 3});
    assert!(matches!(read(car), Vehicle::Car(car) if car.doors == 3));
    let van = json!({"kind": "van", "doors": 5, "load": 1.5});
    assert!(matches!(read(van.clone()), Vehicle::Van(van) if van.load == Some(1.5)));
    assert!(matches!(read(van.clone()), Car::Van(_)));
    assert!(matches!(read(van), GarageAny::Van(_)));
    let bike = json!({"kind": "bike", "state": "parked", "gears": 7});
    assert!(matches!(read(bike), Vehicle::Bicycle(bike) if bike.gears == Some(7)));
    let parent = json!({"kind": "Vehicle", "state": "lost"});
    assert!(matches!(read(parent), Vehicle::Vehicle(parent) if parent.state.is_some()));
    let square = json!({"type": "Square", "side": 1.0, "inner": {"type": "Circle", "radius": 2.5}});
    assert!(matches!(read(square), Shape::Square(square)
        if matches!(square.inner, Some(Shape::Circle(_)))));
}

#[test]
fn an_unknown_tag_is_kept_with_all_members() {
    let other = json!({"kind": "boat", "doors": 1, "sails": [1, 2]});
    assert!(matches!(read(other.clone()), Vehicle::Unrecognized(_)));
    assert!(matches!(read(other.clone()), Car::Unrecognized(_)));
    assert!(matches!(read(other), GarageAny::Unrecognized(_)));
    // A parent that only its children are has no variant.
    let shape = json!({"type": "Shape", "color": "red"});
    assert!(matches!(read(shape), Shape::Unrecognized(_)));
    let method = json!({"type": "bank", "iban": "x"});
    assert!(matches!(read(method.clone()), Method::Unrecognized(_)));
    let payment: Payment = read(json!({"method": method, "other": null}));
    assert!(payment.other.is_null());
    let event = json!({"id": "1", "kind": "new", "z": 1});
    assert!(matches!(read(event), Event::Unrecognized(_)));
}

#[test]
fn a_child_is_sent_with_its_tag() {
    let mut garage = Garage::new(Van::new(4).load(2.0).into()).car(CarItself::new(2).into());
    garage = garage.bicycle(Bicycle::new("bike").gears(3));
    let expected = json!({
        "main": {"kind": "van", "doors": 4, "load": 2.0},
        "car": {"kind": "car", "doors": 2},
        "bicycle": {"kind": "bike", "gears": 3},
    });
    assert_eq!(serde_json::to_value(&garage).unwrap(), expected);
    let bike = Vehicle::from(Bicycle::new(""));
    assert_eq!(
        serde_json::to_value(&bike).unwrap(),
        json!({"kind": "bike"})
    );
    let square = Shape::from(Square::new().side(1.0));
    let expected = json!({"type": "Square", "side": 1.0});
    assert_eq!(serde_json::to_value(&square).unwrap(), expected);
}

#[test]
fn an_alternative_has_the_members_beside_it() {
    let made = json!({"id": "1", "kind": "made", "by": "me", "before": {"why": "?"}});
    let Event::Made(made) = read(made) else {
        panic!("not made");
    };
    assert_eq!((made.id.as_str(), made.by.as_str()), ("1", "me"));
    let lost = json!({"id": "1", "kind": "lost", "why": "?"});
    assert!(matches!(read(lost), Event::Lost(lost) if lost.id == "1" && lost.why == "?"));
    let event = Event::from(EventMade::new("1", "me"));
    let expected = json!({"id": "1", "kind": "made", "by": "me"});
    assert_eq!(serde_json::to_value(&event).unwrap(), expected);
}

#[test]
fn the_only_alternative_has_a_tag() {
    let card = json!({"type": "card", "number": "1"});
    assert!(matches!(read(card.clone()), Method::Card(card) if card.number == "1"));
    let payment: Payment = read(json!({"method": card, "other": card}));
    assert!(matches!(payment.other.value(), Some(PaymentOther::Card(_))));
}

#[test]
fn an_object_is_read_whole_beside_a_reference_to_it() {
    for account in [
        json!({"type": "company", "id": "1", "seats": 3}),
        json!({"type": "person", "id": "1"}),
        json!({"type": "new", "id": "1", "more": 1}),
        json!({"type": "new", "more": 1}),
    ] {
        let one = json!({"account": account});
        let orders: Orders =
            read(json!({"one": one, "two": one, "three": {"accounts": [account]}}));
        assert!(
            matches!(orders.one, Some(OrdersOne::Expanded(_))),
            "{account}"
        );
        assert!(
            matches!(orders.two, Some(OrdersTwo::Expanded(_))),
            "{account}"
        );
        assert!(
            matches!(orders.three, Some(OrdersThree::ExpandedList(_))),
            "{account}"
        );
    }
    let one = json!({"account": {"id": "1"}});
    let orders: Orders =
        read(json!({"one": one, "two": one, "three": {"accounts": [{"id": "1"}]}}));
    assert!(matches!(orders.one, Some(OrdersOne::Referring(_))));
    assert!(matches!(orders.two, Some(OrdersTwo::Referring(_))));
    assert!(matches!(orders.three, Some(OrdersThree::ReferringList(_))));
    let Some(OrdersOne::Expanded(company)) =
        read::<Orders>(json!({"one": {"account": {"type": "company", "id": "1", "seats": 3}}})).one
    else {
        panic!("not expanded");
    };
    assert!(matches!(company.account, Account::Company(company) if company.seats == 3));
}
