//! Processor time and memory of this process.

use std::time::{Duration, Instant};

/// A point in processor time, of all threads of this process. Elapsed time where the system has no
/// such clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct CpuInstant(Duration);

impl CpuInstant {
    pub(super) fn now() -> Self {
        Self(cpu_time())
    }

    pub(super) fn seconds_since(self) -> f64 {
        (cpu_time() - self.0).as_secs_f64()
    }
}

#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn cpu_time() -> Duration {
    use std::sync::OnceLock;
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed()
}

/// The least seconds that `work` takes in `repetitions`, by processor time.
pub(super) fn best_cpu_seconds(repetitions: usize, mut work: impl FnMut()) -> f64 {
    let once = |_| {
        let began = CpuInstant::now();
        work();
        began.seconds_since()
    };
    (0..repetitions.max(1)).map(once).fold(f64::INFINITY, f64::min)
}

/// The result of some work, and the seconds that passed.
pub(super) fn wall_seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let began = Instant::now();
    let result = work();
    (result, began.elapsed().as_secs_f64())
}

/// How long other machines had the processors of this virtual machine, in ticks of some
/// milliseconds, if the system counts it.
pub(super) fn stolen_ticks() -> Option<u64> {
    let statistics = std::fs::read_to_string("/proc/stat").ok()?;
    let all_processors = statistics.lines().next()?.strip_prefix("cpu ")?;
    // user, nice, system, idle, iowait, irq, softirq, steal
    all_processors.split_whitespace().nth(7)?.parse().ok()
}

/// The peak memory of this process so far, in bytes, if the system counts it.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}
