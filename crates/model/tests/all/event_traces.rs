//! `trace` and `notrace`: states and errors as Spin 6.5.2 counts them (`pan -A -c0`).

use lariat_model::promela::{PromelaOptions, load_text};
use lariat_search::safety::{ExploreOptions, explore};

const MODEL: &str = "
chan c = [2] of { byte, byte };
chan d = [0] of { byte };
byte x;
active proctype P() { c!1,2; c!2,3; d!5; c!3,1 }
active proctype Q() { c?1,x; c?x,_; d?x; }
";

#[test]
fn traces() {
    let cases = [
        ("trace { do :: c!1,_; c?1,_; :: c!2,_ ; c?2,_ :: c!3,_ -> break od }", 12, 2),
        ("notrace { c!1,_; c!2,_; c?1,_ }", 11, 1),
        ("trace { c!1,_; c!2,_; c!3,_ }", 11, 0),
        ("trace { d!5; d?eval(x) }", 11, 1),
        ("notrace { c?1,_; d!5; c!3,1; c!4,_ }", 11, 0),
        ("trace { do :: c!1,_ :: c!2,3 :: c!3,2 od }", 11, 2),
    ];
    for (trace, states, errors) in cases {
        let loaded =
            load_text("m.pml", &format!("{MODEL}{trace}"), &PromelaOptions::default()).unwrap();
        let found = explore(&loaded.model, &ExploreOptions::default()).unwrap();
        assert_eq!((found.states, found.error_count()), (states, errors), "{trace}");
    }
}
