//! What is kept of a search on disks, so that it can go on after it was ended.
//!
//! A *checkpoint* is one file of each worker, all of the same *generation*. It counts when all are there; then older ones are removed. Whoever resumes reads all files,
//! and keeps what it owns: so there may be other numbers of processes and workers than before.
//!
//! *When.* At any time: a worker that wants to save calls a *pause*. All stop expanding, take what is on its way, and rest; the phase is over then, as each phase is. What there is now is written:
//! the states, those that wait for this level and for the next one, and what was said of states and could not be taken because memory was full. Then either all go on in the same
//! phase, or the search ends. So nothing is lost and nothing is twice there: a state that waits was not expanded, what was said of its successors by those that do not wait is in what is kept of them, or
//! among what was not taken.
//!
//! *Why a search that is resumed says what one says that was not.* A search is what it keeps of states, who waits, what was said and not taken, the counts, and where in its phases it is (`image`). All of it is in the files, by
//! what states are and not by how a process packs it (`wire`). The rest of a worker (what it said lately, steps that it remembers, its code) decides how fast it is, not what it says.
//! What must be the same is compared: lariat's version, the model, the options that ask, the question, the parts of states ([`Header`]). Each file has checksums (`file`), and each state is looked at as
//! if it came from another process: it belongs to the worker whose file it is in, has the parts that were defined, and is there once.

mod file;
mod image;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use lariat_core::{Broken, Exchange};
use lariat_system::Room;

use super::Spreading;
use super::parts::mix;
use super::status::{Halted, agree};
use super::wire::Reader;
use file::Blocks;
pub(super) use image::{Beside, bytes_of, load, save, words_of};

/// The version of the format.
const FORMAT: u32 = 2;
const VERSION: &str = env!("CARGO_PKG_VERSION");
const SUFFIX: &str = "checkpoint";
/// Of files that are not whole yet.
const UNFINISHED: &str = "unfinished";

/// What is kept of searches, and where.
#[derive(Clone, Debug)]
pub struct Keeping {
    /// A folder, which is there.
    pub folder: PathBuf,
    /// How often.
    pub every: Duration,
    /// The search is cut when a worker has expanded so many states.
    pub cut_after: Option<u64>,
    /// What all searches are about, in parts with names: the model, the options.
    pub about: Vec<(String, String)>,
}

impl Keeping {
    /// All questions have answers: nobody will go on with any.
    pub fn clear(&self) {
        for (path, _) in files(&self.folder, SUFFIX).unwrap_or_default() {
            let _ = fs::remove_file(path);
        }
    }
}

/// Which checkpoint a search goes on with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resumed {
    files: Vec<PathBuf>,
    header: Header,
}

/// What is said in the first block of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Header {
    version: String,
    about: Vec<(String, String)>,
    /// The question, as a number.
    key: u64,
    /// What it is about, for people.
    question: String,
    generation: u64,
    /// A number that the workers of a run have agreed on: files of two runs do not go together.
    run: u64,
    workers: u32,
    worker: u32,
    /// States that each worker has explored for itself before.
    after: u64,
    /// The width of rows, and processes in them.
    room: (u64, u32),
    /// What the parts of states are.
    parts: u64,
    /// Where the search is: the same for all workers.
    pub(super) place: Vec<u64>,
}

/// What was saved last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Saved {
    /// What it is about.
    pub question: String,
    /// The folder.
    pub folder: PathBuf,
    /// States in it.
    pub states: u64,
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn text(rest: &mut Reader<'_>) -> Option<String> {
    let len = rest.word().ok()? as usize;
    Some(std::str::from_utf8(rest.take(len).ok()?).ok()?.to_owned())
}

impl Header {
    fn write(&self) -> Vec<u8> {
        let mut out = FORMAT.to_le_bytes().to_vec();
        put_text(&mut out, &self.version);
        out.extend_from_slice(&(self.about.len() as u32).to_le_bytes());
        for (name, value) in &self.about {
            put_text(&mut out, name);
            put_text(&mut out, value);
        }
        put_text(&mut out, &self.question);
        let (width, processes) = self.room;
        for word in [self.key, self.generation, self.run, self.workers.into(), self.worker.into()]
            .iter()
            .chain(&[self.after, width, processes.into(), self.parts])
            .chain(&self.place)
        {
            out.extend_from_slice(&word.to_le_bytes());
        }
        out
    }

