//! The report as a page.

use super::measure::Report;
use super::plot;
use crate::chart::escape;
use crate::measure::{egress_plot, exit_table, tiles as behaviour_tiles};
use crate::run::Run;
use std::fmt::Write;

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1c2230;--quiet:#5b6475;--paper:#f6f4ef;--card:#fff;--edge:#dcd8cf;--accent:#c9502c}
@media(prefers-color-scheme:dark){:root{--ink:#eef1f7;--quiet:#a3adc0;--paper:#151922;--card:#1e2430;--edge:#343c4d;--accent:#ff8a5c}}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1120px;margin:0 auto;padding:28px 20px}
h1{margin:0;font-size:26px}h2{font-size:17px;margin:28px 0 10px}p{color:var(--quiet);margin:4px 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin-top:18px}
.tile,.plot{background:var(--card);border:1px solid var(--edge);border-radius:12px;padding:12px 16px}
.tile b{display:block;font-size:22px;font-variant-numeric:tabular-nums}.tile span{color:var(--quiet)}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(340px,1fr));gap:12px}
table{border-collapse:collapse;background:var(--card);border:1px solid var(--edge);border-radius:12px;width:100%}
td,th{padding:6px 14px;text-align:right;border-top:1px solid var(--edge);font-variant-numeric:tabular-nums}
td:first-child,th:first-child{text-align:left}pre{background:var(--card);border:1px solid var(--edge);border-radius:12px;padding:14px;overflow:auto}
svg{width:100%;height:auto}svg text{fill:var(--quiet);font-size:11px}svg .t{fill:var(--ink);font-size:13px;font-weight:600}
svg .e{text-anchor:end}svg .m{text-anchor:middle}svg .g{stroke:var(--edge)}svg .b{fill:var(--accent)}
svg .l{fill:none;stroke:var(--accent);stroke-width:2}svg .f{fill:var(--card)}svg .o{fill:none;stroke:var(--quiet)}
.map{max-height:720px;background:var(--edge);border-radius:12px}";

/// A whole page: its name, what it is, and what is in it.
pub fn whole_page(name: &str, kind: &str, contents: &str) -> String {
    let name = escape(name);
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <link rel=\"icon\" href=\"data:,\"><title>{name} · Crowdloom {kind}</title><style>{STYLE}</style></head><body><main><h1>{name}</h1>\
         {contents}</main></body></html>"
    )
}

/// Numbers in boxes, each with what it is.
pub fn tiles<'t>(tiles: impl IntoIterator<Item = (String, &'t str)>) -> String {
    let tile = |(value, what)| format!("<div class=\"tile\"><b>{value}</b><span>{what}</span></div>");
    format!("<div class=\"tiles\">{}</div>", tiles.into_iter().map(tile).collect::<String>())
}

/// Plots side by side.
pub fn plots(plots: impl IntoIterator<Item = String>) -> String {
    let plot = |plot| format!("<div class=\"plot\">{plot}</div>");
    format!("<div class=\"plots\">{}</div>", plots.into_iter().map(plot).collect::<String>())
}

