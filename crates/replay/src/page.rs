//! Puts a run into a page.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use crowdloom_bodies::{Carriage, Person, Told, outfits, pack_people, pack_pieces, stature};
use crowdloom_motion::Skeleton;
use crowdloom_motion::stance::StanceSolver;
use crowdloom_output::run::{ReadError, Run, WriteError, write_whole};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

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
    let outfits = outfits();
    let cast = (0..CAST).map(|number| Person::draw(&Told::default(), number, &outfits));
    let carriage = Carriage::of(skeleton, &[]);
    let cast = pack_people(cast, stature(skeleton), carriage.as_ref());
    Some(STUDIO?.replacen(DATA_MARK, &bodies(skeleton, &cast, carriage.as_ref()), 1))
}

fn page(run: &Run, data: &str) -> String {
    match BUNDLE {
        Some(bundle) => {
            let carriage = run.carriage();
            let people = people(run, carriage.as_ref());
            let all = format!("{}{data}", bodies(&run.header().skeleton, &people, carriage.as_ref()));
            bundle.replacen(DATA_MARK, &all, 1)
        }
        None => PLAIN.replacen(READER_MARK, &READER.replace("export ", ""), 1).replacen(DATA_MARK, data, 1),
    }
}

/// As many people a page has at most: beyond, those of the first come again.
const MOST_PEOPLE: u32 = 50_000;
/// As many people the studio has to choose from.
const CAST: u32 = 2048;

/// Bodies and people as the page's script reads them, compressed.
fn bodies(skeleton: &Skeleton, people: &[u8], carriage: Option<&Carriage>) -> String {
    static LAST: Mutex<Option<(Skeleton, String)>> = Mutex::new(None);
    let mut text = match LAST.lock() {
        // Bodies on one skeleton are made once.
        Ok(mut last) => match &*last {
            Some((known, text)) if known == skeleton => text.clone(),
            _ => {
                let text = packed("bodies", &pack_pieces(skeleton));
                *last = Some((skeleton.clone(), text.clone()));
                text
            }
        },
        Err(_) => packed("bodies", &pack_pieces(skeleton)),
    };
    text.push_str(&packed("people", people));
    // Numbers and names make text that can always be written.
    if let Some(arms) = carriage.and_then(|carriage| serde_json::to_string(carriage).ok()) {
        text.push_str(&format!("<script type=\"text/carriage\">{}</script>\n", arms.replace('<', "\\u003c")));
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

fn packed(kind: &str, bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing into memory does not fail.
    let small = encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default();
    format!("<script type=\"text/{kind}\">{}</script>\n", STANDARD.encode(small))
}

/// Everybody of a run.
fn people(run: &Run, carriage: Option<&Carriage>) -> Vec<u8> {
    let last = run.end().map_or(CAST, |end| end.last.max(end.agents)).min(MOST_PEOPLE - 1);
    let outfits = run.outfits();
    // Those who come to look otherwise are there once for each of their looks, after all others.
    let changed = run.end().map(|end| &end.appearances[..]).unwrap_or_default();
    let people = (0..=last).map(|id| run.person(id, &outfits));
    let people = people.chain(changed.iter().map(|each| run.person_as(each, &outfits)));
    pack_people(people, stature(&run.header().skeleton), carriage)
}
