//! How the switches stand in a run of lariat, and which combinations are tried.

use super::ask::Scope;
use super::switches::{DIRECT, OTHER_WORDS, RESUMED, SWITCHES, Setting};
use crate::random::Rng;

/// By switch, the number of its setting.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Config(Vec<u8>);

impl Config {
    /// The plainest: the interpreter, no shortcuts, every state whole, depth first.
    pub fn plain() -> Config {
        Config(vec![0; SWITCHES.len()])
    }

    /// As lariat is without arguments.
    pub fn usual() -> Config {
        let without = |settings: &[Setting]| settings.iter().position(|set| set.args.is_empty());
        Config(SWITCHES.iter().map(|switch| without(switch.settings).unwrap_or(0) as u8).collect())
    }

    /// The usual one, but searches go to all threads after a few states: temporal properties to each of the checks, and states with what is left out by
    /// levels. By chance that is rare: five switches must stand right.
    pub fn on_all_threads() -> [Config; 4] {
        let searches = [("2", "--elimination"), ("2", "--cndfs"), ("3", "--ufscc"), ("2", "")];
        searches.map(|(threads, search)| {
            let config = Config::usual()
                .with_args("system-store", &["--plan-after", "4"])
                .with_args("numbers", &["--set-after", "5"])
                .with_args("threads", &["--threads", threads]);
            match search {
                "" => config.with_args("order", &["--bfs"]),
                _ => {
                    config.with_args("por", &["--no-por"]).with_args("search-of-threads", &[search])
                }
            }
        })
    }

    /// The usual one, but states without numbers are packed anew early and often, and all of them are met: nothing is left out.
    pub fn packed_anew() -> Config {
        Config::usual()
            .with_args("system-store", &["--plan-after", "4"])
            .with_args("numbers", &["--set-after", "5", "--root-bits", "9"])
            .with_args("threads", &["--threads", "2"])
            .with_args("order-of-count", &["--bfs"])
            .with_args("order", &["--bfs"])
            .with_args("por", &["--no-por"])
    }

    /// The usual one, but by several processes from the first states on, to the end and from a checkpoint on: each of the ways in turn.
    pub fn on_processes(turn: u64) -> [Config; 2] {
        let switch = place("processes");
        let resumed = SWITCHES[switch].settings.iter().position(|set| set.args.contains(&RESUMED));
        let resumed = resumed.expect("it is a setting");
        [1 + turn as usize % (resumed - 1), resumed].map(|setting| {
            Config::usual()
                .with_args("system-store", &["--plan-after", "4"])
                .with_args("numbers", &["--set-after", "5"])
                .with_args("por", if turn.is_multiple_of(3) { &[] } else { &["--no-por"] })
                .with_args("order", &["--restart-after", "3"])
                .with(switch, setting)
        })
    }

    fn with_args(&self, name: &str, args: &[&str]) -> Config {
        let switch = place(name);
        let setting = SWITCHES[switch].settings.iter().position(|set| set.args == args);
        self.with(switch, setting.unwrap_or_else(|| panic!("{name} is never {args:?}")))
    }

    /// The plain one, but for this setting of this switch.
    pub fn with(&self, switch: usize, setting: usize) -> Config {
        let mut config = self.clone();
        config.0[switch] = setting as u8;
        config
    }

    pub fn setting(&self, switch: usize) -> usize {
        self.0[switch].into()
    }

