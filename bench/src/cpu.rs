//! Time on a processor, since the machine may be shared.

/// Seconds that the main thread has run.
pub fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// Seconds that programs which this one has started and waited for have run, in user and in system
/// mode, in steps of a hundredth.
pub fn children_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may have spaces; behind it, these are the 14th and 15th.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = |at| fields.split_whitespace().nth(at).and_then(|text| text.parse::<f64>().ok());
    (ticks(13).unwrap_or(0.0) + ticks(14).unwrap_or(0.0)) / 100.0
}
