//! CPU times, measured in alternation.

use std::time::Duration;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use nix::time::{ClockId, clock_gettime};
use nix::unistd::Pid;

/// Number of measurements of each function. An odd number has a median.
const ROUNDS: usize = 31;

/// Runs a function on the last processor of this process, together with the threads that it starts. A thread that moves
/// leaves its caches behind, and a service on another processor responds while its caller still runs.
pub fn pinned<R>(run: impl FnOnce() -> R) -> nix::Result<R> {
    let this = Pid::from_raw(0);
    let all = sched_getaffinity(this)?;
    let mut last = CpuSet::new();
    for number in (0..CpuSet::count()).rev() {
        if all.is_set(number)? {
            last.set(number)?;
            break;
        }
    }
    sched_setaffinity(this, &last)?;
    let result = run();
    sched_setaffinity(this, &all)?;
    Ok(result)
}

/// Returns the CPU time of this thread.
pub fn of_thread() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Returns the CPU time of finished child processes.
pub fn of_children() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else {
        return Duration::ZERO;
    };
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Duration::from_micros(micros.try_into().unwrap_or_default())
}

/// Returns the peak memory of this process, in KiB.
pub fn memory() -> i64 {
    getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| usage.max_rss())
}

/// Returns the median CPU times of several functions, which alternate: a slow moment affects all of them.
pub fn in_turns<const N: usize>(repeat: u32, mut things: [&mut dyn FnMut(); N]) -> [Duration; N] {
    let mut times = [const { Vec::new() }; N];
    for round in 0..=ROUNDS {
        for (thing, times) in things.iter_mut().zip(&mut times) {
            let start = of_thread();
            for _ in 0..repeat {
                thing();
            }
            // The first round warms the caches.
            if round > 0 {
                times.push((of_thread() - start) / repeat);
            }
        }
    }
    times.map(|mut times: Vec<Duration>| {
        times.sort_unstable();
        times.get(ROUNDS / 2).copied().unwrap_or_default()
    })
}
