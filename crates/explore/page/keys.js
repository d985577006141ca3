// The keyboard: everything can be done without a mouse.

import { bookmark } from './bookmarks.js';
import { button, byId, h, put } from './dom.js';
import { now } from './store.js';
import { back, forward, goTo, take, undo } from './travel.js';

const PAGE = 20;

const KEYS = [
  ['← →', 'a step back, a step forward'], ['Page Up, Page Down', `${PAGE} steps`], ['Home, End', 'the first state, the last state'],
  ['L', 'the start of the loop'], ['1 … 9', 'take the step with this number under “What if”'], ['U', 'undo: back to where I was'],
  ['B', 'bookmark this position'], ['F', 'to the formula'], ['?', 'these keys'],
];

/** `show` brings tabs into sight. */
export function keys(show) {
  const dialog = byId('keys');
  put(dialog, h('h2', { id: 'keys-title' }, 'Keys'),
    h('dl', { class: 'keys' }, KEYS.map(([key, text]) => [h('dt', null, key.split(', ').map((one, at) => [at ? ' ' : '', h('kbd', null, one)])), h('dd', null, text)])),
    button('Close', () => dialog.close(), { class: 'main' }));
  byId('help').addEventListener('click', () => dialog.showModal());

  /** Where a text can be scrolled, these keys scroll it. */
  const along = {
    ArrowUp: back, ArrowDown: forward, Home: () => goTo(0), End: () => goTo(now.run.steps),
    PageUp: () => goTo(now.at - PAGE), PageDown: () => goTo(now.at + PAGE),
  };
  const actions = {
    ArrowLeft: back, ArrowRight: forward, l: () => now.run.ending === 'loop' && goTo(now.run.loop_start),
    u: undo, b: bookmark, '?': () => dialog.showModal(),
    f: () => {
      show('left', 'ask');
      byId('formula').focus();
    },
  };

  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || dialog.open || !now.run) return;
    if (event.target.matches('input:not([type="checkbox"]), textarea, select')) return;
    const number = Number(event.key);
    const isChoice = number >= 1 && number <= 9;
    const isAlong = event.target === document.body || event.target.closest('.steps, .chart, .tl-track, #bar');
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = isChoice ? () => choose(number - 1) : actions[key] ?? (isAlong ? along[key] : null);
    if (!action) return;
    event.preventDefault();
    action();
  });
}

function choose(index) {
  const step = now.state?.steps[index];
  if (!step) return;
  if (step.taken) goTo(now.at + 1);
  else take(step.choice);
}
