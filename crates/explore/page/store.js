// What the page shows now. Views subscribe to what they depend on and are called once for each change.
//
//   model      the answer of /api/model
//   runs       summaries by id, in the order they came
//   run, at    the run in front, and the position in it
//   state      everything about that position, once it is there; null while it is asked for
//   property   the property whose propositions and automaton are shown, or null
//   checks     those of this page, the newest first
//   coverage   the last answer about statements that were never executed, or null
//   marks      bookmarks: {run, at, title}

const values = {
  model: null, runs: new Map(), run: null, at: 0, state: null, property: null, checks: [], coverage: null, marks: [],
};
const listeners = [];
let changed = new Set();

export const now = values;

/** Calls `listener` after a change of one of these values. */
export function on(names, listener) {
  listeners.push({ names: names.split(' '), listener });
}

export function set(patch) {
  for (const [name, value] of Object.entries(patch)) {
    if (!(name in values)) throw new Error(`no such value: ${name}`);
    if (values[name] === value) continue;
    values[name] = value;
    if (changed.size === 0) queueMicrotask(tell);
    changed.add(name);
  }
}

function tell() {
  const names = changed;
  changed = new Set();
  for (const { names: mine, listener } of listeners) if (mine.some((name) => names.has(name))) listener(names);
}
