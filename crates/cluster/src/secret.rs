//! What all processes of a run know, and nobody else: who knows it may take part.
//!
//! It comes from a file, because arguments and environments are seen by others on the machine. It is never sent: each side proves that it knows it
//! by a code over numbers that both have just drawn (`handshake`). Whoever listens can try guesses against such a code, hence a least length.

use hmac_sha256::HMAC;
use std::fmt;
use std::path::Path;

/// A shorter one could be guessed.
pub const SHORTEST: usize = 16;

/// A secret that is shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret(…)")
    }
}

impl Secret {
    /// Reads a secret; blanks and line ends around it do not count. A file that others may read is refused: then it is no secret.
    pub fn read(path: &Path) -> Result<Secret, String> {
        let fail = |what: &dyn fmt::Display| format!("{}: {what}", path.display());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let meta = std::fs::metadata(path).map_err(|error| fail(&error))?;
            if meta.permissions().mode() & 0o077 != 0 {
                let hint = format!("other users may read it: chmod 600 {}", path.display());
                return Err(fail(&hint));
            }
        }
        let bytes = std::fs::read(path).map_err(|error| fail(&error))?;
        Secret::new(bytes.trim_ascii()).map_err(|what| fail(&what))
    }

    /// A secret of at least [`SHORTEST`] bytes.
    pub fn new(bytes: &[u8]) -> Result<Secret, String> {
        if bytes.len() < SHORTEST {
            let found = bytes.len();
            return Err(format!("a secret needs {SHORTEST} bytes or more, this one has {found}"));
        }
        Ok(Secret(bytes.to_vec()))
    }

    /// Only who knows the secret can make this of a text.
    pub(crate) fn prove(&self, text: &[u8]) -> [u8; 32] {
        HMAC::mac(text, &self.0)
    }

    /// Every byte is looked at, whatever the first ones are.
    pub(crate) fn is_proof(&self, text: &[u8], proof: &[u8; 32]) -> bool {
        self.prove(text).iter().zip(proof).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
    }
}
