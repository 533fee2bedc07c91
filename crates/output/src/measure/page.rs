//! Measures as a page.

use super::Measures;
use crate::chart::escape;
use crate::report::{self, plot};
use std::fmt::Write;

/// The page of what was measured.
pub fn html(measures: &Measures) -> String {
    let mut page = format!(
        "<p>{} people for {:.1} s, {:.1} person-minutes</p>",
        measures.people, measures.seconds, measures.person_minutes
    );
    page.push_str(&tiles(measures));
    page.push_str("<h2>Charts</h2>");
    let speeds: Vec<(f32, f32)> =
        measures.by_density.iter().map(|c| (c.density_per_m2, c.speed_m_s)).collect();
    let flows: Vec<(f32, f32)> =
        measures.by_density.iter().map(|c| (c.density_per_m2, c.flow_per_m_s)).collect();
    let mut drawn = vec![
        plot::line("Speed against density", "people a square metre", "m/s", &speeds),
        plot::line("Flow against density", "people a square metre", "people a metre and second", &flows),
    ];
    drawn.extend(egress_plot(measures));
    drawn.push(shares_plot(measures));
    page.push_str(&report::plots(drawn));
    page.push_str(&line_table(measures));
    page.push_str(&exit_table(measures));
    for (head, texts) in
        [("What cannot be told", &measures.not_told), ("What was assumed", &measures.assumed)]
    {
        if !texts.is_empty() {
            let _ = write!(page, "<h2>{head}</h2>");
        }
        for text in texts {
            let _ = write!(page, "<p>{}</p>", escape(text));
        }
    }
    report::whole_page(&measures.name, "measures", &page)
}

/// The main numbers.
pub(crate) fn tiles(measures: &Measures) -> String {
    let totals = &measures.totals;
    let percent = |share: Option<f32>| share.map_or("–".into(), |share| format!("{:.1} %", share * 100.0));
    let number = |value: Option<f32>| value.map_or("–".into(), |value| format!("{value:.2}"));
    let feet = |value: Option<f32>| value.map_or("–".into(), |value| format!("{:.0} mm/s", value * 1000.0));
    let tiles = [
        (percent(Some(totals.moving_share)), "of the time getting on"),
        (percent(Some(totals.waiting_share)), "waiting"),
        (percent(totals.fidgeting_share), "fidgeting"),
        (number(totals.left_right_pairs_per_minute), "left-right pairs a person and minute"),
        (percent(totals.hovering_people_share), "of people hover"),
        (percent(totals.statue_share), "of the time as statues"),
        (feet(totals.foot_speed_p95_m_s), "95 % of feet in contact"),
        (number(totals.jolts_per_minute), "jolts of hips a person and minute"),
        (number(Some(totals.gait_changes_per_minute)), "changes of gait a person and minute"),
        (totals.near.pairs.to_string(), "pairs nearer than 25 cm"),
        (
            totals.limbs.as_ref().map_or("–".into(), |limbs| limbs.pairs.to_string()),
            "pairs with limbs in each other",
        ),
        (number(measures.lanes.order), "order of lanes"),
    ];
    report::tiles(tiles)
}

/// How many are out by when; none where nobody leaves.
pub(crate) fn egress_plot(measures: &Measures) -> Option<String> {
    let curve = &measures.egress.curve;
    let mut points = vec![(0.0, 0.0)];
    for (number, &time) in curve.iter().enumerate() {
        points.extend([(time, number as f32), (time, number as f32 + 1.0)]);
    }
    (!curve.is_empty()).then(|| plot::line("People who have left", "time, s", "people", &points))
}

/// How many people fidget how much.
fn shares_plot(measures: &Measures) -> String {
    let mut classes = vec![0.0; 20];
    for person in &measures.persons {
        let share = person.fidgeting_share.unwrap_or(person.waiting_share);
        classes[((share * 20.0) as usize).min(19)] += 1.0;
    }
    let title = match measures.totals.fidgeting_share {
        Some(_) => "People by the share of their time that they fidget",
        None => "People by the share of their time that they wait",
    };
    plot::bars(title, ("share", 0.05), "people", &classes)
}

/// Flow through lines as a table; empty where there are none.
pub(crate) fn line_table(measures: &Measures) -> String {
    if measures.lines.is_empty() {
        return String::new();
    }
    let mut table = String::from(
        "<h2>Flow through lines</h2><p>Over the time in which a line was in use: from the first who crossed it to the last.</p>\
         <table><tr><th>line</th><th>length, m</th><th>to the left</th><th>to the right</th><th>in use, s</th><th>people a second and metre</th></tr>",
    );
    for line in &measures.lines {
        let used =
            line.first_s.zip(line.last_s).map_or("–".into(), |(from, to)| format!("{from:.1} to {to:.1}"));
        let flow = line.flow_per_m_s.map_or("–".into(), |flow| format!("{flow:.3}"));
        let _ = write!(
            table,
            "<tr><td>{}</td><td>{:.1}</td><td>{}</td><td>{}</td><td>{used}</td><td>{flow}</td></tr>",
            escape(&line.name),
            line.length_m,
            line.to_left,
            line.to_right
        );
    }
    table + "</table>"
}

/// Who left through which exit; empty where nobody left.
pub(crate) fn exit_table(measures: &Measures) -> String {
    let egress = &measures.egress;
    let (Some(t50), Some(t95), Some(total)) = (egress.t50_s, egress.t95_s, egress.total_s) else {
        return String::new();
    };
    let mut table = format!(
        "<h2>Leaving</h2><p>{} left, {} stayed. Half of those who left were out by {t50:.1} s, 95 % by {t95:.1} s, the last at {total:.1} s.</p>\
         <table><tr><th>exit</th><th>people</th><th>the last at, s</th></tr>",
        egress.left, egress.stayed
    );
    for exit in &egress.exits {
        let _ = write!(
            table,
            "<tr><td>{}</td><td>{}</td><td>{:.1}</td></tr>",
            escape(&exit.name),
            exit.left,
            exit.last_s
        );
    }
    table + "</table>"
}
