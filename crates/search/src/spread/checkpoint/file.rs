//! Files that are whole or not there: blocks with checksums, behind a temporary name until all of it is on the disk.
//!
//! ```text
//! file    magic block… end
//! block   length (4 bytes), kind (1 byte), bytes, sum (8 bytes)
//! end     a block of kind 0 without bytes
//! ```
//!
//! A sum is of all blocks so far, so a block that is changed, missing, twice there or from another file is noticed, and so is a file that was cut: it has no end.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use lariat_core::makes_mistake;

use crate::spread::parts::mix;

const MAGIC: &[u8; 18] = b"lariat checkpoint\n";
/// No block is longer: who reads a wrong length must not ask for that much memory.
const LONGEST: usize = 64 << 20;
/// Of the last block.
const END: u8 = 0;

/// The sum of all blocks so far and one more.
fn sum(before: u64, kind: u8, bytes: &[u8]) -> u64 {
    let start = mix(before ^ (bytes.len() as u64) << 8 ^ u64::from(kind));
    bytes.chunks(8).fold(start, |sum, some| {
        let mut word = [0; 8];
        word[..some.len()].copy_from_slice(some);
        mix(sum.rotate_left(5) ^ u64::from_le_bytes(word))
    })
}

/// A file in the making. If it is dropped before its end, nothing is left of it.
pub(super) struct Writer {
    file: Option<BufWriter<File>>,
    path: PathBuf,
    hidden: PathBuf,
    sum: u64,
}

impl Writer {
    pub(super) fn create(path: PathBuf) -> io::Result<Writer> {
        let hidden = path.with_extension(super::UNFINISHED);
        let mut file = BufWriter::with_capacity(1 << 16, File::create(&hidden)?);
        file.write_all(MAGIC)?;
        Ok(Writer { file: Some(file), path, hidden, sum: 0 })
    }

    pub(super) fn block(&mut self, kind: u8, bytes: &[u8]) -> io::Result<()> {
        let file = self.file.as_mut().expect("it is not finished");
        self.sum = sum(self.sum, kind, bytes);
        file.write_all(&(bytes.len() as u32).to_le_bytes())?;
        file.write_all(&[kind])?;
        file.write_all(bytes)?;
        file.write_all(&self.sum.to_le_bytes())
    }

    /// All of it is on the disk now, and has its name.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.block(END, &[])?;
        let file = self.file.take().expect("it is not finished");
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        fs::rename(&self.hidden, &self.path)?;
        match self.path.parent() {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            let _ = fs::remove_file(&self.hidden);
        }
    }
}

/// A file from its first block on.
pub(super) struct Blocks {
    file: BufReader<File>,
    name: String,
    sum: u64,
}

impl Blocks {
    pub(super) fn open(path: &Path) -> Result<Blocks, String> {
        let name = path.display().to_string();
        let said = |error: io::Error| format!("{name}: {error}");
        let mut file = BufReader::with_capacity(1 << 16, File::open(path).map_err(said)?);
        let mut magic = [0; MAGIC.len()];
        if file.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Err(format!("{name} is no checkpoint of lariat"));
        }
        Ok(Blocks { file, name, sum: 0 })
    }

    /// The next block; none if that was all.
    pub(super) fn next(&mut self) -> Result<Option<(u8, Vec<u8>)>, String> {
        let name = self.name.clone();
        let said = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => format!("{name} is cut off"),
            _ => format!("{name}: {error}"),
        };
        let mut head = [0; 5];
        self.file.read_exact(&mut head).map_err(said)?;
        let len = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        if len > LONGEST {
            return Err(self.damaged());
        }
        let mut bytes = vec![0; len];
        self.file.read_exact(&mut bytes).map_err(said)?;
        let mut given = [0; 8];
        self.file.read_exact(&mut given).map_err(said)?;
        self.sum = sum(self.sum, head[4], &bytes);
        if self.sum != u64::from_le_bytes(given) && !makes_mistake("checkpoint-sum") {
            return Err(self.damaged());
        }
        if head[4] != END {
            return Ok(Some((head[4], bytes)));
        }
        match self.file.read(&mut [0]).map_err(said)? {
            0 => Ok(None),
            _ => Err(self.damaged()),
        }
    }

    /// What is said of bytes that nobody has written.
    pub(super) fn damaged(&self) -> String {
        format!("{} is damaged", self.name)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("lariat-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn blocks(path: &Path) -> Result<Vec<(u8, Vec<u8>)>, String> {
        let mut blocks = Blocks::open(path)?;
        let mut all = Vec::new();
        while let Some(block) = blocks.next()? {
            all.push(block);
        }
        Ok(all)
    }

    #[test]
    fn each_byte_that_is_changed_or_missing_is_noticed() {
        let folder = folder("blocks");
        let path = folder.join("one");
        let given = vec![(1, b"some bytes".to_vec()), (2, Vec::new()), (1, vec![0; 40])];
        let mut writer = Writer::create(path.clone()).unwrap();
        given.iter().for_each(|(kind, bytes)| writer.block(*kind, bytes).unwrap());
        assert!(!path.exists(), "nothing is there before all of it is");
        writer.finish().unwrap();
        assert_eq!(blocks(&path).unwrap(), given);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            fs::write(&path, &whole[..at]).unwrap();
            blocks(&path).expect_err("it is cut off");
            for bit in [1, 0x80] {
                let mut flipped = whole.clone();
                flipped[at] ^= bit;
                fs::write(&path, &flipped).unwrap();
                blocks(&path).expect_err("a bit is flipped");
            }
        }
        fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
        blocks(&path).expect_err("there is more");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn nothing_is_left_of_a_file_without_an_end() {
        let folder = folder("unfinished");
        let mut writer = Writer::create(folder.join("one")).unwrap();
        writer.block(1, b"bytes").unwrap();
        drop(writer);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(folder).unwrap();
    }
}