/// The page of a report.
pub fn html(run: &Run, report: &Report) -> String {
    let mut page = format!(
        "<p>Crowdloom {} · seed {} · {:.1} s simulated at {:.1} × real time{}</p>",
        escape(&report.version),
        report.seed,
        report.seconds,
        report.real_time_factor,
        if report.interrupted { " · interrupted before its time" } else { "" }
    );
    let tiles = [
        (report.agents.to_string(), "people"),
        (report.arrivals.to_string(), "goals reached"),
        (format!("{:.2} m/s", report.mean_speed), "mean speed"),
        (format!("{:.1} s", report.mean_waiting), "mean waiting"),
        (format!("{:.1} s", report.longest_waiting), "longest waiting"),
        (format!("{:.1} /m²", report.density.peak), "densest cell"),
        (report.overlaps.map_or("not counted".into(), |count| count.to_string()), "overlaps"),
        (report.foot_skate.map_or("–".into(), |speed| format!("{:.1} mm/s", speed * 1000.0)), "foot-skate"),
    ];
    page.push_str(&self::tiles(tiles));
    if let Some(behaviour) = &report.behaviour {
        let _ = write!(page, "<h2>How people behaved</h2>{}", behaviour_tiles(behaviour));
    }
    page.push_str("<h2>In the course of time</h2>");
    let speeds: Vec<(f32, f32)> = report.course.iter().map(|&(time, _, speed)| (time, speed)).collect();
    let there: Vec<(f32, f32)> = report.course.iter().map(|&(time, count, _)| (time, count as f32)).collect();
    let shares: Vec<f32> = report.speeds.iter().map(|share| share * 100.0).collect();
    let mut drawn = vec![
        plot::line("Mean speed", "time, s", "m/s", &speeds),
        plot::line("People there", "time, s", "people", &there),
        plot::bars("Speeds", ("m/s", 0.1), "% of the time", &shares),
    ];
    drawn.extend(report.behaviour.as_ref().and_then(egress_plot));
    page.push_str(&plots(drawn));
    let _ = write!(
        page,
        "<h2>Where people were</h2><p>Mean people for each square metre, in cells of {:.1} m.</p>{}",
        report.density.cell,
        plot::density(&report.density, &run.header().ground)
    );
    if !report.lines.is_empty() {
        page.push_str("<h2>Flow through lines</h2><table><tr><th>line</th><th>length, m</th><th>to the left</th><th>to the right</th><th>in use, s</th><th>people a second and metre, in use</th></tr>");
        for line in &report.lines {
            let _ = write!(
                page,
                "<tr><td>{}</td><td>{:.1}</td><td>{}</td><td>{}</td><td>{:.1}</td><td>{:.3}</td></tr>",
                escape(&line.name),
                line.length,
                line.to_left,
                line.to_right,
                line.in_use,
                line.specific_flow
            );
        }
        page.push_str("</table>");
    }
    if let Some(behaviour) = &report.behaviour {
        page.push_str(&exit_table(behaviour));
    }
    if !report.constraints.is_empty() {
        page.push_str(&constraints(report));
    }
    page.push_str("<h2>What people were doing</h2><table>");
    for (name, share) in &report.states {
        let _ = write!(page, "<tr><td>{}</td><td>{:.1} %</td></tr>", escape(name), share * 100.0);
    }
    page.push_str("</table><h2>Time of the run by stage</h2><table>");
    for (name, seconds) in &report.stages {
        let _ = write!(page, "<tr><td>{}</td><td>{seconds:.3} s</td></tr>", escape(name));
    }
    let _ = write!(page, "</table><h2>The scene</h2><pre>{}</pre>", escape(&report.scene));
    whole_page(&report.name, "report", &page)
}

/// The table of what was asked of planned people.
fn constraints(report: &Report) -> String {
    let met = report.constraints.iter().filter(|outcome| outcome.met).count();
    let mut table = format!(
        "<h2>Constraints</h2><p>{met} of {} are met.</p><table><tr><th>who</th><th>goal</th><th>time, s</th><th>off by, mm</th><th>off by, degrees</th><th>off by, ms</th><th>adjusted, cm/s</th><th>limbs touch those of</th><th></th></tr>",
        report.constraints.len()
    );
    let number = |value: Option<f32>, factor: f32, digits: usize| {
        value.map_or("–".to_owned(), |value| format!("{:.digits$}", value * factor))
    };
    for outcome in &report.constraints {
        let _ = write!(
            table,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escape(&outcome.name),
            outcome.goal,
            number(outcome.time_s, 1.0, 2),
            number(outcome.position_error_m, 1000.0, 2),
            number(outcome.heading_error_deg, 1.0, 4),
            number(outcome.time_error_s, 1000.0, 1),
            number(outcome.adjustment, 1.0, 2),
            escape(outcome.touches.as_deref().unwrap_or("–")),
            escape(outcome.problem.as_deref().unwrap_or(""))
        );
    }
    table + "</table>"
}
