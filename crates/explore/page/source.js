// The model's text, with the statement of each process marked, and what a full search has never executed.

import { colour, h, put } from './dom.js';
import { highlight } from './highlight.js';
import { now, on } from './store.js';

export function source(container) {
  const title = h('h2', null, 'Source');
  const files = h('select', { 'aria-label': 'File', class: 'hidden', onchange: () => open(Number(files.value)) });
  const text = h('div', { class: 'source', tabindex: 0, role: 'group', 'aria-label': 'Source of the model' });
  const note = h('span', { class: 'chip warn hidden' });
  container.append(h('div', { class: 'source-head' }, title, note, files), text);
  let shown = -1;
  let lines = [];
  let marked = [];

  on('model', () => {
    const all = now.model.files;
    // A model in Rust has its source elsewhere.
    container.classList.toggle('hidden', all.length === 0);
    if (all.length === 0) return;
    put(files, all.map((file, at) => h('option', { value: at }, file.name)));
    files.classList.toggle('hidden', all.length < 2);
    open(0);
  });
  on('state', mark);
  on('coverage', () => {
    const missed = now.coverage?.process_types.reduce((sum, type) => sum + type.unreached.length, 0) ?? 0;
    note.textContent = `${missed} never executed`;
    note.title = now.coverage?.whole ? 'Statements that no run executes' : 'Statements that the search had not executed when it ended';
    if (now.coverage && !now.coverage.whole) note.textContent = `${missed} not executed so far`;
    note.classList.toggle('hidden', missed === 0);
    mark();
  });

  function open(file) {
    if (file === shown) return;
    shown = file;
    files.value = String(file);
    title.textContent = now.model.files[file].name;
    lines = highlight(now.model.files[file].text).map((parts, at) => {
      const code = h('span', { class: 'code' });
      const pids = h('span', { class: 'pids' });
      const element = h('div', { class: 'line' }, h('span', { class: 'no' }, String(at + 1)), pids, code);
      const line = { element, code, pids, parts, ranges: [] };
      write(line);
      return line;
    });
    put(text, lines.map((line) => line.element));
    marked = [];
    mark();
  }

  function mark() {
    if (shown < 0) return;
    for (const line of marked) {
      line.ranges = [];
      line.element.className = 'line';
      line.pids.replaceChildren();
    }
    const before = marked;
    marked = [];
    const processes = now.state?.processes ?? [];
    const places = processes.filter((process) => process.place);
    if (places.length && !places.some((process) => process.place.file === shown)) return open(places[0].place.file);
    const standing = new Map();
    for (const process of places) {
      if (process.place.file !== shown) continue;
      for (const line of range(process.place, `mark ${colour(process.pid)}`)) line.element.classList.add('at');
      const line = lines[process.place.line - 1];
      standing.set(line, [...(standing.get(line) ?? []), process]);
    }
    for (const [line, there] of standing) if (line) put(line.pids, badges(there));
    const error = now.run?.ending === 'error' && now.at === now.run.steps ? now.run.error?.place : null;
    if (error?.file === shown) for (const line of range(error, 'mark fault')) line.element.classList.add('at');
    for (const type of now.coverage?.process_types ?? [])
      for (const { place } of type.unreached)
        if (place && place.file === shown) for (const line of range(place, 'gap')) line.element.classList.add('unreached');
    for (const line of new Set([...before, ...marked])) write(line);
    reveal(error);
  }

  /** The pids beside a line; where more than two stand, the first and how many more. */
  function badges([first, ...others]) {
    const one = (process) => h('span', { class: `pid ${colour(process.pid)}`, title: process.name }, String(process.pid));
    if (others.length < 2) return [one(first), ...others.map(one)];
    return [one(first), h('span', { class: 'more', title: others.map((process) => process.name).join(', ') }, `+${others.length}`)];
  }

  /** Notes a class on a part of the text; answers its lines. */
  function range(place, name) {
    const found = [];
    for (let number = place.line; number <= place.end_line; number++) {
      const line = lines[number - 1];
      if (!line) continue;
      line.ranges.push({
        from: number === place.line ? place.column - 1 : 0, to: number === place.end_line ? place.end_column - 1 : Infinity, name,
      });
      found.push(line);
      marked.push(line);
    }
    return found;
  }

  /** The statement of the process that has just moved comes into sight. */
  function reveal(error) {
    const taken = now.state?.steps.find((step) => step.taken)?.pid;
    const process = now.state?.processes.find((other) => other.pid === taken && other.place?.file === shown)
      ?? now.state?.processes.find((other) => other.place?.file === shown);
    const element = lines[(process?.place.line ?? error?.line ?? 0) - 1]?.element;
    if (!element) return;
    const top = element.offsetTop - text.offsetTop;
    if (top < text.scrollTop || top > text.scrollTop + text.clientHeight - 40) text.scrollTop = Math.max(0, top - text.clientHeight / 2);
  }
}

/** The pieces of a line, each with the classes of what it is part of. */
function write({ code, parts, ranges }) {
  const cuts = new Set();
  for (const { from, to } of [...parts, ...ranges]) cuts.add(from).add(to);
  const text = parts.map((part) => part.text).join('');
  const ends = [...cuts].filter((cut) => cut > 0 && cut < text.length).sort((a, b) => a - b);
  const pieces = [];
  let from = 0;
  for (const to of [...ends, text.length]) {
    const names = [...parts, ...ranges].filter((part) => part.name && part.from <= from && part.to >= to).map((part) => part.name);
    const piece = text.slice(from, to);
    pieces.push(names.length ? h('span', { class: names.join(' ') }, piece) : piece);
    from = to;
  }
  put(code, pieces.length ? pieces : ['\u200b']);
}
