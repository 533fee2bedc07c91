//! The server of recorded runs over a real socket.

use crowdloom_output::run::{CrowdRecording, Run, RunInfo, record};
use crowdloom_scene::{Overrides, parse};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;

/// The head and the body of an answer.
fn ask(address: SocketAddr, method: &str, path: &str) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).unwrap();
    let end = all.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (String::from_utf8(all[..end].to_vec()).unwrap(), all[end + 4..].to_vec())
}

#[test]
fn page_and_blocks_are_served_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = 'hall'\n[world]\nfloor = [[0, 0], [9, 0], [9, 9], [0, 9]]\n[[people]]\ncount = 3\n";
    let (mut hall, _) = parse(Path::new("hall.toml"), text, Overrides::default()).unwrap();
    let info = RunInfo::of_scene(&hall);
    let recording = &mut CrowdRecording::of_scene(&mut hall);
    record(recording, &info, 1.0, folder.path(), &mut |_| {}, &|| false).unwrap();
    let run = Run::open(folder.path()).unwrap();
    let blocks: Vec<Vec<u8>> = (0..run.blocks().len()).map(|block| run.block_bytes(block).unwrap()).collect();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || crowdloom_studio::view::serve(run, listener));

    let (head, page) = ask(address, "GET", "/");
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("text/html"), "{head}");
    assert!(head.to_lowercase().contains("cache-control: no-store") && page.starts_with(b"<!"), "{head}");
    let (_, list) = ask(address, "GET", "/blocks.json");
    let list: Vec<serde_json::Value> = serde_json::from_slice(&list).unwrap();
    assert!(list.len() == blocks.len() && list[0]["kind"].is_string(), "{list:?}");
    for (number, block) in blocks.iter().enumerate() {
        assert_eq!(ask(address, "GET", &format!("/block/{number}")).1, *block);
    }
    for path in ["/block/9999", "/block/-1", "/block/x", "/block/", "/../run.loom", "/run.loom"] {
        assert!(ask(address, "GET", path).0.starts_with("HTTP/1.1 404"), "{path}");
    }
    assert!(ask(address, "POST", "/").0.starts_with("HTTP/1.1 405"));
}
