//! Memory and time of this process, and memory of the machine, as far as the system tells.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// Bytes that this process has in memory; 0 where the system does not tell.
pub fn resident() -> usize {
    const PAGE: usize = 4096;
    let statm = read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * PAGE
}

/// The most bytes that this process ever had in memory; nothing where the system does not tell.
pub fn peak() -> Option<usize> {
    let status = read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes = line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?;
    Some(kilobytes * 1024)
}

/// Seconds that all threads of this process have run on a processor.
pub fn processor_seconds() -> Option<f64> {
    let nanoseconds = |thread: std::fs::DirEntry| {
        let text = read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    Some(threads.filter_map(|thread| nanoseconds(thread.ok()?)).sum::<f64>() / 1e9)
}

/// Bytes that processes can still take before the system ends one: of the machine, and of the
/// control groups that this process is in.
pub fn available() -> Option<usize> {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| of_machine(&text));
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    groups
        .lines()
        .flat_map(|line| directories(line, Path::new("/sys/fs/cgroup")))
        .filter_map(|directory| of_group(&directory))
        .chain(machine)
        .min()
}

fn of_machine(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes = line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()?;
    Some(kilobytes.saturating_mul(1024))
}

/// The directories of a control group and of those around it. `0::/a/b` is of version 2,
/// `4:memory:/a/b` of version 1.
fn directories(line: &str, root: &Path) -> Vec<PathBuf> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return Vec::new() };
    let top = match controllers {
        "" => root.to_path_buf(),
        _ if controllers.split(',').any(|name| name == "memory") => root.join("memory"),
        _ => return Vec::new(),
    };
    let group = top.join(path.trim_start_matches('/'));
    group
        .ancestors()
        .take_while(|directory| directory.starts_with(&top))
        .map(Path::to_path_buf)
        .collect()
}

/// What a group may take, less what it has. Cached files do not count: they go first.
fn of_group(directory: &Path) -> Option<usize> {
    let number =
        |file: &str| read_to_string(directory.join(file)).ok()?.trim().parse::<usize>().ok();
    let limit = number("memory.max").or_else(|| number("memory.limit_in_bytes"))?;
    let used = number("memory.current").or_else(|| number("memory.usage_in_bytes"))?;
    let statistics = read_to_string(directory.join("memory.stat")).unwrap_or_default();
    let cached = statistics.lines().find_map(|line| line.strip_prefix("inactive_file "));
    let cached = cached.and_then(|bytes| bytes.trim().parse::<usize>().ok()).unwrap_or(0);
    Some(limit.saturating_sub(used.saturating_sub(cached)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_and_groups() {
        let meminfo = "MemTotal:       24000000 kB\nMemAvailable:   1000 kB\n";
        assert_eq!(of_machine(meminfo), Some(1_024_000));
        let root = std::env::temp_dir().join(format!("lariat-groups-{}", std::process::id()));
        let inner = root.join("outer/inner");
        std::fs::create_dir_all(&inner).unwrap();
        let found = directories("0::/outer/inner", &root);
        assert_eq!(found, [inner.clone(), root.join("outer"), root.clone()]);
        assert_eq!(directories("7:cpu:/outer", &root), Vec::<PathBuf>::new());
        assert_eq!(directories("4:cpu,memory:/", &root), [root.join("memory")]);
        std::fs::write(inner.join("memory.max"), "max\n").unwrap();
        std::fs::write(inner.join("memory.current"), "400\n").unwrap();
        assert_eq!(of_group(&inner), None, "no limit");
        std::fs::write(inner.join("memory.max"), "1000\n").unwrap();
        std::fs::write(inner.join("memory.stat"), "anon 5\ninactive_file 100\n").unwrap();
        assert_eq!(of_group(&inner), Some(700));
        std::fs::remove_dir_all(&root).unwrap();
    }
}
