//! A finding as a file: the model, headed by what is expected and how it was found. The files in
//! `crates/cli/tests/net` are tests.

use super::case::{About, Case, Fairness, Language, Question};
use super::run::Said;
use super::tree::Tree;

/// What a line of the header begins with.
const EXPECT: &str = "net: expect ";
const LOSSY: &str = "net: messages are lost";

/// A question in one line: fairness, kind, text.
pub fn spelled(question: &Question) -> String {
    let fairness = match question.fairness {
        None => "",
        Some(Fairness::Weak) => "fair=weak ",
        Some(Fairness::Strong) => "fair=strong ",
        Some(Fairness::Spin) => "fair=spin ",
    };
    let (kind, text) = match &question.about {
        About::Safety => ("safety", ""),
        About::Assertions => ("assertions", ""),
        About::Ltl(text) => ("ltl", text.as_str()),
        About::Exists(text) => ("exists", text.as_str()),
        About::Never(text) => ("never", text.as_str()),
        About::Invariant(text) => ("invariant", text.as_str()),
        About::Reach(text) => ("reach", text.as_str()),
        About::NonProgress => ("non-progress", ""),
        About::Acceptance => ("acceptance", ""),
    };
    format!("{fairness}{kind} {}", text.replace('\n', "\\n")).trim_end().to_owned()
}

fn read_question(line: &str) -> Result<Question, String> {
    let mut rest = line.trim();
    let mut fairness = None;
    let kinds = [
        ("fair=weak ", Fairness::Weak),
        ("fair=strong ", Fairness::Strong),
        ("fair=spin ", Fairness::Spin),
    ];
    for (word, kind) in kinds {
        if let Some(behind) = rest.strip_prefix(word) {
            (rest, fairness) = (behind, Some(kind));
        }
    }
    let (kind, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let text = text.replace("\\n", "\n");
    let about = match kind {
        "safety" => About::Safety,
        "assertions" => About::Assertions,
        "ltl" => About::Ltl(text),
        "exists" => About::Exists(text),
        "never" => About::Never(text),
        "invariant" => About::Invariant(text),
        "reach" => About::Reach(text),
        "non-progress" => About::NonProgress,
        "acceptance" => About::Acceptance,
        _ => return Err(format!("no question: {line}")),
    };
    Ok(Question { about, fairness })
}

/// The file of a case: expectations by question, then remarks, then the model.
pub fn file(case: &Case, expected: &[Said], remarks: &[String]) -> String {
    let mut text = "/*\n".to_owned();
    for (question, said) in case.questions.iter().zip(expected) {
        let said = match said {
            Said::Holds => "holds",
            Said::Violated => "violated",
            _ => "unknown",
        };
        text += &format!(" * {EXPECT}{said}: {}\n", spelled(question).replace("*/", "* /"));
    }
    if case.lossy {
        text += &format!(" * {LOSSY}\n");
    }
    for remark in remarks {
        text += &format!(" * {}\n", remark.replace("*/", "* /").replace('\n', " "));
    }
    format!("{text} */\n{}", case.model)
}

/// The case of a file, and what is expected; `unknown` expects that all agree.
pub fn read(text: &str, language: Language) -> Result<(Case, Vec<Option<Said>>), String> {
    let mut expected = Vec::new();
    let mut questions = Vec::new();
    let (header, model) = text.split_once("*/\n").ok_or("a file begins with a comment")?;
    let lines = || header.lines().map(|line| line.trim_start_matches([' ', '*']));
    for line in lines().filter_map(|line| line.strip_prefix(EXPECT)) {
        let (said, question) =
            line.split_once(": ").ok_or("expected a verdict, then a question")?;
        expected.push(match said {
            "holds" => Some(Said::Holds),
            "violated" => Some(Said::Violated),
            "unknown" => None,
            _ => return Err(format!("no verdict: {said}")),
        });
        questions.push(read_question(question)?);
    }
    let model = Tree::leaf("model", model);
    let lossy = lines().any(|line| line == LOSSY);
    let case = Case { seed: 0, wanted: Vec::new(), language, lossy, model, questions };
    Ok((case, expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let never = About::Never("never {\n  do :: true od\n}\n".to_owned());
        let questions = [
            (About::Safety, None),
            (never, None),
            (About::Ltl("[] (a -> <> b)".to_owned()), Some(Fairness::Strong)),
        ];
        let questions = questions.map(|(about, fairness)| Question { about, fairness }).to_vec();
        let case = Case {
            seed: 3,
            wanted: Vec::new(),
            language: Language::Promela,
            lossy: true,
            model: Tree::leaf("model", "byte a;\ninit { a = 1 }\n"),
            questions,
        };
        let expected = [Said::Holds, Said::Violated, Said::Open(String::new())];
        let text = file(&case, &expected, &["seed 3".to_owned()]);
        let (again, said) = read(&text, Language::Promela).unwrap();
        assert_eq!(again.questions, case.questions);
        assert!(again.lossy);
        assert_eq!(said, [Some(Said::Holds), Some(Said::Violated), None]);
        assert_eq!(again.model.to_string(), case.model.to_string());
    }
}
