//! `crowdloom film SCENE|RUN --camera NAME -o FILM`.

use crate::progress::progress_bar;
use crowdloom_output::gif::Gif;
use crowdloom_output::run::Run;
use crowdloom_studio::film::{Shot, film};
use miette::{IntoDiagnostic, WrapErr, miette};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Arguments of `crowdloom film`.
#[derive(clap::Args)]
pub struct Film {
    /// The folder of a run, a run file, or a scene (file or embedded), which is run first.
    of: PathBuf,
    /// The camera of the scene; `overview` is how the page begins, `near N` follows person N from near.
    #[arg(long, default_value = "overview")]
    camera: String,
    /// The film: .gif, .mp4 or .webm (these two with ffmpeg), or a folder for single pictures.
    #[arg(short, long)]
    output: PathBuf,
    /// From so many seconds after the start of the run.
    #[arg(long, default_value_t = 0.0)]
    from_time: f32,
    /// To so many seconds after the start of the run [default: its end].
    #[arg(long)]
    to_time: Option<f32>,
    /// Pictures a second.
    #[arg(long, default_value_t = 30.0)]
    rate: f32,
    /// Pixels across and down.
    #[arg(long, default_value = "1280x720", value_parser = size)]
    size: (u32, u32),
    /// Print nothing but errors.
    #[arg(short, long)]
    quiet: bool,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    let parts =
        text.split_once('x').and_then(|(across, down)| Some((across.parse().ok()?, down.parse().ok()?)));
    parts
        .filter(|&(across, down)| (16..=4096).contains(&across) && (16..=4096).contains(&down))
        .ok_or_else(|| format!("`{text}` is no size: two numbers from 16 to 4096, such as 1280x720"))
}

/// Where pictures go.
enum Reel {
    Folder(PathBuf),
    Gif(Box<Gif<BufWriter<File>>>),
    Encoder(Child),
}

impl Film {
    /// Does it.
    pub fn run(self) -> miette::Result<()> {
        let beside = tempfile::tempdir().into_diagnostic()?;
        let is_scene = self.of.extension().is_some_and(|own| own == "toml")
            || !self.of.exists() && self.of.to_str().and_then(crowdloom_scene::embedded::scene).is_some();
        let run = match is_scene {
            true => {
                let folder = beside.path().join("run");
                super::demo::run_quietly(&self.of, &folder)?;
                Run::open(&folder).into_diagnostic()?
            }
            false => Run::open(&self.of).into_diagnostic()?,
        };
        let named: Vec<&str> = run.header().cameras.iter().map(|camera| &*camera.name).collect();
        let near = self.camera.strip_prefix("near ").is_some_and(|number| number.parse::<u32>().is_ok());
        if !(self.camera == "overview" || near || named.contains(&&*self.camera)) {
            let known = ["overview", "near N"].into_iter().chain(named).collect::<Vec<_>>().join(", ");
            return Err(miette!("there is no camera `{}`: one of {known}", self.camera));
        }
        let to = self.to_time.unwrap_or(run.seconds()).min(run.seconds());
        let numbers = [self.from_time, to, self.rate];
        if !numbers.iter().all(|number| number.is_finite()) || self.from_time < 0.0 || self.from_time > to {
            return Err(miette!(
                "a film from {} to {to} s is not possible: the run has {} s",
                self.from_time,
                run.seconds()
            ));
        }
        if !(0.1..=120.0).contains(&self.rate) {
            return Err(miette!("--rate must be between 0.1 and 120 pictures a second, not {}", self.rate));
        }
        let shot = Shot { camera: self.camera, from: self.from_time, to, rate: self.rate, size: self.size };
        let mut reel = Reel::new(&self.output, &shot)?;
        let bar = match self.quiet {
            true => indicatif::ProgressBar::hidden(),
            false => progress_bar(shot.pictures().into(), "pictures"),
        };
        let browser = beside.path().join("browser");
        let mut take = |number: u32, picture: &[u8]| {
            bar.set_position(u64::from(number) + 1);
            reel.take(number, picture)
        };
        film(run, &shot, &browser, &mut take).into_diagnostic().wrap_err("the film was not made")?;
        bar.finish_and_clear();
        reel.finish(&self.output)?;
        if !self.quiet {
            say!("{} ({} pictures, {:.1} s)", self.output.display(), shot.pictures(), shot.to - shot.from);
        }
        Ok(())
    }
}

/// Makes the folder that a file is to be in.
fn make_folder_of(file: &Path) -> miette::Result<()> {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => std::fs::create_dir_all(folder).into_diagnostic(),
        None => Ok(()),
    }
}

impl Reel {
    fn new(output: &Path, shot: &Shot) -> miette::Result<Self> {
        let kind = output.extension().and_then(|own| own.to_str()).unwrap_or("").to_lowercase();
        let how: &[&str] = match &*kind {
            "mp4" => &["-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"],
            "webm" => {
                &["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "32", "-b:v", "0", "-row-mt", "1"]
            }
            "gif" => {
                make_folder_of(output)?;
                let out =
                    File::create(output).into_diagnostic().wrap_err_with(|| output.display().to_string())?;
                let (width, height) = (shot.size.0 as u16, shot.size.1 as u16);
                let gif = Gif::new(BufWriter::new(out), width, height, shot.rate.into());
                return Ok(Self::Gif(Box::new(gif.into_diagnostic()?)));
            }
            "" => {
                std::fs::create_dir_all(output).into_diagnostic()?;
                return Ok(Self::Folder(output.to_owned()));
            }
            other => {
                return Err(miette!("a film is .mp4, .webm, .gif or a folder of pictures, not .{other}"));
            }
        };
        make_folder_of(output)?;
        let mut command = Command::new("ffmpeg");
        command.args(["-y", "-loglevel", "error", "-f", "image2pipe", "-c:v", "png", "-framerate"]);
        command.arg(shot.rate.to_string()).args(["-i", "-"]).args(how);
        // Encoders of films want even numbers of pixels.
        command.args(["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2"]);
        let encoder = command.arg(output).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        encoder.map(Self::Encoder).map_err(|_| {
            miette!(
                help = "install it, or give a .gif, or a folder (`-o frames/`) for single pictures: these need nothing else",
                "there is no ffmpeg, which makes .{kind} of pictures"
            )
        })
    }

    fn take(&mut self, number: u32, picture: &[u8]) -> std::io::Result<()> {
        match self {
            Self::Folder(folder) => std::fs::write(folder.join(format!("{number:05}.png")), picture),
            Self::Gif(gif) => {
                let picture = image::load_from_memory(picture).map_err(std::io::Error::other)?;
                gif.picture(&picture.into_rgb8())
            }
            Self::Encoder(encoder) => match &mut encoder.stdin {
                Some(pipe) => pipe.write_all(picture),
                None => Err(std::io::Error::other("ffmpeg takes nothing")),
            },
        }
    }

    fn finish(self, output: &Path) -> miette::Result<()> {
        let mut encoder = match self {
            Self::Folder(_) => return Ok(()),
            Self::Gif(gif) => return gif.finish().map(drop).into_diagnostic(),
            Self::Encoder(encoder) => encoder,
        };
        drop(encoder.stdin.take());
        let status = encoder.wait().into_diagnostic()?;
        match status.success() {
            true => Ok(()),
            false => Err(miette!("ffmpeg could not make {} ({status})", output.display())),
        }
    }
}
