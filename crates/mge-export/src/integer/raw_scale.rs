//! From a raw reading, a whole number, to an input's integer, without floats or 64-bit numbers.

/// What firmware computes: a reading is clamped to `low..=high`, and becomes
/// `(((reading - low) >> drop) * factor + bias) >> shift`. Nothing overflows 32 bits.
///
/// A reading is the number times ten to the power of `decimals`. Columns of whole numbers have no
/// decimals: their readings are the numbers themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawScale {
    /// Decimals of the number that are part of the reading; negative where the last digits are not.
    pub decimals: i32,
    /// The reading that stands for 0.
    pub low: i32,
    /// The reading from which on the integer is the largest.
    pub high: i32,
    /// Bits of the difference that are dropped first; 0 for ranges of up to 65535.
    pub drop: u32,
    /// The factor.
    pub factor: u32,
    /// Rounds to the nearest integer.
    pub bias: u32,
    /// Bits that are dropped last.
    pub shift: u32,
    /// The largest integer.
    pub top: u32,
}

/// Readings lie between minus and plus this.
const MAX_READING: f64 = (1u32 << 30) as f64;

impl RawScale {
    /// The scale of `q = round((x - low) / step)`, clamped to `0..=top`.
    pub(super) fn new(low: f64, step: f64, top: u32, whole: bool) -> Self {
        let high = low + step * f64::from(top);
        let fits = |decimals: i32| {
            let unit = libm::exp10(f64::from(decimals));
            low.abs().max(high.abs()) * unit <= MAX_READING
        };
        let mut decimals = 0;
        while !fits(decimals) {
            decimals -= 1;
        }
        // Readings in finer steps than the integers, so that rounding them costs little.
        let steps = if top < 256 { 8.0 } else { 1.0 };
        while !whole
            && libm::exp10(f64::from(-decimals)) * steps > step
            && fits(decimals + 1)
            && decimals < 38
        {
            decimals += 1;
        }
        let unit = libm::exp10(f64::from(decimals));
        let first = (low * unit).floor();
        let last = (high * unit).ceil().max(first);
        let range = (last - first) as u32;
        let drop = 16u32.saturating_sub(range.leading_zeros());
        // Integers for each step of the difference.
        let slope = libm::exp2(f64::from(drop)) / (step * unit);
        let offset = (low * unit - first) / (step * unit);
        let whole_slope = slope == slope.floor() && offset == 0.0 && drop == 0;
        let parts = |shift: u32| {
            let one = libm::exp2(f64::from(shift));
            let half = if whole_slope { 0.0 } else { one / 2.0 };
            let factor = (slope * one + 0.5).floor();
            let bias = (half - offset * one + 0.5).floor().max(0.0);
            (factor, bias)
        };
        let is_small = |shift: &u32| {
            let (factor, bias) = parts(*shift);
            factor * f64::from(range >> drop) + bias < 4_294_967_296.0
        };
        let shifts = if whole_slope { 0..=0 } else { 0..=31 };
        let shift = shifts.rev().find(is_small).unwrap_or(0);
        let (factor, bias) = parts(shift);
        Self {
            decimals,
            low: first as i32,
            high: last as i32,
            drop,
            factor: factor as u32,
            bias: bias as u32,
            shift,
            top,
        }
    }

    /// The integer of a reading.
    pub fn scale(&self, reading: i32) -> u32 {
        let difference = reading.clamp(self.low, self.high).wrapping_sub(self.low) as u32;
        let product = (difference >> self.drop).wrapping_mul(self.factor);
        (product.wrapping_add(self.bias) >> self.shift).min(self.top)
    }

    /// The reading of a number: rounded, and clamped to 32 bits.
    pub fn reading(&self, number: f64) -> i32 {
        (number * libm::exp10(f64::from(self.decimals)) + 0.5).floor() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mge_random::{Purpose, Stream};

    /// The exact integer, by floats.
    fn exact(low: f64, step: f64, top: u32, number: f64) -> f64 {
        ((number - low) / step).clamp(0.0, f64::from(top))
    }

    #[test]
    fn readings_become_the_nearest_integers_and_saturate() {
        let mut stream = Stream::at(5, Purpose::Initialisation, 1, 1);
        let mut worst = [0.0f64; 2];
        for case in 0..4000 {
            let top = if case % 2 == 0 { 1 + (stream.unit() * 254.0) as u32 } else { 32_767 };
            let size = libm::exp10(stream.unit() * 16.0 - 8.0);
            let low = (stream.unit() * 2.0 - 1.0) * size;
            let step = size * libm::exp10(-stream.unit() * 3.0) / f64::from(top);
            let scale = RawScale::new(low, step, top, false);
            for _ in 0..50 {
                let number = low + step * f64::from(top) * (stream.unit() * 1.4 - 0.2);
                let reading = scale.reading(number);
                // The number that the reading says.
                let said = f64::from(reading) / libm::exp10(f64::from(scale.decimals));
                let off = (f64::from(scale.scale(reading)) - exact(low, step, top, said)).abs();
                worst[case % 2] = worst[case % 2].max(off);
            }
            assert_eq!(scale.scale(i32::MIN), scale.scale(scale.low));
            assert!(scale.scale(scale.low) <= 1);
            assert!(scale.scale(i32::MAX) + 2 >= top, "{scale:?}");
        }
        assert!(worst[0] <= 0.75 && worst[1] <= 2.5, "{worst:?}");
    }

    #[test]
    fn every_reading_of_a_whole_column_is_exact() {
        for (low, step, top) in
            [(0.0, 1.0, 255), (300.0, 4.0, 150), (-40.0, 1.0, 165), (0.0, 1.0 / 64.0, 64)]
        {
            let scale = RawScale::new(low, step, top, true);
            assert_eq!(scale.decimals, 0);
            for reading in -70_000..70_000 {
                let q = ((f64::from(reading) - low) / step + 0.5).floor();
                let expected = q.clamp(0.0, f64::from(top)) as u32;
                assert_eq!(scale.scale(reading), expected, "{scale:?} {reading}");
            }
        }
    }

    #[test]
    fn huge_whole_numbers_lose_their_last_bits_only() {
        let scale = RawScale::new(-1e9, 8e6, 250, true);
        assert!(scale.drop > 0 && scale.decimals <= 0, "{scale:?}");
        for reading in (-1_000_000_000..1_000_000_000).step_by(1_234_567) {
            let unit = libm::exp10(f64::from(scale.decimals));
            let expected = exact(-1e9, 8e6, 250, f64::from(reading));
            let found = f64::from(scale.scale((f64::from(reading) * unit) as i32));
            assert!((found - expected).abs() <= 0.75, "{scale:?} {reading}: {found} {expected}");
        }
    }
}
