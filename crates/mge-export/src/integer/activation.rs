//! The four activations of integer neurons: tables with linear interpolation.

use std::sync::LazyLock;

use super::IntegerFormat;

/// All tables, computed once: fitting looks up millions of values.
static TABLES: LazyLock<[[Vec<u32>; 4]; 2]> = LazyLock::new(|| {
    [IntegerFormat::INT8, IntegerFormat::INT16]
        .map(|format| IntegerActivation::ALL.map(|activation| activation.points(format)))
});

/// What a neuron does with its shifted sum `u`. `one` is [`IntegerFormat::one`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IntegerActivation {
    /// `one * sig(u / units)`: also for tanh and tanh(2.5 x).
    Sigmoid,
    /// `one * exp(-(u / units)^2)`.
    Gauss,
    /// `one / 2 * (1 + sin(2 pi u / units))`.
    Sine,
    /// `u`, clamped to 0 and the largest value: for relu and identity.
    Clamp,
}

impl IntegerActivation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Sigmoid, Self::Gauss, Self::Sine, Self::Clamp];

    /// The name in exported code.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sigmoid => "sigmoid",
            Self::Gauss => "gauss",
            Self::Sine => "sine",
            Self::Clamp => "clamp",
        }
    }

    /// The steps of `u` that stand for an argument of one; of the sine, for a whole period.
    pub fn units(self, format: IntegerFormat) -> f64 {
        let all = f64::from(1u32 << format.argument_bits);
        match self {
            Self::Sigmoid => all / self.reach(format),
            Self::Gauss => all / self.reach(format),
            Self::Sine => all,
            Self::Clamp => 1.0,
        }
    }

    /// The largest argument in the table.
    fn reach(self, format: IntegerFormat) -> f64 {
        match self {
            // Beyond it the sigmoid rounds to one.
            Self::Sigmoid => {
                if format.is_16_bit() {
                    16.0
                } else {
                    8.0
                }
            }
            Self::Gauss => 4.0,
            Self::Sine => 0.5,
            Self::Clamp => 0.0,
        }
    }

    /// Bits of `u` between two points of the table.
    pub fn fraction_bits(self, format: IntegerFormat) -> u32 {
        match self {
            Self::Sigmoid => format.argument_bits - if format.is_16_bit() { 7 } else { 4 },
            Self::Gauss => format.argument_bits - if format.is_16_bit() { 7 } else { 5 },
            Self::Sine => format.argument_bits - if format.is_16_bit() { 7 } else { 5 },
            Self::Clamp => 0,
        }
    }

    /// The points of the table, one more than its segments.
    pub fn table(self, format: IntegerFormat) -> &'static [u32] {
        &TABLES[usize::from(format.is_16_bit())][self as usize]
    }

    fn points(self, format: IntegerFormat) -> Vec<u32> {
        let segments = match self {
            Self::Sigmoid | Self::Gauss => {
                1u32 << (format.argument_bits - self.fraction_bits(format))
            }
            Self::Sine => 1u32 << (format.argument_bits - 1 - self.fraction_bits(format)),
            Self::Clamp => return Vec::new(),
        };
        let one = format.one() as f64;
        let point = |index: u32| {
            let t = f64::from(index) / f64::from(segments) * self.reach(format);
            let value = match self {
                Self::Sigmoid => one / (1.0 + libm::exp(-t)),
                Self::Gauss => one * libm::exp(-t * t),
                Self::Sine => one / 2.0 * libm::sin(2.0 * std::f64::consts::PI * t),
                Self::Clamp => 0.0,
            };
            let max =
                if self == Self::Sine { one / 2.0 - 1.0 } else { f64::from(format.max_value) };
            (value + 0.5).floor().min(max) as u32
        };
        (0..=segments).map(point).collect()
    }

    /// The activation of `u`, as exported code computes it.
    pub fn apply(self, format: IntegerFormat, u: i64) -> u32 {
        let largest = (1i64 << format.argument_bits) - 1;
        let value = match self {
            Self::Clamp => u.clamp(0, i64::from(format.max_value)),
            Self::Sigmoid => {
                let y = self.interpolate(format, u.abs().min(largest));
                if u < 0 { format.one() - y } else { y }
            }
            Self::Gauss => self.interpolate(format, u.abs().min(largest)),
            Self::Sine => {
                let half = (largest + 1) / 2;
                let y = self.interpolate(format, u & (half - 1));
                format.one() / 2 + if u & half != 0 { -y } else { y }
            }
        };
        value as u32
    }

    /// The linear interpolation between two points of the table.
    fn interpolate(self, format: IntegerFormat, m: i64) -> i64 {
        let bits = self.fraction_bits(format);
        let table = self.table(format);
        let at = (m >> bits) as usize;
        let (a, b) = (i64::from(table[at]), i64::from(table[at + 1]));
        a + (((b - a) * (m & ((1 << bits) - 1))) >> bits)
    }

    /// The largest error of the table, on the scale where the function lies between 0 and 1.
    pub fn error(self, format: IntegerFormat) -> f64 {
        let largest = 1i64 << (format.argument_bits + 1);
        let exact = |u: f64| {
            let t = u / self.units(format);
            match self {
                Self::Sigmoid => 1.0 / (1.0 + libm::exp(-t)),
                Self::Gauss => libm::exp(-t * t),
                Self::Sine => 0.5 + 0.5 * libm::sin(2.0 * std::f64::consts::PI * t),
                Self::Clamp => u.clamp(0.0, f64::from(format.max_value)) / format.one() as f64,
            }
        };
        let at = |u: i64| {
            let value = f64::from(self.apply(format, u)) / format.one() as f64;
            // The error includes the rounding to a whole `u`.
            let ends = [u as f64 - 0.5, u as f64, u as f64 + 0.5];
            ends.map(|u| (value - exact(u)).abs()).into_iter().fold(0.0, f64::max)
        };
        if self == Self::Clamp {
            0.5 / format.one() as f64
        } else {
            (-largest..=largest).map(at).fold(0.0, f64::max)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_each_table_is_small() {
        for activation in IntegerActivation::ALL {
            let (small, large) =
                (activation.error(IntegerFormat::INT8), activation.error(IntegerFormat::INT16));
            assert!(small < 0.015, "{activation:?} {small}");
            assert!(large < 0.0015, "{activation:?} {large}");
        }
    }

    #[test]
    fn values_stay_in_the_format() {
        for format in [IntegerFormat::INT8, IntegerFormat::INT16] {
            for activation in IntegerActivation::ALL {
                for u in (-40_000..40_000).step_by(7) {
                    assert!(activation.apply(format, u) <= format.max_value, "{activation:?} {u}");
                }
            }
        }
    }
}
