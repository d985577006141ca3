//! Large blocks of the heap.
//!
//! Searches count the bytes of their structures, and a limit of memory is about these. With glibc a process had up to 7 % more in memory: its `malloc` maps large blocks
//! one by one at first, but as soon as one of them is freed it takes blocks of that size from heaps, of which each thread has its own (`mallopt(3)`: the threshold is dynamic).
//! Tables that double leave gaps there, and what is freed stays. A threshold that was set stays as it is; then what large blocks take goes back with them.

/// Blocks of so many bytes are mapped one by one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 128 << 10;

/// Has large blocks mapped one by one, and given back when they are freed: for a program that begins. Other libraries than glibc are left alone.
pub fn map_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: it takes numbers, under a lock of its own, and says where blocks come from that are asked for later. If it fails, nothing has changed.
        let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    }
}
