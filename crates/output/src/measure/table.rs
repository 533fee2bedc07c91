//! Measures as a table.

use super::{Measures, Nearness};
use std::fmt;

impl fmt::Display for Measures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let totals = &self.totals;
        writeln!(
            f,
            "{}: {} people for {:.1} s ({:.1} person-minutes)",
            self.name, self.people, self.seconds, self.person_minutes
        )?;
        let percent = |share: Option<f32>| share.map(|share| format!("{:.1} %", share * 100.0));
        let number = |value: Option<f32>, unit: &str| value.map(|value| format!("{value:.2} {unit}"));
        let feet = |value: Option<f32>| value.map(|value| format!("{:.0} mm/s", value * 1000.0));
        let near = |near: &Nearness, worst: &str| {
            format!("{} pairs, {:.1} s, {worst} {:.2} m", near.pairs, near.pair_seconds, near.worst_m)
        };
        let rows = [
            ("moving", percent(Some(totals.moving_share))),
            ("waiting", percent(Some(totals.waiting_share))),
            ("fidgeting", percent(totals.fidgeting_share)),
            ("  turning in place", percent(totals.turning_share)),
            ("  side and back steps", percent(totals.stepping_share)),
            ("left-right pairs", number(totals.left_right_pairs_per_minute, "a person and minute")),
            ("people who linger", percent(Some(totals.lingering_people_share))),
            ("people who hover", percent(totals.hovering_people_share)),
            ("time as statues", percent(totals.statue_share)),
            ("people ever statues", percent(totals.statue_people_share)),
            ("feet in contact, median", feet(totals.foot_speed_median_m_s)),
            ("feet in contact, 95 %", feet(totals.foot_speed_p95_m_s)),
            ("feet in contact, 99 %", feet(totals.foot_speed_p99_m_s)),
            ("jolts of the hips", number(totals.jolts_per_minute, "a person and minute")),
            ("changes of gait", number(Some(totals.gait_changes_per_minute), "a person and minute")),
            ("mean speed", number(Some(totals.mean_speed_m_s), "m/s")),
            ("nearer than 25 cm", Some(near(&totals.near, "nearest"))),
            ("limbs in each other", totals.limbs.as_ref().map(|limbs| near(limbs, "deepest"))),
            ("order of lanes", number(self.lanes.order, "(1: lanes, 0: mixed)")),
        ];
        for (name, value) in rows {
            writeln!(f, "  {name:<24} {}", value.as_deref().unwrap_or("–"))?;
        }
        if self.egress.left > 0 {
            let time = |time: Option<f32>| time.map_or("–".into(), |time| format!("{time:.1} s"));
            writeln!(
                f,
                "left: {} of {}; half by {}, 95 % by {}, the last at {}",
                self.egress.left,
                self.egress.left + self.egress.stayed,
                time(self.egress.t50_s),
                time(self.egress.t95_s),
                time(self.egress.total_s)
            )?;
            for exit in &self.egress.exits {
                writeln!(f, "  {:<24} {} people, the last at {:.1} s", exit.name, exit.left, exit.last_s)?;
            }
        }
        for line in &self.lines {
            let flow = line.flow_per_m_s.map_or("–".into(), |flow| format!("{flow:.2} /(m s)"));
            writeln!(
                f,
                "line {:<21} {} to the left, {} to the right, {flow}",
                line.name, line.to_left, line.to_right
            )?;
        }
        if !self.by_density.is_empty() {
            writeln!(
                f,
                "{:>14} {:>10} {:>14} {:>15}",
                "density /m²", "speed m/s", "flow /(m s)", "person-seconds"
            )?;
        }
        for class in &self.by_density {
            writeln!(
                f,
                "{:>13.2} {:>10.2} {:>14.2} {:>15.0}",
                class.density_per_m2, class.speed_m_s, class.flow_per_m_s, class.person_seconds
            )?;
        }
        for text in &self.not_told {
            writeln!(f, "not told: {text}")?;
        }
        for text in &self.assumed {
            writeln!(f, "assumed: {text}")?;
        }
        Ok(())
    }
}
