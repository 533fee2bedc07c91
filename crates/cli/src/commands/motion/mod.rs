//! `crowdloom motion …`: clips, libraries and graphs.

mod export;
mod gesture;
mod graph;
mod import;
mod info;
mod kits;
mod locomotion;
mod sheet;
mod shown;
mod source;
mod styles;

/// What to do with motion.
#[derive(clap::Subcommand)]
pub enum Motion {
    /// Write clips as BVH files or as glTF, to look at them in other tools.
    Export(export::Export),
    /// Give an arm something of its own to do: a phone, a pocket, a bag.
    Gesture(gesture::Gesture),
    /// Import motion capture files (.bvh, .amc with its .asf) into a clip library.
    Import(import::Import),
    /// Tell what a motion file, a library or a graph holds.
    Info(info::Info),
    /// Build the motion graph of a library.
    Graph(graph::Graph),
    /// Tell a library's repertoire: by what people do, besides and with their arms, and by speed.
    Kits(kits::Kits),
    /// Make walks and runs at many speeds, of any mixture of people.
    Locomotion(locomotion::Locomotion),
    /// Draw motions as film strips, from the side and from above, with foot contacts.
    Sheet(sheet::Sheet),
    /// Find motion styles: primitive motions told apart by their kinetic energy.
    Styles(styles::Styles),
}

impl Motion {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        match self {
            Self::Export(export) => export.run(),
            Self::Gesture(gesture) => gesture.run(),
            Self::Import(import) => import.run(),
            Self::Info(info) => info.run(),
            Self::Graph(graph) => graph.run(),
            Self::Kits(kits) => kits.run(),
            Self::Locomotion(locomotion) => locomotion.run(),
            Self::Sheet(sheet) => sheet.run(),
            Self::Styles(styles) => styles.run(),
        }
    }
}
