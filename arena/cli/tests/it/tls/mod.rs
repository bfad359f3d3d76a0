//! A certificate authority of a test's own, and TLS in front of a site: what a proxy does for a public one.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection};

/// Who signs, and for whom: this machine, by its number.
const SECTIONS: &str = "[req]
distinguished_name = who
prompt = no
[who]
CN = authority of a test
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[site]
basicConstraints = CA:FALSE
subjectAltName = IP:127.0.0.1
";

/// A key of its own, which is not locked.
const NEW_KEY: &str = "-nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256";

/// An authority that nobody trusts who was not given its certificate.
pub(crate) struct Authority {
    folder: PathBuf,
}

impl Authority {
    /// A new one, with its files in this folder. It needs openssl.
    pub(crate) fn new(folder: PathBuf) -> Authority {
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("sections"), SECTIONS).unwrap();
        let authority = Authority { folder };
        authority.openssl(&format!(
            "req -x509 -config sections -extensions ca -days 2 {NEW_KEY} -keyout ca.key -out ca.pem"
        ));
        authority
    }

    fn openssl(&self, words: &str) {
        let done = Command::new("openssl").args(words.split(' ')).current_dir(&self.folder).output().unwrap();
        assert!(done.status.success(), "openssl {words}: {}", String::from_utf8_lossy(&done.stderr));
    }

    /// The file with its certificate.
    pub(crate) fn certificate(&self) -> PathBuf {
        self.folder.join("ca.pem")
    }

    /// The file with its key.
    pub(crate) fn key(&self) -> PathBuf {
        self.folder.join("ca.key")
    }

    /// Listens in front of a site until the test ends, with a certificate that this authority signs; where.
    pub(crate) fn in_front_of(&self, site: SocketAddr) -> SocketAddr {
        self.openssl(&format!("req -new -config sections -subj /CN=site {NEW_KEY} -keyout site.key -out site.csr"));
        self.openssl(
            "x509 -req -in site.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
             -extfile sections -extensions site -outform DER -out site.der",
        );
        self.openssl("pkcs8 -topk8 -nocrypt -in site.key -outform DER -out key.der");
        let bytes = |file: &str| fs::read(self.folder.join(file)).unwrap();
        let certificate = CertificateDer::from(bytes("site.der"));
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(bytes("key.der")));
        let config = ServerConfig::builder_with_provider(Arc::new(default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate], key)
            .unwrap();
        let config = Arc::new(config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for visitor in listener.incoming().flatten() {
                let config = config.clone();
                thread::spawn(move || pass_on(&visitor, site, config));
            }
        });
        address
    }
}

/// Passes a connection on, until either end closes it.
fn pass_on(visitor: &TcpStream, site: SocketAddr, config: Arc<ServerConfig>) -> io::Result<()> {
    let site = TcpStream::connect(site)?;
    let tls = Mutex::new(ServerConnection::new(config).map_err(io::Error::other)?);
    thread::scope(|scope| {
        let asked = scope.spawn(|| {
            let asked = pass_questions(visitor, &site, &tls);
            // The other direction ends with it.
            let _ = site.shutdown(Shutdown::Both);
            asked
        });
        let answered = pass_answers(&site, visitor, &tls);
        let _ = visitor.shutdown(Shutdown::Both);
        answered.and(asked.join().unwrap_or(Ok(())))
    })
}

fn pass_questions(mut visitor: &TcpStream, mut site: &TcpStream, tls: &Mutex<ServerConnection>) -> io::Result<()> {
    let mut bytes = [0; 16 << 10];
    loop {
        let count = visitor.read(&mut bytes)?;
        if count == 0 {
            return Ok(());
        }
        let (mut locked, mut asked) = (&bytes[..count], Vec::new());
        let mut tls = tls.lock().unwrap();
        while !locked.is_empty() {
            tls.read_tls(&mut locked)?;
            let understood = tls.process_new_packets().map_err(io::Error::other);
            // It ends with an error where there is nothing more for now; what was read is there.
            let _ = tls.reader().read_to_end(&mut asked);
            // A greeting, or what was not understood.
            send(&mut tls, visitor)?;
            understood?;
        }
        drop(tls);
        site.write_all(&asked)?;
    }
}

fn pass_answers(mut site: &TcpStream, visitor: &TcpStream, tls: &Mutex<ServerConnection>) -> io::Result<()> {
    let mut bytes = [0; 16 << 10];
    loop {
        let count = site.read(&mut bytes)?;
        let mut tls = tls.lock().unwrap();
        if count == 0 {
            tls.send_close_notify();
            return send(&mut tls, visitor);
        }
        tls.writer().write_all(&bytes[..count])?;
        send(&mut tls, visitor)?;
    }
}

fn send(tls: &mut ServerConnection, mut visitor: &TcpStream) -> io::Result<()> {
    while tls.wants_write() {
        tls.write_tls(&mut visitor)?;
    }
    Ok(())
}
