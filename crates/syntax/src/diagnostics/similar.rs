//! What a misspelt word may have meant.

/// The candidate that is nearest to `word`, if it is near enough to be meant: one slip for short
/// words, two for longer ones. Case counts for nothing.
pub fn similar<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted: Vec<char> = word.to_lowercase().chars().collect();
    let most = match wanted.len() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    // Names that look alike by chance are worse than no suggestion: the first letters agree, or
    // only one slip was made.
    candidates
        .into_iter()
        .filter(|candidate| *candidate != word)
        .filter_map(|candidate| {
            let letters: Vec<char> = candidate.to_lowercase().chars().collect();
            let slips = slips(&wanted, &letters);
            let is_near = slips <= most && (slips <= 1 || wanted.first() == letters.first());
            is_near.then_some((slips, candidate))
        })
        .min()
        .map(|(_, candidate)| candidate)
}

/// Letters left out, added, changed, or swapped with their neighbour.
fn slips(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut fewest = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                fewest = fewest.min(before[j - 2] + 1);
            }
            row.push(fewest);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn near_words() {
        let words = ["active", "proctype", "atomic", "assert", "do", "x1"];
        assert_eq!(similar("actve", words), Some("active"));
        assert_eq!(similar("porctype", words), Some("proctype"));
        assert_eq!(similar("ATOMIC", words), Some("atomic"));
        assert_eq!(similar("asert", words), Some("assert"));
        // Too short, or too far.
        assert_eq!(similar("x2", words), None);
        assert_eq!(similar("passive", words), None);
    }
}
