//! Bundles the replay page and the studio with npm and Vite where Node is there; without it the plain page is used.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the bundle is made from.
const SOURCES: [&str; 7] = [
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "tsconfig.json",
    "index.html",
    "studio.html",
    "src",
];

fn main() {
    let here = PathBuf::from(env("CARGO_MANIFEST_DIR"));
    let (page, out) = (here.join("page"), PathBuf::from(env("OUT_DIR")));
    for source in SOURCES {
        println!("cargo::rerun-if-changed=page/{source}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CROWDLOOM_NO_NODE");
    println!("cargo::rustc-check-cfg=cfg(bundled_page)");
    let (bundle, studio) = (out.join("page.html"), out.join("studio.html"));
    if std::env::var_os("CROWDLOOM_NO_NODE").is_some() {
        return;
    }
    match build(&page, &out.join("page"), &bundle, &studio) {
        Ok(()) => {
            println!("cargo::rustc-cfg=bundled_page");
            println!("cargo::rustc-env=CROWDLOOM_PAGE={}", bundle.display());
            println!("cargo::rustc-env=CROWDLOOM_STUDIO={}", studio.display());
        }
        Err(problem) => println!(
            "cargo::warning=the replay page will be the plain 2-D one, and there is no studio: {problem}; install Node.js 20.19 or later \
             with npm and build again for the 3-D one"
        ),
    }
}

/// Copies the sources beside the build's own files, so that nothing is written into the source tree, and bundles.
fn build(page: &Path, work: &Path, bundle: &Path, studio: &Path) -> Result<(), String> {
    std::fs::create_dir_all(work).map_err(|error| error.to_string())?;
    for source in SOURCES {
        copy(&page.join(source), &work.join(source)).map_err(|error| format!("{source}: {error}"))?;
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let run = |arguments: &[&str]| {
        let output = Command::new(npm).args(arguments).current_dir(work).output();
        let output = output.map_err(|_| "npm was not found".to_owned())?;
        if output.status.success() {
            return Ok(());
        }
        let text =
            String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        let last: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(6).collect();
        Err(format!("`npm {}` failed: {}", arguments.join(" "), last.join(" | ")))
    };
    // Installing is slow: only when what to install has changed.
    let (lock, installed) = (page.join("package-lock.json"), work.join("installed.lock"));
    let same =
        std::fs::read(&lock).ok() == std::fs::read(&installed).ok() && work.join("node_modules").is_dir();
    if !same {
        // A lock file made on another system may lack what this one needs; installing finds it.
        run(&["ci", "--no-audit", "--no-fund"]).or_else(|_| run(&["install", "--no-audit", "--no-fund"]))?;
        std::fs::copy(&lock, &installed).map_err(|error| error.to_string())?;
    }
    run(&["run", "build"])?;
    let copied = |name: &str, to: &Path| std::fs::copy(work.join("dist").join(name), to).map(|_| ());
    let copied = copied("index.html", bundle).and_then(|()| copied("studio.html", studio));
    copied.map_err(|error| error.to_string())
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        return std::fs::copy(from, to).map(|_| ());
    }
    // What was deleted from the sources must go from the copy, too.
    let _ = std::fs::remove_dir_all(to);
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}
