//! Things with ids: the one that nobody has asked for longest goes, if there are too many.

use std::sync::Arc;

pub(super) struct Table<T> {
    letter: char,
    most: usize,
    next: usize,
    /// The one that was used last is last.
    entries: Vec<(String, Arc<T>)>,
}

impl<T> Table<T> {
    pub(super) fn new(letter: char, most: usize) -> Table<T> {
        Table { letter, most, next: 1, entries: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The id of the new entry, and the entry.
    pub(super) fn add(&mut self, entry: T) -> (String, Arc<T>) {
        if self.entries.len() >= self.most {
            self.entries.remove(0);
        }
        let id = format!("{}{}", self.letter, self.next);
        self.next += 1;
        let entry = Arc::new(entry);
        self.entries.push((id.clone(), entry.clone()));
        (id, entry)
    }

    pub(super) fn get(&mut self, id: &str) -> Option<Arc<T>> {
        let at = self.entries.iter().position(|(known, _)| known == id)?;
        let found = self.entries.remove(at);
        let entry = found.1.clone();
        self.entries.push(found);
        Some(entry)
    }

    /// Another entry under the same id.
    pub(super) fn replace(&mut self, id: &str, entry: T) -> Option<Arc<T>> {
        let found = self.entries.iter_mut().find(|(known, _)| known == id)?;
        found.1 = Arc::new(entry);
        Some(found.1.clone())
    }

    pub(super) fn remove(&mut self, id: &str) {
        self.entries.retain(|(known, _)| known != id);
    }

    pub(super) fn remove_oldest_but(&mut self, id: &str) {
        if let Some(at) = self.entries.iter().position(|(known, _)| known != id) {
            self.entries.remove(at);
        }
    }

    /// By age.
    pub(super) fn all(&self) -> Vec<(String, Arc<T>)> {
        let mut all = self.entries.clone();
        all.sort_by_key(|(id, _)| id[1..].parse::<usize>().unwrap_or(0));
        all
    }
}
