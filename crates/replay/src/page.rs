//! Puts a run into a page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crowdloom_motion::Skeleton;
use crowdloom_motion::stance::StanceSolver;
use crowdloom_output::body::{Detail, Figure, Proportions, figure};
use crowdloom_output::run::{ReadError, Run, WriteError, write_whole};
use std::path::{Path, PathBuf};

/// The page's name in the run's folder.
pub const PAGE_NAME: &str = "replay.html";

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The run cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The page cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

#[cfg(bundled_page)]
const BUNDLE: Option<&str> = Some(include_str!(env!("CROWDLOOM_PAGE")));
#[cfg(not(bundled_page))]
const BUNDLE: Option<&str> = None;

#[cfg(bundled_page)]
const STUDIO: Option<&str> = Some(include_str!(env!("CROWDLOOM_STUDIO")));
#[cfg(not(bundled_page))]
const STUDIO: Option<&str> = None;

/// The plain page, which needs no bundling, and the reader of run files that both pages share.
const PLAIN: &str = include_str!("../plain/plain.html");
const READER: &str = include_str!("../page/src/loom.js");

/// What stands in a page where its data goes.
const DATA_MARK: &str = "<!--crowdloom-data-->";
/// What stands in the plain page where the reader goes.
const READER_MARK: &str = "/*crowdloom-reader*/";

/// Whether the 3-D page was bundled into this build.
pub fn is_bundled() -> bool {
    BUNDLE.is_some()
}

/// Writes `folder/replay.html` and returns its path.
pub fn write_page(run: &Run, folder: &Path) -> Result<PathBuf, PageError> {
    let mut data = String::new();
    for block in 0..run.blocks().len() {
        let info = &run.blocks()[block];
        let kind = char::from(info.prefix.kind.letter());
        data.push_str(&format!(
            "<script type=\"text/loom\" data-kind=\"{kind}\" data-first=\"{}\" data-frames=\"{}\">",
            info.first_frame, info.frames
        ));
        STANDARD.encode_string(run.block_bytes(block)?, &mut data);
        data.push_str("</script>\n");
    }
    let path = folder.join(PAGE_NAME);
    write_whole(&path, page(run, &data).as_bytes())?;
    Ok(path)
}

/// A page that asks its server for the blocks of the run: `blocks.json`, then `block/NUMBER`.
pub fn streaming_page(run: &Run) -> String {
    page(run, "<script type=\"text/loom-stream\">blocks.json</script>\n")
}

/// The page of the studio for people with that skeleton; none where it could not be bundled.
pub fn studio_page(skeleton: &Skeleton) -> Option<String> {
    Some(STUDIO?.replacen(DATA_MARK, &bodies(skeleton), 1))
}

fn page(run: &Run, data: &str) -> String {
    let all = format!("{}{data}", bodies(&run.header().skeleton));
    match BUNDLE {
        Some(bundle) => bundle.replacen(DATA_MARK, &all, 1),
        None => PLAIN.replacen(READER_MARK, &READER.replace("export ", ""), 1).replacen(DATA_MARK, data, 1),
    }
}

/// Bodies as the page's script reads them: for a woman's and a man's shape each, three details.
fn bodies(skeleton: &Skeleton) -> String {
    let mut text = String::new();
    for sex in [0.0, 1.0] {
        for detail in Detail::ALL {
            let proportions = Proportions { sex, ..Proportions::default() };
            let made = figure(skeleton, &proportions, detail);
            text.push_str("<script type=\"text/body\">");
            STANDARD.encode_string(body_bytes(&made), &mut text);
            text.push_str("</script>\n");
        }
    }
    if let Some(solver) = StanceSolver::of(skeleton) {
        let legs = solver.legs().iter().flat_map(|leg| [leg.hip, leg.knee, leg.ankle, leg.ball].map(Some));
        let joints = legs.chain(solver.neck_and_head());
        let numbers: Vec<String> =
            joints.map(|joint| joint.map_or("-1".into(), |joint| joint.to_string())).collect();
        text.push_str(&format!("<script type=\"text/stance\">[{}]</script>\n", numbers.join(",")));
    }
    text
}

/// Points, then triangles: counts, then for each point position (3 × f32), normal (3 × i8 and the part's number),
/// joints (4 × u8) and weights (4 × u8), then indices (u16), all little endian.
fn body_bytes(figure: &Figure) -> Vec<u8> {
    let mesh = &figure.mesh;
    let mut bytes = Vec::with_capacity(8 + mesh.vertices.len() * 24 + mesh.triangles.len() * 6);
    bytes.extend((mesh.vertices.len() as u32).to_le_bytes());
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for vertex in &mesh.vertices {
        vertex.position.to_array().iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        vertex.normal.to_array().iter().for_each(|value| bytes.extend(((value * 127.0) as i8).to_le_bytes()));
        bytes.push(vertex.part as u8);
        vertex.joints.iter().for_each(|&joint| bytes.push(joint.min(255) as u8));
        vertex.weights.iter().for_each(|weight| bytes.push((weight * 255.0).round() as u8));
    }
    for index in mesh.triangles.iter().flatten() {
        bytes.extend((*index as u16).to_le_bytes());
    }
    bytes
}
