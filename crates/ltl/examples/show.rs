use lariat_ltl::translate::*;
use lariat_ltl::*;
fn main() {
    for a in std::env::args().skip(1) {
        for b in [false, true] {
            let mut all = Formulas::new();
            let f = syntax::parse(&mut all, &a, Default::default()).unwrap().formula;
            let t = Translator::new(Options::default().buchi(b)).translate(&mut all, f).unwrap();
            println!("{}", syntax::Printer::new(&all).text(t.simplified));
            println!("{}", lariat_automata::hoa::to_string(&t.automaton));
        }
    }
}
