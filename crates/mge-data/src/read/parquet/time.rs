//! Formats dates and timestamps as ISO text, as other table tools write them to CSV.
//!
//! `chrono` computes the calendar; the Parquet library already depends on it.

use chrono::{DateTime, Datelike, Timelike, Utc};

/// `2020-01-31`, from days since 1970.
pub(super) fn date(days: i64) -> String {
    let moment = days.checked_mul(86_400).and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    // Years beyond 262,000 have no date, but stay distinct values.
    moment.map_or_else(|| format!("day {days}"), |moment| date_text(&moment))
}

/// `2020-01-31 23:59:59`, with a fraction if there is one, from ticks since 1970.
pub(super) fn timestamp(ticks: i64, ticks_per_second: i64) -> String {
    let seconds = ticks.div_euclid(ticks_per_second);
    let fraction = ticks.rem_euclid(ticks_per_second);
    let Some(moment) = DateTime::from_timestamp(seconds, 0) else {
        return format!("second {seconds}");
    };
    let (hour, minute, second) = (moment.hour(), moment.minute(), moment.second());
    let mut text = format!("{} {hour:02}:{minute:02}:{second:02}", date_text(&moment));
    if fraction > 0 {
        let digits = ticks_per_second.ilog10() as usize;
        let all = format!(".{fraction:0digits$}");
        text.push_str(all.trim_end_matches('0'));
    }
    text
}

fn date_text(moment: &DateTime<Utc>) -> String {
    format!("{:04}-{:02}-{:02}", moment.year(), moment.month(), moment.day())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        for (days, text) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (19_723, "2024-01-01"),
            (19_782, "2024-02-29"),
            (2_932_897, "10000-01-01"),
        ] {
            assert_eq!(date(days), text);
        }
        assert_eq!(timestamp(1_500, 1_000), "1970-01-01 00:00:01.5");
        assert_eq!(timestamp(-1_000_000, 1_000_000), "1969-12-31 23:59:59");
    }

    #[test]
    fn extreme_dates_stay_distinct() {
        let days = [i64::from(i32::MAX), i64::from(i32::MIN), i64::MAX];
        assert_eq!(
            days.map(date),
            ["day 2147483647", "day -2147483648", "day 9223372036854775807"]
        );
        assert_eq!(timestamp(i64::MAX, 1_000), "second 9223372036854775");
    }
}
