//! Which temporal properties are asked about.

use std::path::Path;

use lariat_automata::hoa::Reader;
use lariat_model::ir::Expr;
use lariat_verify::property::automaton::claim;
use lariat_verify::property::formula::{Mode, Origin, Property, about_labels};
use lariat_verify::property::read;
use lariat_verify::{Language, Loaded};

use super::TemporalArgs;
use crate::arguments::reading::Reading;
use crate::bug;
use crate::exit::Exit;
use crate::input;
use crate::out;

/// The name of the claim in the model.
const NEVER: &str = "never";
/// The name of what accept labels of processes say.
const ACCEPT: &str = "accept";

/// Text of the command line in the model's language.
struct Bindings<'a> {
    given: Vec<(&'a str, &'a str)>,
    used: Vec<bool>,
}

impl<'a> Bindings<'a> {
    fn new(texts: &'a [String]) -> Result<Self, Exit> {
        let given = texts.iter().map(|text| {
            let parts = text.split_once('=').map(|(name, expr)| (name.trim(), expr.trim()));
            parts
                .filter(|(name, expr)| !name.is_empty() && !expr.is_empty())
                .ok_or_else(|| input::refuse(&format!("--bind {text}: expected NAME=EXPR")))
        });
        let given: Vec<_> = given.collect::<Result<_, _>>()?;
        Ok(Bindings { used: vec![false; given.len()], given })
    }

    /// The expression behind a proposition.
    fn text(&mut self, proposition: &str) -> String {
        match self.given.iter().position(|&(name, _)| name == proposition) {
            Some(at) => {
                self.used[at] = true;
                self.given[at].1.to_owned()
            }
            None => proposition.to_owned(),
        }
    }

    /// A name that is no proposition is a mistake.
    fn all_used(&self) -> Result<(), Exit> {
        match self.used.iter().position(|&used| !used) {
            Some(at) => Err(input::refuse(&format!(
                "--bind {}: no formula or automaton has this proposition",
                self.given[at].0
            ))),
            None => Ok(()),
        }
    }
}

/// The names of the temporal properties that the model itself states.
pub(crate) fn own_properties(loaded: &Loaded) -> Vec<String> {
    let model = loaded.model();
    let mut names: Vec<String> = model.ltl.iter().map(|block| block.name.clone()).collect();
    names.extend((!model.claims.is_empty()).then(|| NEVER.to_owned()));
    names.extend(has_accept_labels(loaded).then(|| ACCEPT.to_owned()));
    names
}

fn has_accept_labels(loaded: &Loaded) -> bool {
    let is_promela = loaded.language() == Language::Promela;
    is_promela && loaded.model().process_locations().any(|location| location.is_accept)
}

impl TemporalArgs {
    /// The names of the temporal properties that the model has.
    pub(in crate::commands::check) fn names(&self, loaded: &Loaded) -> Vec<String> {
        let mut names = own_properties(loaded);
        if loaded.language() == Language::Promela {
            names.push("non-progress".to_owned());
        }
        names
    }

    /// The temporal properties to check.
    pub(in crate::commands::check) fn properties(
        &self,
        loaded: &mut Loaded,
        reading: &Reading,
    ) -> Result<Vec<Property>, Exit> {
        let mut found = self.claim_properties(loaded, reading)?;
        found.extend(self.label_properties(loaded)?);
        let mut bindings = Bindings::new(&self.bind)?;
        for (name, text, mode) in self.texts(loaded)? {
            let meaning = &mut |proposition: &str| bindings.text(proposition);
            let (property, warnings) =
                read::formula(loaded, &name, &text, mode, meaning).map_err(bug::tell)?;
            reading.say(&loaded.model().sources, &warnings.located);
            reading.warn(&warnings.texts);
            found.push(property);
        }
        for (name, automaton) in self.automata()? {
            let meaning = &mut |proposition: &str| bindings.text(proposition);
            let bound = read::automaton(loaded, &name, automaton, meaning);
            found.push(bound.map_err(bug::tell)?);
        }
        bindings.all_used()?;
        Ok(found)
    }

