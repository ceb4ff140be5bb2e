//! Every bound of the field reports, one test each; see `tests/field`.

mod field;

#[test]
fn a_bound_that_is_not_held_is_told() {
    use field::{at_least, at_most, exactly, within};
    let bad = [
        at_most("a", 2.0, 1.0),
        at_least("b", f64::NAN, 1.0),
        exactly("c", 1.5, 1.0),
        within("d", 4.0, 1.0, 3.0),
    ];
    assert!(bad.iter().all(|measure| !measure.holds()));
    let good =
        [at_most("a", 1.0, 1.0), at_least("b", 1.0, 1.0), exactly("c", 1.0, 1.0), within("d", 3.0, 1.0, 3.0)];
    assert!(good.iter().all(|measure| measure.holds()));
}
