//! The distribution functions that the tests need, built on `libm`.
//!
//! The incomplete beta and gamma functions use continued fractions and series (Abramowitz and
//! Stegun, 26.5.8, 6.5.29 and 6.5.31), evaluated by Lentz's method.

const TINY: f64 = 1e-300;
const PRECISION: f64 = 1e-16;
const MAX_STEPS: u32 = 10_000;

/// Probability that a standard normal variable exceeds `z`.
pub(crate) fn normal_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z / std::f64::consts::SQRT_2)
}

/// Probability that |T| of Student's distribution is at least |t|.
pub(crate) fn student_two_sided(t: f64, freedom: f64) -> f64 {
    if t.is_infinite() {
        return 0.0;
    }
    incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The t that |T| exceeds with this probability.
pub(crate) fn student_two_sided_quantile(probability: f64, freedom: f64) -> f64 {
    let mut high = 1.0;
    while student_two_sided(high, freedom) > probability && high < 1e300 {
        high *= 2.0;
    }
    bisect(0.0, high, |t| student_two_sided(t, freedom) > probability)
}

/// Probability that a chi-square variable exceeds `x`.
pub(crate) fn chi_square_tail(x: f64, freedom: f64) -> f64 {
    upper_gamma(freedom / 2.0, x / 2.0)
}

/// Probability that an F-distributed variable exceeds `f`, by the degrees of freedom of its
/// numerator and denominator.
pub(crate) fn f_tail(f: f64, numerator: f64, denominator: f64) -> f64 {
    if f.is_infinite() {
        return 0.0;
    }
    incomplete_beta(denominator / 2.0, numerator / 2.0, denominator / (denominator + numerator * f))
}

/// The width that the range of `count` standard normal variables exceeds with this probability:
/// the studentized range with infinitely many degrees of freedom.
pub(crate) fn studentized_range_quantile(probability: f64, count: usize) -> f64 {
    bisect(0.0, 100.0, |width| 1.0 - normal_range_cdf(width, count) > probability)
}

/// Probability that the range of `count` standard normal variables is at most `width`. Integrates
/// over the smallest variable by Simpson's rule.
fn normal_range_cdf(width: f64, count: usize) -> f64 {
    const STEPS: u32 = 2000;
    const BOUND: f64 = 9.0;
    // Outside of these bounds the density of the smallest variable is negligible.
    let (low, high) = (-BOUND - width, BOUND);
    let step = (high - low) / f64::from(STEPS);
    let density = |z: f64| libm::exp(-0.5 * z * z) / (std::f64::consts::PI * 2.0).sqrt();
    let value = |i: u32| {
        let z = low + step * f64::from(i);
        let inside = (normal_tail(z) - normal_tail(z + width)).max(0.0);
        density(z) * libm::pow(inside, count as f64 - 1.0)
    };
    let inner: f64 = (1..STEPS).map(|i| value(i) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
    count as f64 * (value(0) + inner + value(STEPS)) * step / 3.0
}

/// Finds where `is_left` turns false, by bisection.
fn bisect(mut low: f64, mut high: f64, is_left: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..200 {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if is_left(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low + (high - low) / 2.0
}

/// The regularised incomplete beta function.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let log_factor = libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
        + a * libm::log(x)
        + b * libm::log1p(-x);
    let factor = libm::exp(log_factor);
    // The continued fraction converges fast on one side; symmetry gives the other.
    if x < (a + 1.0) / (a + b + 2.0) {
        factor * beta_fraction(a, b, x) / a
    } else {
        1.0 - factor * beta_fraction(b, a, 1.0 - x) / b
    }
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let (mut c, mut d) = (1.0, 1.0 / nonzero(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for step in 1..MAX_STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let previous = fraction;
        for term in [even, odd] {
            d = 1.0 / nonzero(1.0 + term * d);
            c = nonzero(1.0 + term / c);
            fraction *= c * d;
        }
        if (fraction - previous).abs() <= PRECISION * fraction.abs() {
            break;
        }
    }
    fraction
}

/// The regularised upper incomplete gamma function.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let factor = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for step in 1..MAX_STEPS {
            term *= x / (a + f64::from(step));
            sum += term;
            if term.abs() <= PRECISION * sum.abs() {
                break;
            }
        }
        return 1.0 - factor * sum;
    }
    let nonzero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1.0 / TINY, 1.0 / nonzero(b));
    let mut fraction = d;
    for step in 1..MAX_STEPS {
        let m = f64::from(step);
        let term = -m * (m - a);
        b += 2.0;
        d = 1.0 / nonzero(term * d + b);
        c = nonzero(b + term / c);
        fraction *= c * d;
        if (c * d - 1.0).abs() <= PRECISION {
            break;
        }
    }
    factor * fraction
}
