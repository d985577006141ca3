// A field for a formula: checked while it is typed, with the names of the model offered.

import { api } from './api.js';
import { h, put } from './dom.js';
import { now, on } from './store.js';

const WAIT = 150;
const MOST_OFFERS = 40;
/** What is typed before the cursor: a name, perhaps with an index and a label. */
const WORD = /[A-Za-z_][\w.[\]@:]*$/;

/** `kind()` says what is asked; `judged(isGood)` hears whether the text can be asked now. */
export function formulaField(kind, judged) {
  const input = h('textarea', {
    id: 'formula', rows: 2, spellcheck: 'false', autocomplete: 'off', maxlength: 4000, role: 'combobox', 'aria-expanded': 'false',
    'aria-controls': 'offers', 'aria-autocomplete': 'list', 'aria-describedby': 'judged', placeholder: 'e.g. inside <= 1',
  });
  const offers = h('div', { id: 'offers', class: 'offers hidden', role: 'listbox', 'aria-label': 'Names of the model' });
  const verdict = h('div', { id: 'judged', class: 'judged', role: 'status' });
  const field = h('div', { class: 'field' }, h('label', { for: 'formula' }, 'Formula'), input, offers);
  let timer = 0;
  let asked = null;
  let chosen = -1;

  input.addEventListener('input', () => {
    offer();
    later();
  });
  input.addEventListener('blur', () => setTimeout(close, 120));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return;
    const isOpen = !offers.classList.contains('hidden');
    if (event.key === 'ArrowDown' && isOpen) choose(chosen + 1);
    else if (event.key === 'ArrowUp' && isOpen) choose(chosen - 1);
    else if ((event.key === 'Enter' || event.key === 'Tab') && isOpen && chosen >= 0) accept(offers.children[chosen].dataset.name);
    else if (event.key === 'Escape' && isOpen) close();
    else if (event.key === 'Enter') input.form.requestSubmit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function word() {
    const before = input.value.slice(0, input.selectionStart);
    // A name in quotes that is not closed yet.
    if (before.split('"').length % 2 === 0) return before.slice(before.lastIndexOf('"'));
    return WORD.exec(before)?.[0] ?? '';
  }

  function offer() {
    const typed = word();
    const low = typed.replace('"', '').toLowerCase();
    const all = low ? now.model.names.filter(({ name }) => name.toLowerCase().includes(low) && name !== typed) : [];
    const begins = (name) => !name.toLowerCase().startsWith(low);
    const found = all.sort((a, b) => begins(a.name) - begins(b.name)).slice(0, MOST_OFFERS);
    put(offers, found.map(({ name, kind }, at) =>
      h('div', { role: 'option', id: `offer-${at}`, 'aria-selected': 'false', dataset: { name }, onmousedown: (event) => { event.preventDefault(); accept(name); } },
        h('span', null, name), h('span', null, kind))));
    offers.classList.toggle('hidden', found.length === 0);
    input.setAttribute('aria-expanded', String(found.length > 0));
    chosen = -1;
    input.removeAttribute('aria-activedescendant');
  }

  function choose(at) {
    const options = [...offers.children];
    chosen = (at + options.length) % options.length;
    options.forEach((option, index) => option.setAttribute('aria-selected', String(index === chosen)));
    options[chosen].scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', options[chosen].id);
  }

  function accept(name) {
    const end = input.selectionStart;
    input.setRangeText(name, end - word().length, end, 'end');
    close();
    later();
    input.focus();
  }

  function close() {
    offers.classList.add('hidden');
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
    chosen = -1;
  }

  function later() {
    judged(false);
    clearTimeout(timer);
    timer = setTimeout(judge, WAIT);
  }

  async function judge() {
    const text = input.value;
    asked?.abort();
    if (text.trim() === '') return put(verdict);
    asked = new AbortController();
    try {
      const answer = await api.formula(kind(), text, asked.signal);
      if (input.value !== text) return;
      put(verdict, answer.ok ? good(answer) : answer.errors.slice(0, 3).map((error) => wrong(text, error)));
      input.setAttribute('aria-invalid', String(!answer.ok));
      judged(answer.ok);
    } catch (error) {
      if (error.name !== 'AbortError') put(verdict, h('p', { class: 'wrong' }, error.message));
    }
  }

  function good(answer) {
    const names = answer.propositions ?? [];
    return [h('p', { class: 'dim' }, names.length ? `Propositions: ${names.join(', ')}` : 'A formula without propositions'),
      answer.warnings.map((warning) => h('p', { class: 'dim' }, warning))];
  }

  function wrong(text, { message, from, to, help }) {
    const end = Math.max(to, from + 1);
    return [h('p', { class: 'wrong' }, message),
      h('code', null, text.slice(0, from), h('mark', null, text.slice(from, end) || '␣'), text.slice(end)),
      (help ?? []).map((line) => h('p', { class: 'dim' }, line))];
  }

  on('model', () => {
    const first = ['proposition', 'part', 'variable', 'label'].map((sort) => now.model.names.find((known) => known.kind === sort)).find(Boolean);
    if (first) input.placeholder = `e.g. ${first.name}`;
  });
  return { elements: [field, verdict], input, judge, text: () => input.value.trim() };
}
