//! Warnings about properties, more of them than one walk over the model can look at.

use std::process::Command;

use serde_json::Value;

#[test]
fn every_property_is_warned_about() {
    let mut model = "byte x; active proctype P() { do :: x = (x + 1) % 5 od }\n".to_owned();
    for number in 0..40 {
        // Two propositions each, of which the first is never true.
        model += &format!("ltl p{number} {{ [] (x == {} -> <> (x == 0)) }}\n", 5 + number);
    }
    let file = std::env::temp_dir().join(format!("lariat-{}-vacuity.pml", std::process::id()));
    std::fs::write(&file, model).expect("a model can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_lariat"))
        .args(["check", "--json", "--no-save"])
        .arg(&file)
        .output()
        .expect("lariat can be started");
    std::fs::remove_file(&file).expect("the model can be removed");
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let properties = object["properties"].as_array().expect("properties").iter();
    let warned = properties.filter(|property| {
        let warnings = property["warnings"].as_array().expect("warnings");
        warnings.iter().any(|text| text.as_str().is_some_and(|text| text.contains("never true")))
    });
    assert_eq!(warned.count(), 40);
}
