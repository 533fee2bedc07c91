//! Small plots as SVG.

use super::measure::DensityMap;
use crate::many::Band;
use crate::run::GroundShape;
use std::fmt::Write;

const WIDTH: f32 = 520.0;
const HEIGHT: f32 = 220.0;
const LEFT: f32 = 52.0;
const BOTTOM: f32 = 36.0;

/// A round number of which a few make up `most`.
fn tick(most: f32) -> f32 {
    let rough = (most / 4.0).max(1e-6);
    let power = libm::powf(10.0, libm::floorf(libm::log10f(rough)));
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|each| each * power).find(|&each| each >= rough).unwrap_or(power)
}

fn frame(title: &str, across: (&str, f32), up: (&str, f32), contents: &str) -> String {
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {}\" role=\"img\" aria-label=\"{title}\"><text class=\"t\" x=\"{LEFT}\" y=\"14\">{title}</text><g transform=\"translate(0 10)\">",
        HEIGHT + 14.0
    );
    let (x, y) = scales(across.1, up.1);
    for (most, horizontal) in [(up.1, true), (across.1, false)] {
        let step = tick(most);
        let mut at = 0.0;
        while at <= most * 1.0001 {
            let label = if step < 1.0 {
                format!("{at:.places$}", places = (-libm::log10f(step)).ceil() as usize)
            } else {
                format!("{at:.0}")
            };
            let _ = if horizontal {
                write!(
                    svg,
                    "<line class=\"g\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{1}\" y2=\"{1}\"/><text class=\"e\" x=\"{2}\" y=\"{3}\">{label}</text>",
                    WIDTH - 10.0,
                    y(at),
                    LEFT - 6.0,
                    y(at) + 4.0
                )
            } else {
                write!(
                    svg,
                    "<text class=\"m\" x=\"{}\" y=\"{}\">{label}</text>",
                    x(at),
                    HEIGHT - BOTTOM + 16.0
                )
            };
            at += step;
        }
    }
    let _ = write!(
        svg,
        "{contents}<text class=\"m\" x=\"{}\" y=\"{}\">{}</text><text class=\"m\" transform=\"translate(12 {}) rotate(-90)\">{}</text></g></svg>",
        (LEFT + WIDTH) / 2.0,
        HEIGHT - 2.0,
        across.0,
        (HEIGHT - BOTTOM) / 2.0,
        up.0
    );
    svg
}

fn scales(across: f32, up: f32) -> (impl Fn(f32) -> f32, impl Fn(f32) -> f32) {
    let x = move |value: f32| LEFT + value / across.max(1e-6) * (WIDTH - LEFT - 14.0);
    let y = move |value: f32| HEIGHT - BOTTOM - value / up.max(1e-6) * (HEIGHT - BOTTOM - 14.0);
    (x, y)
}

/// Bars of equal width from 0 on.
pub fn bars(title: &str, (across, width): (&str, f32), up: &str, values: &[f32]) -> String {
    let most = values.iter().copied().fold(1e-6, f32::max) * 1.05;
    let (x, y) = scales(width * values.len() as f32, most);
    let mut contents = String::new();
    for (index, &value) in values.iter().enumerate() {
        let left = x(index as f32 * width);
        let right = x((index + 1) as f32 * width);
        let _ = write!(
            contents,
            "<rect class=\"b\" x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            y(value),
            (right - left - 1.0).max(0.5),
            y(0.0) - y(value)
        );
    }
    frame(title, (across, width * values.len() as f32), (up, most), &contents)
}

/// A line through points.
pub fn line(title: &str, across: &str, up: &str, points: &[(f32, f32)]) -> String {
    let wide = points.iter().map(|point| point.0).fold(1e-6, f32::max);
    let most = points.iter().map(|point| point.1).fold(1e-6, f32::max) * 1.1;
    let (x, y) = scales(wide, most);
    let path: Vec<String> = points.iter().map(|&(a, b)| format!("{:.1},{:.1}", x(a), y(b))).collect();
    let contents = format!("<polyline class=\"l\" points=\"{}\"/>", path.join(" "));
    frame(title, (across, wide), (up, most), &contents)
}

/// A mean with its band.
pub fn band(title: &str, across: &str, up: &str, points: &[(f32, Band)]) -> String {
    let wide = points.iter().map(|point| point.0).fold(1e-6, f32::max);
    let most = points.iter().map(|point| point.1.p95).fold(1e-6, f32::max) * 1.1;
    let (x, y) = scales(wide, most);
    let place = |at: f32, value: f32| format!("{:.1},{:.1}", x(at), y(value));
    let upper = points.iter().map(|(at, band)| place(*at, band.p95));
    let lower = points.iter().rev().map(|(at, band)| place(*at, band.p5));
    let around: Vec<String> = upper.chain(lower).collect();
    let mean: Vec<String> = points.iter().map(|(at, band)| place(*at, band.mean)).collect();
    let contents = format!(
        "<polygon class=\"b\" fill-opacity=\"0.25\" points=\"{}\"/><polyline class=\"l\" points=\"{}\"/>",
        around.join(" "),
        mean.join(" ")
    );
    frame(title, (across, wide), (up, most), &contents)
}

/// A map of where people were, over the outlines of the ground.
pub fn density(map: &DensityMap, ground: &GroundShape) -> String {
    let (width, height) = (map.columns as f32 * map.cell, map.rows as f32 * map.cell);
    let most = map.values.iter().copied().fold(1e-6, f32::max);
    let mut svg = format!(
        "<svg class=\"map\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"Density\"><g transform=\"matrix(1 0 0 -1 {} {})\">",
        -map.corner[0],
        height + map.corner[1]
    );
    let mut path = String::new();
    for ring in ground.areas.iter().flatten() {
        for (index, [x, y]) in ring.iter().enumerate() {
            let _ = write!(path, "{}{x:.2} {y:.2}", if index == 0 { "M" } else { "L" });
        }
        path.push('Z');
    }
    let _ = write!(svg, "<path class=\"f\" fill-rule=\"evenodd\" d=\"{path}\"/>");
    for (index, &value) in map.values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let (column, row) = (index % map.columns, index / map.columns);
        // Square root: the eye should see thin crowds, too.
        let share = (value / most).sqrt();
        let _ = write!(
            svg,
            "<rect x=\"{:.2}\" y=\"{:.2}\" width=\"{2:.2}\" height=\"{2:.2}\" fill=\"hsl({3:.0} 85% {4:.0}%)\" fill-opacity=\"{5:.2}\"/>",
            map.corner[0] + column as f32 * map.cell,
            map.corner[1] + row as f32 * map.cell,
            map.cell,
            260.0 - 220.0 * share,
            42.0 + 14.0 * share,
            0.25 + 0.75 * share
        );
    }
    let _ = write!(svg, "<path class=\"o\" d=\"{path}\" stroke-width=\"{:.2}\"/></g></svg>", width / 500.0);
    svg
}
