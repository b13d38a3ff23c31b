//! The four functions of integer neurons, by tables with straight lines between their points.

use std::sync::LazyLock;

use super::Width;

/// All tables: fitting looks values up by the million.
static TABLES: LazyLock<[[Vec<u32>; 4]; 2]> =
    LazyLock::new(|| [Width::BITS8, Width::BITS16].map(|width| Op::ALL.map(|op| op.points(width))));

/// What a neuron does with its shifted sum `u`. `one` is [`Width::one`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// `one * sig(u / units)`: also for tanh and tanh(2.5 x).
    Sigmoid,
    /// `one * exp(-(u / units)^2)`.
    Gauss,
    /// `one / 2 * (1 + sin(2 pi u / units))`.
    Sine,
    /// `u`, kept between 0 and the largest value: for relu and identity.
    Clamp,
}

impl Op {
    /// All of them.
    pub const ALL: [Op; 4] = [Op::Sigmoid, Op::Gauss, Op::Sine, Op::Clamp];

    /// The name in exported code.
    pub fn name(self) -> &'static str {
        match self {
            Op::Sigmoid => "sigmoid",
            Op::Gauss => "gauss",
            Op::Sine => "sine",
            Op::Clamp => "clamp",
        }
    }

    /// What one in a function's argument is worth in `u`: a turn for the sine.
    pub fn units(self, width: Width) -> f64 {
        let all = f64::from(1u32 << width.argument);
        match self {
            Op::Sigmoid => all / self.reach(width),
            Op::Gauss => all / self.reach(width),
            Op::Sine => all,
            Op::Clamp => 1.0,
        }
    }

    /// Where the table ends.
    fn reach(self, width: Width) -> f64 {
        match self {
            // Beyond it the sigmoid is closer to one than the table can tell.
            Op::Sigmoid => {
                if width.is_wide() {
                    16.0
                } else {
                    8.0
                }
            }
            Op::Gauss => 4.0,
            Op::Sine => 0.5,
            Op::Clamp => 0.0,
        }
    }

    /// Bits of `u` between two points of the table.
    pub fn fraction_bits(self, width: Width) -> u32 {
        match self {
            Op::Sigmoid => width.argument - if width.is_wide() { 7 } else { 4 },
            Op::Gauss => width.argument - if width.is_wide() { 7 } else { 5 },
            Op::Sine => width.argument - if width.is_wide() { 7 } else { 5 },
            Op::Clamp => 0,
        }
    }

    /// The points of the table, one more than there are lines.
    pub fn table(self, width: Width) -> &'static [u32] {
        &TABLES[usize::from(width.is_wide())][self as usize]
    }

    fn points(self, width: Width) -> Vec<u32> {
        let lines = match self {
            Op::Sigmoid | Op::Gauss => 1u32 << (width.argument - self.fraction_bits(width)),
            Op::Sine => 1u32 << (width.argument - 1 - self.fraction_bits(width)),
            Op::Clamp => return Vec::new(),
        };
        let one = width.one() as f64;
        let point = |index: u32| {
            let t = f64::from(index) / f64::from(lines) * self.reach(width);
            let value = match self {
                Op::Sigmoid => one / (1.0 + libm::exp(-t)),
                Op::Gauss => one * libm::exp(-t * t),
                Op::Sine => one / 2.0 * libm::sin(2.0 * std::f64::consts::PI * t),
                Op::Clamp => 0.0,
            };
            let most = if self == Op::Sine { one / 2.0 - 1.0 } else { f64::from(width.most) };
            (value + 0.5).floor().min(most) as u32
        };
        (0..=lines).map(point).collect()
    }

    /// The function itself, as exported code computes it.
    pub fn apply(self, width: Width, u: i64) -> u32 {
        let largest = (1i64 << width.argument) - 1;
        let value = match self {
            Op::Clamp => u.clamp(0, i64::from(width.most)),
            Op::Sigmoid => {
                let y = self.line(width, u.abs().min(largest));
                if u < 0 { width.one() - y } else { y }
            }
            Op::Gauss => self.line(width, u.abs().min(largest)),
            Op::Sine => {
                let half = (largest + 1) / 2;
                let y = self.line(width, u & (half - 1));
                width.one() / 2 + if u & half != 0 { -y } else { y }
            }
        };
        value as u32
    }

    /// The straight line between two points of the table.
    fn line(self, width: Width, m: i64) -> i64 {
        let bits = self.fraction_bits(width);
        let table = self.table(width);
        let at = (m >> bits) as usize;
        let (a, b) = (i64::from(table[at]), i64::from(table[at + 1]));
        a + (((b - a) * (m & ((1 << bits) - 1))) >> bits)
    }

    /// The largest difference between the table and the function, where the function is 0 to 1.
    pub fn error(self, width: Width) -> f64 {
        let largest = 1i64 << (width.argument + 1);
        let exact = |u: f64| {
            let t = u / self.units(width);
            match self {
                Op::Sigmoid => 1.0 / (1.0 + libm::exp(-t)),
                Op::Gauss => libm::exp(-t * t),
                Op::Sine => 0.5 + 0.5 * libm::sin(2.0 * std::f64::consts::PI * t),
                Op::Clamp => u.clamp(0.0, f64::from(width.most)) / width.one() as f64,
            }
        };
        let at = |u: i64| {
            let value = f64::from(self.apply(width, u)) / width.one() as f64;
            // Rounding to a whole `u` is part of it.
            let ends = [u as f64 - 0.5, u as f64, u as f64 + 0.5];
            ends.map(|u| (value - exact(u)).abs()).into_iter().fold(0.0, f64::max)
        };
        if self == Op::Clamp {
            0.5 / width.one() as f64
        } else {
            (-largest..=largest).map(at).fold(0.0, f64::max)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_as_exact_as_their_widths_allow() {
        for op in Op::ALL {
            let (small, large) = (op.error(Width::BITS8), op.error(Width::BITS16));
            assert!(small < 0.015, "{op:?} {small}");
            assert!(large < 0.0015, "{op:?} {large}");
        }
    }

    #[test]
    fn values_stay_in_range() {
        for width in [Width::BITS8, Width::BITS16] {
            for op in Op::ALL {
                for u in (-40_000..40_000).step_by(7) {
                    assert!(op.apply(width, u) <= width.most, "{op:?} {u}");
                }
            }
        }
    }
}
