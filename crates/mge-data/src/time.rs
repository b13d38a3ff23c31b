//! The time in a cell: a number, or a date of ISO 8601 with or without a time of day.

/// A time that can be ordered. Numbers and dates do not compare with each other in a useful way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    /// A number, as bits that are ordered like it.
    Number(u64),
    /// Nanoseconds since the year 0.
    Date(i128),
}

impl Key {
    pub(crate) fn is_number(self) -> bool {
        matches!(self, Self::Number(_))
    }
}

/// The time that a text stands for: `1700000000`, `12.5`, `2024-05-31`, `2024/5/31`,
/// `2024-05-31T14:05`, `2024-05-31 14:05:00.25Z`, `2024-05-31T14:05:00+02:00`.
pub(crate) fn read(text: &str) -> Option<Key> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return number.is_finite().then(|| Key::Number(ordered_bits(number + 0.0)));
    }
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], Some(text[at + 1..].trim())),
        None => (text, None),
    };
    let seconds = i128::from(days(date)?) * 86_400;
    let nanos = match time {
        None => 0,
        Some(time) => time_of_day(time)?,
    };
    Some(Key::Date(seconds * 1_000_000_000 + nanos))
}

/// Bits that are ordered as the numbers are.
fn ordered_bits(number: f64) -> u64 {
    let bits = number.to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// The days of a date since the year 0, in the Gregorian calendar.
fn days(date: &str) -> Option<i64> {
    let separator = if date.contains('/') { '/' } else { '-' };
    let mut parts = date.split(separator);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    // With the year last, day and month cannot be told apart.
    if parts.next().is_some() || year.len() != 4 {
        return None;
    }
    let (year, month, day) = (digits(year)?, digits(month)?, digits(day)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let february = if is_leap { 29 } else { 28 };
    let lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *lengths.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    if day < 1 || day > length {
        return None;
    }
    let before = year - 1;
    let leaps = before / 4 - before / 100 + before / 400;
    let months: i64 = lengths[..month as usize - 1].iter().sum();
    Some(365 * year + leaps + months + day)
}

/// Nanoseconds of a time of day, less its distance from UTC.
fn time_of_day(text: &str) -> Option<i128> {
    let (time, offset) = match text.find(['Z', 'z', '+', '-']) {
        Some(at) => (text[..at].trim_end(), Some(&text[at..])),
        None => (text, None),
    };
    let mut parts = time.split(':');
    let (hours, minutes) = (digits(parts.next()?)?, digits(parts.next()?)?);
    let (seconds, nanos) = match parts.next() {
        None => (0, 0),
        Some(seconds) => match seconds.split_once(['.', ',']) {
            None => (digits(seconds)?, 0),
            Some((whole, fraction)) => (digits(whole)?, nanos(fraction)?),
        },
    };
    if parts.next().is_some() || hours > 24 || minutes > 59 || seconds > 60 {
        return None;
    }
    let seconds = hours * 3600 + minutes * 60 + seconds - offset.map_or(Some(0), offset_seconds)?;
    Some(i128::from(seconds) * 1_000_000_000 + i128::from(nanos))
}

/// The seconds that `Z`, `+02`, `+0200` or `-05:30` is ahead of UTC.
fn offset_seconds(text: &str) -> Option<i64> {
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return (text.len() == 1).then_some(0),
    };
    let digits_only: String = text[1..].chars().filter(|c| *c != ':').collect();
    let (hours, minutes) = match digits_only.len() {
        2 => (digits(&digits_only)?, 0),
        4 => (digits(digits_only.get(..2)?)?, digits(digits_only.get(2..)?)?),
        _ => return None,
    };
    Some(sign * (hours * 3600 + minutes * 60))
}

fn nanos(fraction: &str) -> Option<i64> {
    digits(fraction)?;
    let padded: String = fraction.chars().chain(std::iter::repeat('0')).take(9).collect();
    digits(&padded)
}

/// A whole number of up to 18 digits, without a sign.
fn digits(text: &str) -> Option<i64> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_times_are_greater() {
        let ascending = [
            ["-5", "-0.5", "0", "3", "1700000000", "1700000001.5"].as_slice(),
            &["1999-12-31", "2000-01-01", "2000-02-29", "2000-03-01", "2000-12-31", "2001-01-01"],
            &["2024-05-31", "2024-05-31 00:00:01", "2024-05-31T14:05", "2024/06/01"],
            &["2024-05-31T12:00:00.25Z", "2024-05-31T12:00:00.3Z", "2024-05-31T12:00:01+00:00"],
            &["2024-05-31T14:00:00+02:00", "2024-05-31T12:30:00Z", "2024-05-31T08:00:00-0500"],
        ];
        for times in ascending {
            for pair in times.windows(2) {
                assert!(read(pair[0]).unwrap() < read(pair[1]).unwrap(), "{pair:?}");
            }
        }
        assert_eq!(read("2024-05-31T14:00+02"), read("2024-05-31 12:00Z"));
        assert_eq!(read("7"), read("7.0"));
    }

    #[test]
    fn other_texts_are_no_times() {
        for text in [
            "soon",
            "31.05.2024",
            "05/31/2024",
            "2024-13-01",
            "2023-02-29",
            "2024-05",
            "14:05",
            "2024-05-31T25:00",
            "2024-05-31T14",
            "2024-05-31T14:05:00+1",
            "nan",
            "",
            "2024-00-01",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
