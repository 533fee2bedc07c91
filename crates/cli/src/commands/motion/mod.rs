//! `crowdloom motion …`: clips, libraries and graphs.

mod graph;
mod import;
mod info;
mod sheet;
mod source;
mod styles;

/// What to do with motion.
#[derive(clap::Subcommand)]
pub enum Motion {
    /// Import motion capture files (.bvh, .amc with its .asf) into a clip library.
    Import(import::Import),
    /// Tell what a motion file, a library or a graph holds.
    Info(info::Info),
    /// Build the motion graph of a library.
    Graph(graph::Graph),
    /// Draw motions as film strips, from the side and from above, with foot contacts.
    Sheet(sheet::Sheet),
    /// Find motion styles: primitive motions told apart by their kinetic energy.
    Styles(styles::Styles),
}

impl Motion {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        match self {
            Self::Import(import) => import.run(),
            Self::Info(info) => info.run(),
            Self::Graph(graph) => graph.run(),
            Self::Sheet(sheet) => sheet.run(),
            Self::Styles(styles) => styles.run(),
        }
    }
}
