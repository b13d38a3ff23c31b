//! Days and moments since 1970 as ISO text, the way table tools write them to CSV.

/// `2020-01-31`.
pub(super) fn date(days: i64) -> String {
    // Counted in eras of 400 years that begin with March, so that a leap day ends its year.
    let from_march = days + 719_468;
    let era = from_march.div_euclid(146_097);
    let day_of_era = from_march.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// `2020-01-31 23:59:59`, with the fraction if there is one.
pub(super) fn moment(ticks: i64, ticks_per_second: i64) -> String {
    let (seconds, fraction) =
        (ticks.div_euclid(ticks_per_second), ticks.rem_euclid(ticks_per_second));
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let mut text =
        format!("{} {:02}:{:02}:{:02}", date(days), second / 3600, second / 60 % 60, second % 60);
    if fraction > 0 {
        let digits = ticks_per_second.ilog10() as usize;
        let all = format!(".{fraction:0digits$}");
        text.push_str(all.trim_end_matches('0'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_calendar() {
        for (days, text) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (19_723, "2024-01-01"),
            (19_782, "2024-02-29"),
        ] {
            assert_eq!(date(days), text);
        }
        assert_eq!(moment(1_500, 1_000), "1970-01-01 00:00:01.5");
        assert_eq!(moment(-1_000_000, 1_000_000), "1969-12-31 23:59:59");
    }
}
