//! Recording a run to be looked at and exported: `cargo run --release -p crowdloom --example record`.

use crowdloom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let street = crowdloom::scene::embedded::scene("street").ok_or("the street is embedded")?;
    let (mut street, _) = parse(Path::new("street"), street, Overrides { people: Some(30), seed: None })?;
    let mut recording = CrowdRecording::new(&mut street);
    let info = RunInfo { name: "street".into(), stride: 1, ..RunInfo::default() };
    let summary = record(&mut recording, &info, 3.0, folder.path(), &mut |_| {}, &|| false)?;
    println!("{} people for {} s: {} bytes", summary.agents, summary.seconds, summary.bytes);
    Ok(())
}

#[test]
fn it_runs() {
    assert!(main().is_ok());
}