    fn read(bytes: &[u8]) -> Option<Header> {
        let mut rest = Reader(bytes);
        if rest.word().ok()? != FORMAT {
            return None;
        }
        let version = text(&mut rest)?;
        let mut about = Vec::new();
        for _ in 0..rest.word().ok()? {
            about.push((text(&mut rest)?, text(&mut rest)?));
        }
        let question = text(&mut rest)?;
        let mut long = || rest.long().ok();
        let (key, generation, run) = (long()?, long()?, long()?);
        let (workers, worker) = (u32::try_from(long()?).ok()?, u32::try_from(long()?).ok()?);
        let after = long()?;
        let room = (long()?, u32::try_from(long()?).ok()?);
        let parts = long()?;
        let mut place = Vec::new();
        while let Ok(word) = rest.long() {
            place.push(word);
        }
        let is_whole = rest.0.is_empty() && worker < workers;
        is_whole.then_some(Header {
            version,
            about,
            key,
            question,
            generation,
            run,
            workers,
            worker,
            after,
            room,
            parts,
            place,
        })
    }

    fn of(path: &Path) -> Result<Header, String> {
        let mut blocks = Blocks::open(path)?;
        match blocks.next()? {
            Some((image::HEADER, bytes)) => Header::read(&bytes),
            _ => None,
        }
        .ok_or_else(|| format!("{}, or of another version of lariat", blocks.damaged()))
    }
}

/// What the name of a file says: question, generation, worker, workers.
type Named = (u64, u64, u32, u32);

fn name(key: u64, generation: u64, worker: u32, workers: u32) -> String {
    format!("{key:016x}-{generation:06}-{worker}-of-{workers}.{SUFFIX}")
}

fn parse(path: &Path, suffix: &str) -> Option<Named> {
    let stem = path.file_name()?.to_str()?.strip_suffix(suffix)?.strip_suffix('.')?;
    let mut words = stem.split('-');
    let key = u64::from_str_radix(words.next()?, 16).ok()?;
    let (generation, worker) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let (of, workers) = (words.next()?, words.next()?.parse().ok()?);
    (of == "of" && words.next().is_none()).then_some((key, generation, worker, workers))
}

fn files(folder: &Path, suffix: &str) -> Result<Vec<(PathBuf, Named)>, String> {
    let said = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(said)? {
        let path = entry.map_err(said)?.path();
        if let Some(parsed) = parse(&path, suffix) {
            found.push((path, parsed));
        }
    }
    Ok(found)
}

impl Resumed {
    /// The last checkpoint of each question in a folder, all about the same. An error if there is none, or one that cannot be gone on with.
    pub fn find(folder: &Path, about: &[(String, String)]) -> Result<Vec<Resumed>, String> {
        let found = files(folder, SUFFIX)?;
        let mut keys: Vec<u64> = found.iter().map(|&(_, (key, ..))| key).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut all = Vec::new();
        for key in keys {
            all.extend(Resumed::last(&found, key, about)?);
        }
        if !all.is_empty() {
            return Ok(all);
        }
        let folder = folder.display();
        Err(match found.first() {
            None => format!("there is no checkpoint in {folder}"),
            Some((path, (key, generation, _, workers))) => {
                let of = |other: &Named| (other.0, other.1) == (*key, *generation);
                let there = found.iter().filter(|(_, other)| of(other)).count();
                format!(
                    "no checkpoint in {folder} is whole: {} is one of {workers} files, of which {there} are there",
                    path.file_name().unwrap_or_default().display()
                )
            }
        })
    }

    /// Whether a folder has files of checkpoints.
    pub fn is_in(folder: &Path) -> Result<bool, String> {
        Ok(!files(folder, SUFFIX)?.is_empty())
    }

