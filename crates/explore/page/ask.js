// Ask: the properties of the model, and questions of one's own.

import { cancel, check, tone } from './checks.js';
import { button, counted, h, put } from './dom.js';
import { formulaField } from './formula.js';
import { now, on } from './store.js';

const KINDS = {
  ltl: 'On every run: a formula of LTL',
  invariant: 'In every state: an expression',
  reach: 'How can this become true?',
  exists: 'On some run: a formula of LTL',
};

export function ask(panel) {
  const properties = h('ul', { 'aria-label': 'Properties of the model' });
  const kinds = h('select', { id: 'kind', onchange: () => { fit(); formula.judge(); } });
  const fair = h('select', { id: 'fair' });
  const start = h('select', { id: 'start' }, h('option', { value: '' }, 'the initial state'), h('option', { value: 'here' }, 'here, this position'));
  const shortest = h('input', { type: 'checkbox', id: 'shortest' });
  const submit = h('button', { class: 'main', type: 'submit', disabled: true }, 'Check');
  const formula = formulaField(() => kinds.value, (isGood) => (submit.disabled = !isGood));
  const labelled = (text, element) => {
    const part = h('div', { class: 'field' }, h('label', { for: element.id }, text), element);
    return part;
  };
  const fairPart = labelled('Among', fair);
  const startPart = labelled('Starting at', start);
  const shortestPart = h('span', null, shortest, ' ', h('label', { for: 'shortest' }, 'shortest run'));
  const form = h('form', { class: 'stack', onsubmit: send, 'aria-label': 'A question of your own' },
    labelled('Question', kinds), formula.elements, fairPart, startPart,
    h('div', { class: 'row-of' }, shortestPart, h('span', { class: 'grow' }), submit));
  const warnings = h('details', { class: 'hidden' });
  const checks = h('div', { class: 'stack', id: 'checks' });
  panel.append(h('div', { class: 'pad stack' }, h('h2', null, 'Properties of the model'), properties, warnings,
    h('h2', null, 'A question of your own'), form, h('h2', { id: 'answers', class: 'hidden' }, 'Answers'), checks));

  on('model', () => {
    put(kinds, Object.entries(KINDS).filter(([kind]) => now.model.questions.includes(kind)).map(([value, text]) => h('option', { value }, text)));
    warnings.classList.toggle('hidden', now.model.warnings.length === 0);
    put(warnings, h('summary', null, counted(now.model.warnings.length, 'warning')), now.model.warnings.map((text) => h('pre', { class: 'warning', tabindex: 0 }, text)));
    form.classList.toggle('hidden', kinds.options.length === 0);
    // Where a program says what is fair, that is meant first.
    const choices = now.model.language === 'rust' ? [...now.model.fair, ['', 'all runs']] : [['', 'all runs'], ...now.model.fair];
    put(fair, choices.map(([value, text]) => h('option', { value }, text)));
    shortestPart.classList.toggle('hidden', !now.model.has_shortest);
    fit();
  });
  on('model checks', () => put(properties, questions().map(line)));

  function fit() {
    const isTemporal = kinds.value === 'ltl' || kinds.value === 'exists';
    fairPart.classList.toggle('hidden', !isTemporal || fair.options.length < 2);
  }

  function send(event) {
    event.preventDefault();
    if (submit.disabled) return;
    const isTemporal = kinds.value === 'ltl' || kinds.value === 'exists';
    check({
      question: { kind: kinds.value, text: formula.text() },
      from: start.value === 'here' ? { run: now.run.id, at: now.at } : undefined,
      fair: isTemporal && fair.value ? fair.value : undefined,
      shortest: shortest.checked || undefined,
    });
  }
}

/** What can be asked without typing. */
function questions() {
  const named = now.model.properties.map(({ id, kind, text }) => ({
    name: id, text, question: kind === 'safety' && now.model.questions.includes('safety') ? { kind: 'safety' } : { kind: 'named', name: id },
  }));
  // Offered where the model has such labels.
  const others = [['acceptance', 'accept', 'no cycle through an accept label'], ['non-progress', 'progress', 'no cycle without progress']];
  const has = (kind, label) => now.model.questions.includes(kind) && now.model.names.some(({ name }) => name.includes(`@${label}`));
  return [...named, ...others.filter(([kind, label]) => has(kind, label)).map(([kind, , text]) => ({ name: kind, text, question: { kind } }))];
}

function line({ name, text, question }) {
  const last = now.checks.find((check) => JSON.stringify(check.question) === JSON.stringify(question));
  return h('li', { class: 'question' },
    h('span', { class: 'what' }, name, h('code', { class: 'formula', title: text }, text)),
    last?.answer ? h('span', { class: `chip ${tone(last.answer.verdict)}` }, last.answer.verdict) : null,
    last?.state === 'running'
      ? button('Stop', () => cancel(last), { 'aria-label': `Stop ${name}` })
      : button('Check', () => check({ question }), { 'aria-label': `Check ${name}` }));
}
