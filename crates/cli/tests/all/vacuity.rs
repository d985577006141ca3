//! Warnings about properties, more of them than one walk over the model can look at.

use crate::desk::{Desk, report};

#[test]
fn every_property_is_warned_about() {
    let mut model = "byte x; active proctype P() { do :: x = (x + 1) % 5 od }\n".to_owned();
    for number in 0..40 {
        // Two propositions each, of which the first is never true.
        model += &format!("ltl p{number} {{ [] (x == {} -> <> (x == 0)) }}\n", 5 + number);
    }
    let desk = Desk::new("vacuity");
    desk.put("m.pml", &model);
    let object = report(&desk.lariat(&["check", "m.pml", "--json", "--no-save"]));
    let properties = object["properties"].as_array().expect("properties").iter();
    let warned = properties.filter(|property| {
        let warnings = property["warnings"].as_array().expect("warnings");
        warnings.iter().any(|text| text.as_str().is_some_and(|text| text.contains("never true")))
    });
    assert_eq!(warned.count(), 40);
}