    fn last(
        found: &[(PathBuf, Named)],
        key: u64,
        about: &[(String, String)],
    ) -> Result<Option<Resumed>, String> {
        let mut generations: Vec<(u64, u32)> = (found.iter())
            .filter(|(_, (of, ..))| *of == key)
            .map(|(_, (_, generation, _, workers))| (*generation, *workers))
            .collect();
        generations.sort_unstable();
        generations.dedup();
        'generations: for (generation, workers) in generations.into_iter().rev() {
            let path = |worker| {
                let parsed = (key, generation, worker, workers);
                found.iter().find(|(_, other)| *other == parsed).map(|(path, _)| path.clone())
            };
            let files: Option<Vec<PathBuf>> = (0..workers).map(path).collect();
            let Some(files) = files.filter(|files| !files.is_empty()) else { continue };
            let mut first: Option<Header> = None;
            for (worker, path) in files.iter().enumerate() {
                let header = Header::of(path)?;
                let name = path.display();
                if header.version != VERSION {
                    return Err(format!(
                        "{name} was written by lariat {}, this is {VERSION}",
                        header.version
                    ));
                }
                differs(&header.about, about).map_or(Ok(()), |what| {
                    Err(format!("{name} belongs to another search: {what}"))
                })?;
                let named = (header.key, header.generation, header.worker, header.workers);
                if named != (key, generation, worker as u32, workers) {
                    return Err(format!("{name} has the name of another file"));
                }
                let first = first.get_or_insert_with(|| header.clone());
                if first.run != header.run {
                    // Somebody has died before all were there, and it was the same for those who went on.
                    continue 'generations;
                }
                if *first != (Header { worker: 0, ..header }) {
                    return Err(format!("{name} does not go with {}", files[0].display()));
                }
            }
            return Ok(first.map(|header| Resumed { files, header }));
        }
        Ok(None)
    }

    /// What it is about, for people.
    pub fn question(&self) -> &str {
        &self.header.question
    }

    /// Whether it is of this question.
    pub fn is_of(&self, key: u64) -> bool {
        self.header.key == key
    }

    /// How many states each worker must have explored for itself before.
    pub fn after(&self) -> u64 {
        self.header.after
    }

    /// The room that rows have there, if they have less here.
    pub fn wider_than(&self, here: Room) -> Option<Room> {
        let (width, processes) = (self.header.room.0 as usize, self.header.room.1);
        let is_wider = width > here.width || processes > here.processes;
        is_wider.then_some(Room { width, processes })
    }

    /// Where the search was, if it has the same parts of states.
    pub(super) fn place<const N: usize>(&self, parts: u64) -> Result<[u64; N], Broken> {
        let why = match <[u64; N]>::try_from(&self.header.place[..]) {
            Ok(place) if self.header.parts == parts => return Ok(place),
            Ok(_) => "its states have other parts",
            Err(_) => "it is of a search of another kind",
        };
        let question = &self.header.question;
        Err(Broken { what: format!("the checkpoint of {question} does not fit: {why}") })
    }

    /// All workers must go on with the same.
    pub(super) fn fingerprint(&self) -> u64 {
        mix(self.header.run ^ self.header.generation)
    }
}

/// What is different, if anything is.
fn differs(there: &[(String, String)], here: &[(String, String)]) -> Option<String> {
    for (name, value) in here {
        let other = there.iter().find(|(other, _)| other == name).map(|(_, value)| value);
        if other != Some(value) {
            let other = other.map_or("nothing", String::as_str);
            return Some(format!("{name}: '{other}' there, '{value}' here"));
        }
    }
    (there.len() != here.len()).then(|| "it is about something else".to_owned())
}

/// Who saves a search, now and then.
pub(super) struct Keeper {
    keeping: Option<Keeping>,
    header: Header,
    /// When the first worker calls for a pause.
    next: Option<Instant>,
    pub(super) saved: Option<Saved>,
}

impl Keeper {
    pub(super) fn new(
        spreading: &Spreading<'_>,
        room: Room,
        (me, workers): (usize, usize),
    ) -> Keeper {
        let Spreading { keeping, resumed, question, name, after, .. } = spreading;
        let header = Header {
            version: VERSION.to_owned(),
            about: keeping.as_ref().map_or(Vec::new(), |keeping| keeping.about.clone()),
            key: *question,
            question: name.clone(),
            generation: resumed.as_ref().map_or(0, |resumed| resumed.header.generation),
            run: 0,
            workers: workers as u32,
            worker: me as u32,
            after: *after,
            room: (room.width as u64, room.processes),
            parts: 0,
            place: Vec::new(),
        };
        let mut keeper = Keeper { keeping: keeping.clone(), header, next: None, saved: None };
        keeper.wait();
        keeper
    }

