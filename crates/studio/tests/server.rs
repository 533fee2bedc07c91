//! The server over real sockets: who is let in, and what nobody can break.

use crowdloom_scene::embedded;
use crowdloom_studio::files::Files;
use crowdloom_studio::guard::Guard;
use crowdloom_studio::protocol::{Answer, Ask, Request, Tell};
use crowdloom_studio::server::{Studio, serve};
use crowdloom_studio::session::read;
use futures_util::{SinkExt, StreamExt};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::Duration;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

struct Running {
    address: SocketAddr,
    token: String,
    _folder: tempfile::TempDir,
}

fn start() -> Running {
    let folder = tempfile::tempdir().unwrap();
    let files = Files { folder: folder.path().to_owned(), name: "street.toml".into() };
    let (simulation, warnings) = read(&files, embedded::scene("street").unwrap()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let guard = Guard::new(address).unwrap();
    let token = guard.token().to_owned();
    let page = "<html><script type=\"module\">1</script></html>".into();
    std::thread::spawn(move || serve(Studio { simulation, warnings, files, page }, guard, listener));
    Running { address, token, _folder: folder }
}

impl Running {
    async fn try_connect(&self, token: &str, origin: Option<&str>) -> Result<Socket, Error> {
        let mut request =
            format!("ws://{}/socket?token={token}", self.address).into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", origin.parse().unwrap());
        }
        connect_async(request).await.map(|(socket, _)| socket)
    }

    async fn connect(&self) -> Socket {
        let origin = format!("http://{}", self.address);
        self.try_connect(&self.token, Some(&origin)).await.unwrap()
    }

    fn get(&self, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

/// Asks and waits for the answer, whatever else comes.
async fn ask(socket: &mut Socket, id: u32, ask: Ask) -> Answer {
    let text = serde_json::to_string(&Request { id, ask }).unwrap();
    socket.send(Message::Text(text.into())).await.unwrap();
    answer_to(socket, id).await
}

async fn answer_to(socket: &mut Socket, id: u32) -> Answer {
    let patience = Duration::from_secs(60);
    loop {
        let message = tokio::time::timeout(patience, socket.next()).await.expect("an answer in time");
        let Message::Text(text) = message.expect("an open socket").unwrap() else { continue };
        if let Tell::Answer { id: own, answer } = serde_json::from_str(&text).unwrap()
            && own == id
        {
            return answer;
        }
    }
}

/// The number of the next frame.
async fn next_frame(socket: &mut Socket) -> u32 {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(60), socket.next()).await.unwrap();
        if let Message::Binary(bytes) = message.unwrap().unwrap()
            && bytes[..4] == 1u32.to_le_bytes()
        {
            return u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_who_knows_the_secret_comes_in() {
    let running = start();
    let host = running.address.to_string();
    let page = running.get(&format!("/?token={}", running.token), &host);
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("script-src 'nonce-"), "{page}");
    let nonce = page.split("nonce-").nth(1).unwrap().split('\'').next().unwrap();
    assert!(page.contains(&format!("<script type=\"module\" nonce=\"{nonce}\">")));
    assert!(running.get("/", &host).starts_with("HTTP/1.1 403"));
    assert!(running.get("/?token=wrong", &host).starts_with("HTTP/1.1 403"));
    let renamed = running.get(&format!("/?token={}", running.token), "evil.example");
    assert!(renamed.starts_with("HTTP/1.1 403"));
    assert!(running.get("/schema.json", &host).starts_with("HTTP/1.1 403"));
    assert!(running.get("/../../etc/passwd", &host).starts_with("HTTP/1.1 404"));
    let own = format!("http://{host}");
    for (token, origin) in [
        ("", Some(own.as_str())),
        ("wrong", Some(own.as_str())),
        (running.token.as_str(), Some("http://evil.example")),
        (running.token.as_str(), None),
    ] {
        assert!(running.try_connect(token, origin).await.is_err(), "{token:?} {origin:?}");
    }
    let mut socket = running.connect().await;
    assert!(next_frame(&mut socket).await > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_pages_see_each_others_changes() {
    let running = start();
    let (mut one, mut other) = (running.connect().await, running.connect().await);
    ask(&mut one, 1, Ask::Pause).await;
    let faster = |number: u32| {
        let event = serde_json::json!({ "numbers": [number], "speed": 1.0 + number as f32 * 0.1 });
        Ask::Enact { event: event.as_object().unwrap().clone(), joined: false }
    };
    for number in 1..=5 {
        for socket in [&mut one, &mut other] {
            assert!(matches!(ask(socket, 10 + number, faster(number)).await, Answer::Done { .. }));
        }
    }
    // The other page asks nothing any more, so it misses nothing that it is told.
    assert!(matches!(ask(&mut one, 20, faster(6)).await, Answer::Done { .. }));
    loop {
        let Some(Ok(message)) = other.next().await else { panic!("the socket has gone") };
        let Message::Text(text) = message else { continue };
        if let Ok(Tell::Text(told)) = serde_json::from_str(&text)
            && told.text.matches("[[event]]").count() == 11
        {
            break;
        }
    }
}

/// Memory of this process in MB, where the system tells it.
fn memory() -> Option<f64> {
    let told = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(told.split_whitespace().nth(1)?.parse::<f64>().ok()? * 4096.0 / 1e6)
}

/// `CROWDLOOM_SLEEP=60` lets them sleep for a minute.
#[tokio::test(flavor = "multi_thread")]
async fn who_reads_nothing_holds_nobody_up() {
    let running = start();
    let mut sleepers = Vec::new();
    for _ in 0..20 {
        sleepers.push(running.connect().await);
    }
    let mut awake = running.connect().await;
    ask(&mut awake, 1, Ask::Speed { times: 8.0 }).await;
    let first = next_frame(&mut awake).await;
    while next_frame(&mut awake).await <= first + 60 {}
    let (before, asleep) = (memory(), std::time::Instant::now());
    let seconds = std::env::var("CROWDLOOM_SLEEP").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(2);
    while asleep.elapsed() < Duration::from_secs(seconds) {
        next_frame(&mut awake).await;
    }
    if let (Some(before), Some(after)) = (before, memory()) {
        // Other tests run in this process, too; twenty queues of frames would be more.
        println!("{before:.0} MB, then {after:.0} MB after {seconds} s");
        assert!(after < before + 400.0, "{before} MB became {after} MB");
    }
    // Questions are answered as ever.
    ask(&mut awake, 2, Ask::Pause).await;
    drop(sleepers);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_connections_are_bounded_and_leave_room_again() {
    let running = start();
    let mut open = Vec::new();
    let mut refused = 0;
    let origin = format!("http://{}", running.address);
    for _ in 0..200 {
        match running.try_connect(&running.token, Some(&origin)).await {
            Ok(socket) => open.push(socket),
            Err(_) => refused += 1,
        }
    }
    assert!(open.len() == 64 && refused == 136, "{} open, {refused} refused", open.len());
    for socket in &mut open {
        next_frame(socket).await;
    }
    drop(open);
    for _ in 0..100 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        if let Ok(mut socket) = running.try_connect(&running.token, Some(&origin)).await {
            assert!(matches!(ask(&mut socket, 1, Ask::Pause).await, Answer::Done { .. }));
            return;
        }
    }
    panic!("nobody is let in any more");
}

/// Numbers that differ from each other and are the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }
}

/// `CROWDLOOM_MUTATIONS=100000` sends that many.
#[tokio::test(flavor = "multi_thread")]
async fn mutated_messages_are_answered_and_break_nothing() {
    let running = start();
    let mut socket = running.connect().await;
    ask(&mut socket, 1, Ask::Pause).await;
    let right = [
        r#"{"id": 5, "ask": {"kind": "enact", "event": {"numbers": [1, 2], "speed": 1.25}}}"#,
        r#"{"id": 5, "ask": {"kind": "enact", "event": {"people": {"at": [[5.5, 20.5]], "speed": 1.5, "mover": "graph"}}}}"#,
        r#"{"id": 5, "ask": {"kind": "enact", "event": {"region": {"name": "r", "polygon": [[1, 1], [4, 1], [4, 4]]}}}}"#,
        r#"{"id": 5, "ask": {"kind": "enact", "event": {"numbers": [3], "direct": {"at": [8.5, 4.0], "facing": 90, "stay": 2}}}}"#,
        r#"{"id": 5, "ask": {"kind": "enact", "event": {"region": {"name": "p", "painted": {"at": [2, 2], "cell": 0.5, "rows": [".##", ".#.", ".##"]}}}, "joined": true}}"#,
        r#"{"id": 5, "ask": {"kind": "enact", "event": {"numbers": [1, 2], "size": [0.5, 1.5]}}}"#,
        r#"{"id": 5, "ask": {"kind": "drawn", "drawn": {"pictures": 30.5, "renderer": "some card"}}}"#,
        r#"{"id": 5, "ask": {"kind": "text", "text": "name = 'x'", "onto": "name = 'y'"}}"#,
        r#"{"id": 5, "ask": {"kind": "redo"}}"#,
        r#"{"id": 5, "ask": {"kind": "lock", "people": [1, 2, 3], "on": true}}"#,
        r#"{"id": 5, "ask": {"kind": "spot", "x": 13.5, "y": 4.0}}"#,
        r#"{"id": 5, "ask": {"kind": "undo"}}"#,
        r#"{"id": 5, "ask": {"kind": "save-as", "name": "other"}}"#,
        r#"{"id": 5, "ask": {"kind": "speed", "times": 2.5}}"#,
    ];
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let letters = b"{}[]\",:0123456789.-eE nulltruefa\\x";
    // Each is answered, though its number may be spoilt: numbers of others are never used for it.
    let (mut sent, mut answered) = (0u32, 0u32);
    let count = std::env::var("CROWDLOOM_MUTATIONS").ok().and_then(|count| count.parse().ok());
    for round in 0..count.unwrap_or(10_000) {
        let mut bytes = right[dice.below(right.len())].as_bytes().to_vec();
        for _ in 0..=dice.below(4) {
            let place = dice.below(bytes.len().max(1));
            if bytes.is_empty() {
                break;
            }
            match dice.below(4) {
                0 => bytes[place] = letters[dice.below(letters.len())],
                1 => drop(bytes.remove(place)),
                2 => bytes.insert(place, letters[dice.below(letters.len())]),
                _ => bytes.truncate(place.max(1)),
            }
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        socket.send(Message::Text(text.into())).await.unwrap();
        sent += 1;
        if round % 20 == 19 {
            while answered < sent {
                let message = tokio::time::timeout(Duration::from_secs(60), socket.next()).await.unwrap();
                if let Message::Text(text) = message.unwrap().unwrap()
                    && matches!(serde_json::from_str(&text).unwrap(), Tell::Answer { .. })
                {
                    answered += 1;
                }
            }
        }
    }
    // Bytes that nobody asked for, and what is far too long.
    socket.send(Message::Binary(vec![7; 100].into())).await.unwrap();
    assert!(matches!(answer_to(&mut socket, 0).await, Answer::Refused { .. }));
    let mut greedy = running.connect().await;
    let long = format!("{{\"id\": 1, \"ask\": \"{}\"}}", "x".repeat(5 << 20));
    let _ = greedy.send(Message::Text(long.into())).await;
    assert!(matches!(ask(&mut socket, 77, Ask::Play).await, Answer::Done { .. }));
    let first = next_frame(&mut socket).await;
    while next_frame(&mut socket).await < first + 10 {}
}
