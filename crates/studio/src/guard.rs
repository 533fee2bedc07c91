//! Who may come in: those who know the secret of the address, from pages of this server only.

use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::net::SocketAddr;

/// Letters of a secret.
pub const SECRET_LETTERS: usize = 24;

/// 144 bits that nobody guesses, as text for addresses.
pub fn secret() -> std::io::Result<String> {
    let mut bytes = [0; 18];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// What the page may load and do: its own script, and talk to its own server.
pub fn policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; img-src data: blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// The rules of the door.
#[derive(Clone, Debug)]
pub struct Guard {
    token: String,
    /// Hosts by which the server may be called; any where it listens to more than this machine.
    hosts: Option<Vec<String>>,
}

impl Guard {
    /// A guard with a fresh secret for a server at an address. Behind a loopback address other hosts are refused, so that
    /// no page of another site can reach it by a name of its own.
    pub fn new(address: SocketAddr) -> std::io::Result<Self> {
        Ok(Self::knowing(address, secret()?))
    }

    /// The same with a secret that pages know already.
    pub fn knowing(address: SocketAddr, token: String) -> Self {
        let port = address.port();
        let names = ["127.0.0.1", "localhost", "[::1]"];
        let hosts = address.ip().is_loopback().then(|| names.map(|name| format!("{name}:{port}")).to_vec());
        Self { token, hosts }
    }

    /// The secret.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Whether a request with these headers and that token may come in; a web socket must come from a page of this server.
    pub fn lets_in(&self, headers: &HeaderMap, token: Option<&str>, is_socket: bool) -> bool {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let Some(host) = text(header::HOST) else { return false };
        if self.hosts.as_ref().is_some_and(|hosts| !hosts.iter().any(|own| own == host)) {
            return false;
        }
        let origin_is_own = match text(header::ORIGIN) {
            Some(origin) => origin == format!("http://{host}"),
            None => !is_socket,
        };
        origin_is_own && token.is_some_and(|token| same(token.as_bytes(), self.token.as_bytes()))
    }
}

/// Whether two secrets are the same, in a time that tells nothing about where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[test]
    fn others_are_refused() {
        let guard = Guard::new("127.0.0.1:4000".parse().unwrap()).unwrap();
        let token = guard.token().to_owned();
        let own = headers("127.0.0.1:4000", Some("http://127.0.0.1:4000"));
        assert!(guard.lets_in(&own, Some(&token), true));
        assert!(guard.lets_in(&headers("localhost:4000", None), Some(&token), false));
        assert!(!guard.lets_in(&own, None, true));
        assert!(!guard.lets_in(&own, Some("x"), true));
        assert!(!guard.lets_in(&own, Some(&token[1..]), true));
        assert!(!guard.lets_in(&headers("127.0.0.1:4000", None), Some(&token), true), "no origin");
        let evil = headers("127.0.0.1:4000", Some("http://evil.example"));
        assert!(!guard.lets_in(&evil, Some(&token), true), "another origin");
        let renamed = headers("evil.example:4000", Some("http://evil.example:4000"));
        assert!(!guard.lets_in(&renamed, Some(&token), true), "another host");
    }

    #[test]
    fn secrets_differ() {
        assert_ne!(secret().unwrap(), secret().unwrap());
        assert_eq!(secret().unwrap().len(), 24);
    }
}
