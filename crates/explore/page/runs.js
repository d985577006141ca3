// The runs of this page as a tree of branches, bookmarks, and ways to keep a run: a link, a file.

import { api } from './api.js';
import { unmark } from './bookmarks.js';
import { button, h, put } from './dom.js';
import { icon } from './icons.js';
import { link } from './link.js';
import { failed, say } from './notice.js';
import { now, on, set } from './store.js';
import { summary } from './steps.js';
import { open, watch } from './travel.js';

/** So many initial states are offered; a search looks at all. */
const MOST_INITIAL = 200;

export function runs(panel) {
  const tree = h('div', { class: 'tree' });
  const marks = h('ul');
  const file = h('input', { type: 'file', accept: '.json', class: 'unseen', tabindex: -1, 'aria-hidden': 'true', onchange: load });
  const address = h('input', { type: 'text', readonly: true, 'aria-label': 'Link to this position', class: 'hidden mono' });
  const title = h('h2', { class: 'hidden' }, 'Bookmarks');
  const initial = h('select', { class: 'hidden', 'aria-label': 'Initial state' });
  panel.append(h('div', { class: 'pad stack' },
    h('div', { class: 'row-of' }, button('New run', () => act(async () => open(await api.newRun({ initial: Number(initial.value || 0) })))), initial,
      button('Copy link', copy), button('Save', save), button('Load…', () => file.click()), file),
    address, h('h2', null, 'Runs'), tree, title, marks));

  on('model', () => {
    const { initial_states: count } = now.model;
    put(initial, Array.from({ length: Math.min(count, MOST_INITIAL) }, (_, at) => h('option', { value: at }, `initial state ${at + 1} of ${count}`)));
    initial.classList.toggle('hidden', count < 2);
  });
  on('runs run', () => put(tree, branches(null)));
  on('marks runs', () => {
    title.classList.toggle('hidden', now.marks.length === 0);
    put(marks, now.marks.map((mark) => h('li', { class: 'run' },
      button(mark.title, () => now.runs.has(mark.run) && open(now.runs.get(mark.run), mark.at), { class: 'open' }),
      button(icon('close'), () => unmark(mark), { class: 'quiet', 'aria-label': `Remove the bookmark ${mark.title}` }))));
  });

  function copy() {
    return act(async () => {
      address.value = await link();
      address.classList.remove('hidden');
      address.select();
      const isCopied = await navigator.clipboard.writeText(address.value).then(() => true, () => false);
      say(isCopied ? 'The link is copied: it holds the whole run.' : 'Copy the link from the field.');
    });
  }

  function save() {
    return act(async () => {
      const text = JSON.stringify(await api.saved(now.run.id), null, 2);
      const address = URL.createObjectURL(new Blob([`${text}\n`], { type: 'application/json' }));
      const name = `${now.model.name.split('/').at(-1)}.lasso.json`;
      h('a', { href: address, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
      say(now.model.language === 'rust' ? `Saved as ${name}: this page reads it.` : `Saved as ${name}: lariat replay reads it.`);
    });
  }

  function load() {
    const [chosen] = file.files;
    if (!chosen) return;
    file.value = '';
    act(async () => {
      const saved = JSON.parse(await chosen.text());
      const { runs: found } = await api.newRun({ saved });
      set({ runs: new Map([...now.runs, ...found.map((run) => [run.id, run])]) });
      if (found[0]) await show(found[0]);
    });
  }
}

async function show(run) {
  if (run.property && run.property !== now.property?.id) await watch(run.property);
  open(run);
}

async function act(what) {
  try {
    await what();
  } catch (error) {
    failed(error instanceof SyntaxError ? new Error('This file is no JSON.') : error);
  }
}

/** Runs that branched from this one; all whose origin is gone are roots. */
function branches(parent) {
  const mine = [...now.runs.values()].filter((run) => (now.runs.has(run.parent) ? run.parent : null) === parent);
  if (mine.length === 0) return null;
  return h('ul', null, mine.map((run) => h('li', null, line(run), branches(run.id))));
}

function line(run) {
  const from = run.parent && run.branch_at !== null ? `from position ${run.branch_at}, ` : '';
  const isHere = now.run?.id === run.id;
  return h('div', { class: 'run' },
    h('button', { type: 'button', class: 'open', 'aria-current': isHere ? 'true' : undefined, onclick: () => show(run) },
      h('span', { class: 'name' }, run.title), h('span', { class: 'sub' }, `${from}${summary(run)}`)),
    isHere ? null : button(icon('close'), () => remove(run), { class: 'quiet', 'aria-label': `Forget the run ${run.title}` }));
}

async function remove(run) {
  await act(async () => {
    await api.removeRun(run.id);
    const left = new Map(now.runs);
    left.delete(run.id);
    set({ runs: left, marks: now.marks.filter((mark) => mark.run !== run.id) });
  });
}