    /// What the parts of states are. All agree on what their files are known by: no file that is there is of the same generation.
    pub(super) fn begin_with(
        &mut self,
        parts: u64,
        exchange: &mut dyn Exchange,
    ) -> Result<(), Broken> {
        self.header.parts = parts;
        let Some(keeping) = &self.keeping else { return Ok(()) };
        let there = files(&keeping.folder, SUFFIX).unwrap_or_default().into_iter();
        let there = there.filter(|(_, (key, ..))| *key == self.header.key);
        let highest = there.map(|(_, (_, generation, ..))| generation).max().unwrap_or(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos());
        let run = mix(now as u64 ^ u64::from(std::process::id()) << 40);
        let note = bytes_of(&[highest, run]);
        let notes = agree(exchange, Halted::No, &[], &note)?.notes;
        let read = |note: &Vec<u8>| words_of::<2>(note).map(|(words, _)| words);
        let Some(all) = notes.iter().map(read).collect::<Option<Vec<[u64; 2]>>>() else {
            return Err(Broken { what: "a worker saves something else".to_owned() });
        };
        let highest = all.iter().map(|words| words[0]).max().unwrap_or(0);
        self.header.generation = self.header.generation.max(highest);
        self.header.run = all[0][1];
        Ok(())
    }

    fn wait(&mut self) {
        let every = self.keeping.as_ref().map(|keeping| keeping.every);
        self.next = every.and_then(|every| Instant::now().checked_add(every));
    }

    /// Whether anything is saved.
    pub(super) fn keeps(&self) -> bool {
        self.keeping.is_some()
    }

    /// When this worker is to be cut, by the states that it has expanded.
    pub(super) fn cut_after(&self) -> Option<u64> {
        self.keeping.as_ref().and_then(|keeping| keeping.cut_after)
    }

    /// When this worker calls for a pause. One does for all.
    pub(super) fn due(&self) -> Option<Instant> {
        self.next.filter(|_| self.header.worker == 0)
    }

    /// The next checkpoint, of a search that is there.
    fn begin(&mut self, place: &[u64]) -> (Header, PathBuf) {
        self.header.generation += 1;
        self.header.place = place.to_vec();
        let Header { key, generation, worker, workers, .. } = self.header;
        let folder = self.keeping.as_ref().map(|keeping| keeping.folder.clone());
        let path = folder.unwrap_or_default().join(name(key, generation, worker, workers));
        (self.header.clone(), path)
    }

    /// All files are there: it counts, and those before do not any more.
    fn is_saved(&mut self, states: u64) {
        let generation = self.header.generation;
        self.remove(|of| of < generation);
        let question = self.header.question.clone();
        let folder = self.keeping.as_ref().map(|keeping| keeping.folder.clone());
        self.saved = folder.map(|folder| Saved { question, folder, states });
        self.wait();
    }

    /// Some are not.
    fn is_not_saved(&self, path: &Path, what: &str) -> Broken {
        let _ = fs::remove_file(path);
        Broken { what: format!("no checkpoint could be written: {what}") }
    }

    /// The question has an answer: nobody will go on with it.
    pub(super) fn forget(&mut self) {
        self.saved = None;
        self.remove(|_| true);
    }

    /// Several may do that at the same time. Nobody is writing: what is unfinished was left by somebody who has died.
    fn remove(&self, which: impl Fn(u64) -> bool) {
        let Some(keeping) = &self.keeping else { return };
        let of = |suffix| files(&keeping.folder, suffix).unwrap_or_default();
        for (path, (key, generation, ..)) in of(SUFFIX) {
            if key == self.header.key && which(generation) {
                let _ = fs::remove_file(path);
            }
        }
        for (path, (key, ..)) in of(UNFINISHED) {
            if key == self.header.key {
                let _ = fs::remove_file(path);
            }
        }
    }
}
