//! What is measured, as the papers' tables have it.

use lariat_report::numbers::grouped;
use serde_json::Value;

/// A column, and where the JSON report of a check has its value.
pub(super) struct Column {
    pub(super) name: &'static str,
    pub(super) pointer: &'static str,
    unit: Unit,
}

enum Unit {
    Count,
    /// A size of something that not every check has: 0 is none.
    Peak,
    Seconds,
    Bytes,
}

const fn column(name: &'static str, pointer: &'static str, unit: Unit) -> Column {
    Column { name, pointer, unit }
}

pub(super) static COLUMNS: [Column; 16] = [
    column("states", "/statistics/states", Unit::Count),
    column(TRANSITIONS, "/statistics/transitions", Unit::Count),
    column("posts", "/statistics/counts/expansions", Unit::Count),
    column("depth", "/statistics/depth", Unit::Count),
    column("roots", "/statistics/counts/roots", Unit::Peak),
    column("current", "/statistics/counts/current", Unit::Peak),
    column("live", "/statistics/counts/live", Unit::Peak),
    column("dead", "/statistics/counts/dead", Unit::Peak),
    column("dstack", "/statistics/counts/dstack", Unit::Peak),
    column("union-find", "/statistics/counts/union_find", Unit::Peak),
    column("words", "/statistics/counts/words", Unit::Peak),
    column("sccs", "/statistics/counts/sccs", Unit::Peak),
    column("prefix", "/statistics/counts/prefix", Unit::Count),
    column("loop", "/statistics/counts/loop", Unit::Count),
    column("cpu", "/process/cpu_seconds", Unit::Seconds),
    column("memory", "/process/peak_memory", Unit::Bytes),
];

/// The column that the bar chart shows.
pub(super) const TRANSITIONS: &str = "transitions";

impl Column {
    /// For a table that people read.
    pub(super) fn shown(&self, value: &Value) -> String {
        match (&self.unit, value) {
            (_, Value::Null) => String::new(),
            (Unit::Seconds, value) => format!("{:.2} s", value.as_f64().unwrap_or(0.0)),
            (Unit::Bytes, value) => {
                format!("{:.1} M", value.as_f64().unwrap_or(0.0) / f64::from(1 << 20))
            }
            (Unit::Peak, value) if value.as_u64() == Some(0) => String::new(),
            (Unit::Count | Unit::Peak, value) => grouped(value.as_u64().unwrap_or(0)),
        }
    }
}
