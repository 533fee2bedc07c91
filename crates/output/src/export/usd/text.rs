//! A stage as text (`.usda`).

use super::stage::{Content, Prim, Property, Stage, Value};
use glam::Vec3;
use std::fmt::Write as _;
use std::io::{Result, Write};

/// Writes a stage as text.
pub fn write(stage: &Stage, out: &mut impl Write) -> Result<()> {
    let first = stage.prims.first().map_or("", |prim| &prim.name);
    let Stage { documentation, rate, last, .. } = stage;
    write!(
        out,
        "#usda 1.0\n(\n    defaultPrim = \"{first}\"\n    doc = \"{documentation}\"\n    upAxis = \"Z\"\n    metersPerUnit = 1\n    \
         timeCodesPerSecond = {rate}\n    framesPerSecond = {rate}\n    startTimeCode = 0\n    endTimeCode = {last}\n)\n"
    )?;
    stage.prims.iter().try_for_each(|prim| write_prim(prim, 0, out))
}

fn write_prim(prim: &Prim, depth: usize, out: &mut impl Write) -> Result<()> {
    let space = "    ".repeat(depth);
    let specifier = if prim.is_class { "class" } else { "def" };
    write!(out, "\n{space}{specifier} {} \"{}\"", prim.kind, prim.name)?;
    let mut about = Vec::new();
    if prim.binds {
        about.push("prepend apiSchemas = [\"SkelBindingAPI\"]".to_owned());
    }
    if let Some(path) = &prim.instance_of {
        about.push("instanceable = true".to_owned());
        about.push(format!("prepend references = <{path}>"));
    }
    if !about.is_empty() {
        write!(out, " (\n{space}    {}\n{space})", about.join(&format!("\n{space}    ")))?;
    }
    writeln!(out, "\n{space}{{")?;
    for property in &prim.properties {
        write_property(property, depth + 1, out)?;
    }
    prim.children.iter().try_for_each(|child| write_prim(child, depth + 1, out))?;
    writeln!(out, "{space}}}")
}

fn write_property(property: &Property, depth: usize, out: &mut impl Write) -> Result<()> {
    let space = "    ".repeat(depth);
    let Property { name, kind, .. } = property;
    let uniform = if property.uniform { "uniform " } else { "" };
    match &property.content {
        Content::To(path) => write!(out, "{space}rel {name} = <{path}>")?,
        Content::Fixed(value) => write!(out, "{space}{uniform}{kind} {name} = {}", told(value))?,
        Content::Sampled(times, values) => {
            writeln!(out, "{space}{kind} {name}.timeSamples = {{")?;
            for (time, value) in times.iter().zip(values) {
                writeln!(out, "{space}    {time}: {},", told(value))?;
            }
            write!(out, "{space}}}")?;
        }
    }
    if let Some((interpolation, size)) = property.interpolation {
        let together = if size > 1 { format!("\n{space}    elementSize = {size}") } else { String::new() };
        write!(out, " ({together}\n{space}    interpolation = \"{interpolation}\"\n{space})")?;
    }
    writeln!(out)
}

fn list<T>(values: impl IntoIterator<Item = T>, each: impl Fn(&mut String, T)) -> String {
    let mut text = String::from("[");
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        each(&mut text, value);
    }
    text.push(']');
    text
}

fn vector(text: &mut String, v: Vec3) {
    let _ = write!(text, "({:.4}, {:.4}, {:.4})", v.x, v.y, v.z);
}

fn told(value: &Value) -> String {
    match value {
        Value::Token(token) => format!("\"{token}\""),
        Value::Tokens(tokens) => list(tokens, |text, token| {
            let _ = write!(text, "\"{token}\"");
        }),
        Value::Flag(flag) => u8::from(*flag).to_string(),
        Value::Float(number) => format!("{number:.4}"),
        Value::Pair([a, b]) => format!("({a:.4}, {b:.4})"),
        Value::Vector(v) => {
            let mut text = String::new();
            vector(&mut text, *v);
            text
        }
        Value::Integers(numbers) => list(numbers, |text, number| {
            let _ = write!(text, "{number}");
        }),
        Value::Floats(numbers) => list(numbers, |text, number| {
            let _ = write!(text, "{number:.5}");
        }),
        Value::Vectors(vectors) => list(vectors, |text, v| vector(text, *v)),
        // USD has the real part first.
        Value::Rotations(turns) => list(turns, |text, q| {
            let _ = write!(text, "({:.5}, {:.5}, {:.5}, {:.5})", q.w, q.x, q.y, q.z);
        }),
        Value::UnitScales(count) => list(0..*count, |text, _| text.push_str("(1, 1, 1)")),
        Value::Matrices(all) => list(all, |text, (scale, at)| {
            let _ = write!(
                text,
                "(({:.5}, 0, 0, 0), (0, {:.5}, 0, 0), (0, 0, {:.5}, 0), ({:.5}, {:.5}, {:.5}, 1))",
                scale.x, scale.y, scale.z, at.x, at.y, at.z
            );
        }),
    }
}
