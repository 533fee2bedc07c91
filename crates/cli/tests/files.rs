//! What the program writes to: files, links, pipes and devices; and what it reads: texts in other encodings.

#![cfg(unix)]

use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn crowdloom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crowdloom"));
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    crowdloom(arguments).output().unwrap()
}

/// A short run in a folder.
fn a_run(folder: &Path) -> String {
    let run_folder = folder.join("run").to_string_lossy().into_owned();
    let output = run(&["demo", "field", "--people", "5", "--seconds", "1", "--quiet", "-o", &run_folder]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    run_folder
}

#[test]
fn exports_go_to_pipes_devices_and_through_links() {
    let folder = tempfile::tempdir().unwrap();
    let run_folder = a_run(folder.path());
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let export = |to: &str| run(&["export", &run_folder, "--to", "csv", "-o", to]);
    assert!(export(&path("plain.csv")).status.success());
    let plain = std::fs::read(path("plain.csv")).unwrap();
    assert!(plain.starts_with(b"id,frame,time"));

    let standard = export("/dev/stdout");
    assert!(standard.status.success(), "{}", String::from_utf8_lossy(&standard.stderr));
    assert_eq!(standard.stdout, plain, "nothing but the table is printed");
    assert!(export("/dev/null").status.success());
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());

    std::fs::write(path("old.csv"), "old").unwrap();
    std::os::unix::fs::symlink(path("old.csv"), path("link.csv")).unwrap();
    assert!(export(&path("link.csv")).status.success());
    assert!(std::fs::symlink_metadata(path("link.csv")).unwrap().is_symlink());
    assert_eq!(std::fs::read(path("old.csv")).unwrap(), plain);

    let pipe = path("pipe");
    if Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || std::fs::read(pipe).unwrap())
        };
        assert!(export(&pipe).status.success());
        assert_eq!(reader.join().unwrap(), plain);
        assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    } else {
        println!("no mkfifo: pipes are not tested");
    }

    let socket = path("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let refused = export(&socket);
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("it is a socket"));
    assert!(std::fs::metadata(&socket).unwrap().file_type().is_socket());
}

#[test]
fn a_run_does_not_replace_what_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let run_folder = a_run(folder.path());
    let run_file = Path::new(&run_folder).join("run.loom");
    std::fs::remove_file(&run_file).unwrap();
    let _listener = std::os::unix::net::UnixListener::bind(&run_file).unwrap();
    let output = run(&["demo", "field", "--people", "5", "--seconds", "1", "--quiet", "-o", &run_folder]);
    assert_eq!(output.status.code(), Some(1));
    assert!(std::fs::metadata(&run_file).unwrap().file_type().is_socket());
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for arguments in [&["schema"][..], &["motion", "info", "builtin"]] {
        let mut child = crowdloom(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Some of it is read, then nobody listens any longer.
        let mut some = [0; 16];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let output = child.wait_with_output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && told.is_empty(), "{arguments:?}: {:?}\n{told}", output.status);
    }
}

#[test]
fn texts_in_utf_16_are_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let wide = |text: &str, marked: bool| -> Vec<u8> {
        let mark = marked.then_some(0xfeff);
        mark.into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
    };
    let told = |bytes: &[u8]| {
        let scene = folder.path().join("scene.toml");
        std::fs::write(&scene, bytes).unwrap();
        let output = run(&["check", &scene.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let text = "name = 'a'\n[world]\nmap = 'map.wkt'\n";
    for marked in [true, false] {
        let told = told(&wide(text, marked));
        assert!(told.contains("the file is in UTF-16, not in UTF-8 (save it as UTF-8)"), "{told}");
    }
    assert!(told(b"name = '\xff\xff'").contains("the file is not in UTF-8"));
    std::fs::write(folder.path().join("map.wkt"), wide("POLYGON ((0 0, 9 0, 9 9, 0 0))", true)).unwrap();
    let told = told(text.as_bytes());
    assert!(told.contains("line 3: the world cannot be built") && told.contains("UTF-16"), "{told}");
}

#[test]
fn a_run_is_the_same_bytes_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = |threads: &str, scene: &str| {
        let to = folder.path().join(threads);
        let output = crowdloom(&["demo", scene, "--people", "60", "--seconds", "4", "--quiet", "-o"])
            .arg(&to)
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(to.join("run.loom")).unwrap()
    };
    for scene in ["street", "promenade", "urban-street"] {
        assert!(bytes("1", scene) == bytes("2", scene), "{scene}: the files differ");
    }
}
