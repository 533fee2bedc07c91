//! A small server for one run: the page, and the blocks of the run as the page asks for them.

use crate::streaming_page;
use crowdloom_output::run::Run;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// The longest line of a request that is read, in bytes.
const LONGEST_LINE: u64 = 8192;

/// Serves `run` on `listener`, for as long as the listener lives.
pub fn serve(run: Run, listener: &TcpListener) -> std::io::Result<()> {
    let run = Arc::new(run);
    let page = Arc::new(streaming_page(&run));
    for stream in listener.incoming() {
        let stream = stream?;
        let (run, page) = (run.clone(), page.clone());
        // One thread a request: a page asks for two at a time.
        std::thread::spawn(move || answer(stream, &run, &page));
    }
    Ok(())
}

fn answer(stream: TcpStream, run: &Run, page: &str) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut reader = BufReader::new(stream.try_clone()?.take(LONGEST_LINE * 8));
    let mut request = String::new();
    reader.read_line(&mut request)?;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
    }
    let mut words = request.split_whitespace();
    let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let reply = if method == "GET" { contents(path, run, page) } else { None };
    let (status, kind, body) = match reply {
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", "text/plain", b"there is no such thing here".to_vec()),
    };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         Connection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body)
}

fn contents(path: &str, run: &Run, page: &str) -> Option<(&'static str, Vec<u8>)> {
    match path {
        "/" => Some(("text/html; charset=utf-8", page.as_bytes().to_vec())),
        "/blocks.json" => {
            let blocks = run.blocks().iter().map(|info| {
                let kind = char::from(info.prefix.kind.letter()).to_string();
                serde_json::json!({ "kind": kind, "first": info.first_frame, "frames": info.frames })
            });
            let list = serde_json::Value::Array(blocks.collect());
            Some(("application/json", list.to_string().into_bytes()))
        }
        _ => {
            let block = path.strip_prefix("/block/")?.parse().ok()?;
            Some(("application/octet-stream", run.block_bytes(block).ok()?))
        }
    }
}