    /// The claim of the model, and those of files.
    fn claim_properties(&self, loaded: &Loaded, reading: &Reading) -> Result<Vec<Property>, Exit> {
        let model = loaded.model();
        let mut found = Vec::new();
        let mut without = self.never.clone();
        let file_of = |id| {
            let home = model.sources.file_at(model.proctype(id).span.lo);
            let home = home.map(|file| model.sources.file_name(file));
            self.never
                .iter()
                .find(|file| home.as_deref().is_some_and(|home| Path::new(home) == **file))
        };
        let is_alone = model.claims.iter().filter(|&&id| file_of(id).is_none()).count() == 1;
        for &id in &model.claims {
            let own_name = &model.proctype(id).name;
            let name = match file_of(id) {
                Some(file) => file.display().to_string(),
                None if !self.wants(NEVER) && !self.wants(own_name) => continue,
                None if is_alone => NEVER.to_owned(),
                None => own_name.clone(),
            };
            without.retain(|file| file.display().to_string() != name);
            found.push(claim(model, id, &name).map_err(|diagnostic| {
                reading.say(&model.sources, &[diagnostic]);
                Exit::BadInput
            })?);
        }
        match without.first() {
            Some(file) => Err(input::refuse(&format!("{} has no never claim", file.display()))),
            None => Ok(found),
        }
    }

    /// What the labels of processes say.
    fn label_properties(&self, loaded: &mut Loaded) -> Result<Vec<Property>, Exit> {
        let is_promela = loaded.language() == Language::Promela;
        let mut kinds = Vec::new();
        if self.wants(ACCEPT) && has_accept_labels(loaded) {
            kinds.push((Origin::Acceptance, Expr::AtAccept));
        }
        if self.non_progress.is_some() {
            if !is_promela {
                return Err(input::refuse("--non-progress is for Promela models"));
            }
            kinds.push((Origin::NonProgress, Expr::NonProgress));
        }
        let mut found = Vec::new();
        for (kind, expr) in kinds {
            let proposition = loaded.add(expr);
            found.push(about_labels(kind, proposition).map_err(bug::tell)?);
        }
        Ok(found)
    }

    /// What `--property` may name beside `ltl` blocks.
    fn wants(&self, name: &str) -> bool {
        let named = self.property.iter().any(|wanted| wanted == name);
        !self.safety && (self.with_safety() || named)
    }

    fn automata(&self) -> Result<Vec<(String, lariat_automata::Tgba)>, Exit> {
        let mut found = Vec::new();
        for file in &self.automaton {
            let (name, text) = input::read(file).map_err(|message| input::refuse(&message))?;
            let mut reader = Reader::new(&text, &name);
            let first = found.len();
            while let Some(item) = reader.next() {
                for warning in reader.take_warnings() {
                    err!("{}", reader.render(&warning));
                }
                match item {
                    Ok(automaton) => found.push((name.clone(), automaton)),
                    Err(error) => {
                        out::complain(reader.render(&error).trim_end());
                        return Err(Exit::BadInput);
                    }
                }
            }
            if found.len() > first + 1 {
                let several = found[first..].iter_mut().enumerate();
                several.for_each(|(at, (name, _))| *name = format!("{name}#{}", at + 1));
            }
        }
        Ok(found)
    }

    fn texts(&self, loaded: &Loaded) -> Result<Vec<(String, String, Mode)>, Exit> {
        if self.safety {
            return Ok(Vec::new());
        }
        let blocks = &loaded.model().ltl;
        let mut texts = Vec::new();
        let is_other = |name: &&String| {
            let claims = &loaded.model().claims;
            let is_claim = |id: &_| loaded.model().proctype(*id).name == **name;
            !claims.is_empty() && (*name == NEVER || claims.iter().any(is_claim))
                || *name == ACCEPT && has_accept_labels(loaded)
        };
        for name in self.property.iter().filter(|name| !is_other(name)) {
            let Some(block) = blocks.iter().find(|block| block.name == *name) else {
                let names: Vec<_> = blocks.iter().map(|block| block.name.as_str()).collect();
                let known = if names.is_empty() {
                    "it has none".to_owned()
                } else {
                    format!("it has {}", names.join(", "))
                };
                let message = format!("the model has no `ltl {name}`: {known}");
                return Err(input::refuse(&message));
            };
            texts.push((block.name.clone(), block.text.clone(), Mode::Always));
        }
        if self.with_safety() {
            let all = blocks.iter();
            texts.extend(all.map(|b| (b.name.clone(), b.text.clone(), Mode::Always)));
        }
        let given = |texts: &[String], option: &str, mode| {
            let texts = texts.iter().enumerate();
            texts
                .map(|(i, text)| (format!("{option}#{}", i + 1), text.clone(), mode))
                .collect::<Vec<_>>()
        };
        texts.extend(given(&self.ltl, "--ltl", Mode::Always));
        texts.extend(given(&self.exists, "--exists", Mode::Exists));
        Ok(texts)
    }
}