    /// The arguments of a switch, by its name.
    pub fn args_of(&self, name: &str) -> &'static [&'static str] {
        let at = place(name);
        SWITCHES[at].settings[self.setting(at)].args
    }

    /// Whether a switch has these arguments.
    pub fn is(&self, name: &str, args: &[&str]) -> bool {
        self.args_of(name) == args
    }

    /// Whether one of these checks was asked for.
    pub fn has_check(&self, checks: &[&str]) -> bool {
        self.args_of("check").get(1).is_some_and(|check| checks.contains(check))
    }

    /// Whether native code is made for models of any size.
    pub fn makes_code(&self) -> bool {
        self.args_of("steps").contains(&"--native-after")
    }

    /// Whether states may be missed.
    pub fn is_lossy(&self, scope: Scope) -> bool {
        let args = self.args(scope);
        ["--bitstate", "--hash-compact"].iter().any(|option| args.contains(option))
    }

    /// The settings that matter to questions of a scope, in the order of the switches.
    fn settings(&self, scope: Scope) -> impl Iterator<Item = (usize, &'static Setting)> {
        SWITCHES.iter().enumerate().filter_map(move |(at, switch)| {
            let matters = switch.scopes.contains(&scope) && (switch.fits)(self, scope);
            matters.then(|| (at, &switch.settings[self.setting(at)]))
        })
    }

    /// The arguments of lariat.
    pub fn args(&self, scope: Scope) -> Vec<&'static str> {
        let args = self.settings(scope).flat_map(|(_, setting)| setting.args);
        args.copied().filter(|arg| ![OTHER_WORDS, DIRECT, RESUMED].contains(arg)).collect()
    }

    /// The arguments of those switches that say which states a search visits.
    pub fn walk(&self, scope: Scope) -> Vec<&'static str> {
        const MERGING: &[&str] = &["all", "merge", "slice,dead,merge", "fold,slice,merge"];
        const SAME_STATES: &[&str] = &[
            "steps",
            "system-store",
            "remembered-steps",
            "remembered-propositions",
            "narrow-ids",
            "edge-cache",
            "order-of-count",
            "threads",
            "search-of-threads",
            "processes",
            "map",
        ];
        let merges = self.args_of("shortcuts").get(1).is_none_or(|list| MERGING.contains(list));
        // Which states the proviso has expanded fully depends on the order.
        let reduces = !self.is("por", &["--no-por"]);
        let by_order = scope == Scope::Temporal || merges || reduces;
        // Without numbers nothing is left out once that does not pay.
        // Whether there is a weakly fair run is asked first on several threads.
        let by_numbers = scope != Scope::Count && reduces || scope == Scope::StrongFair;
        // A cache forgets everything when states are packed in another way, and enters some again.
        let by_store = self.args_of("store").first() == Some(&"--cache");
        // They leave nothing out, and merge nothing on the way to errors.
        let by_processes = match scope {
            Scope::Count => false,
            Scope::Temporal | Scope::WeakFair => reduces,
            _ => by_order,
        };
        let settings = self.settings(scope);
        settings
            .filter(|&(at, _)| by_numbers || SWITCHES[at].name != "numbers")
            .filter(|&(at, setting)| {
                let name = SWITCHES[at].name;
                // Several threads go by levels where steps are left out, one does not.
                let is_one = name == "threads" && setting.args == ["--threads", "1"];
                !SAME_STATES.contains(&name)
                    || by_store && name == "system-store"
                    || by_numbers && is_one
                    || by_processes && name == "processes"
            })
            // Breadth first, errors are looked for without merging.
            .filter(|&(at, _)| by_order || SWITCHES[at].name != "order")
            .flat_map(|(_, setting)| setting.args)
            .copied()
            .collect()
    }

    /// Whether a setting of the way in which questions are put has an effect.
    pub fn puts(&self, how: &str, scope: Scope) -> bool {
        self.settings(scope).any(|(_, setting)| setting.args.contains(&how))
    }

    fn random(rng: &mut Rng) -> Config {
        let draw = |settings: &[Setting], rng: &mut Rng| {
            let mut at = rng.below(settings.iter().map(|set| set.weight).sum());
            settings.iter().position(|set| match at < set.weight {
                true => true,
                false => {
                    at -= set.weight;
                    false
                }
            })
        };
        Config(SWITCHES.iter().map(|s| draw(s.settings, rng).unwrap_or(0) as u8).collect())
    }
}

/// Which switch is called like this.
fn place(name: &str) -> usize {
    let at = SWITCHES.iter().position(|switch| switch.name == name);
    at.unwrap_or_else(|| panic!("no switch is called {name}"))
}

/// Chooses combinations so that all pairs of settings are met about as often as their weights
/// say.
pub struct Picker {
    rng: Rng,
    /// By switch and setting, twice.
    met: Vec<u32>,
    /// Where a switch's settings begin.
    starts: Vec<usize>,
    settings: usize,
}

/// The best of so many is taken.
const CANDIDATES: usize = 6;

impl Picker {
    pub fn new(seed: u64) -> Picker {
        let mut starts = Vec::new();
        let mut settings = 0;
        for switch in SWITCHES {
            starts.push(settings);
            settings += switch.settings.len();
        }
        Picker { rng: Rng::new(seed), met: vec![0; settings * settings], starts, settings }
    }

    pub fn pick(&mut self) -> Config {
        let candidates = (0..CANDIDATES).map(|_| Config::random(&mut self.rng));
        let candidates: Vec<Config> = candidates.collect();
        let rarest = |config: &Config| -> u64 {
            // A pair that was never met counts more than many that were met once.
            let worth = |at: usize| 1_000_000 / (1 + u64::from(self.met[at]));
            self.pairs(config).map(worth).sum()
        };
        let best = candidates.into_iter().max_by_key(rarest).expect("there are candidates");
        let pairs: Vec<usize> = self.pairs(&best).collect();
        pairs.into_iter().for_each(|at| self.met[at] += 1);
        best
    }

    fn pairs(&self, config: &Config) -> impl Iterator<Item = usize> {
        let places: Vec<usize> =
            self.starts.iter().enumerate().map(|(at, start)| start + config.setting(at)).collect();
        let settings = self.settings;
        let len = places.len();
        (0..len).flat_map(move |one| {
            let (places, first) = (places.clone(), places[one]);
            (one + 1..len).map(move |other| first * settings + places[other])
        })
    }

    /// Pairs of settings that were met, and all that there are.
    pub fn coverage(&self) -> (usize, usize) {
        let of = |at: usize| SWITCHES[at].settings.len();
        let all = (0..SWITCHES.len())
            .flat_map(|one| (one + 1..SWITCHES.len()).map(move |other| of(one) * of(other)))
            .sum();
        (self.met.iter().filter(|&&met| met > 0).count(), all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_pairs_of_settings_are_met_soon() {
        let mut picker = Picker::new(7);
        (0..3_000).for_each(|_| drop(picker.pick()));
        let (met, all) = picker.coverage();
        assert!(met * 100 >= all * 99, "{met} of {all}");
    }

    #[test]
    fn usual_is_without_arguments() {
        for scope in [Scope::Safety, Scope::Temporal, Scope::WeakFair, Scope::StrongFair] {
            assert!(Config::usual().args(scope).is_empty(), "{scope:?}");
        }
    }
}
