// What if: the steps that every process could take here, with what each would change.

import { api } from './api.js';
import { button, colour, empty, h, put } from './dom.js';
import { failed } from './notice.js';
import { now, on } from './store.js';
import { goTo, open, take } from './travel.js';

const WALK = 20;

export function next(panel) {
  const list = h('div', { class: 'next' });
  panel.append(list);
  on('state', () => {
    const { state, run } = now;
    if (!state || !run) return;
    put(list, tools(run, state), state.steps.map((step, at) => choice(step, at)), state.steps.length === 0 && nothing(state));
  });
}

function tools(run, state) {
  const isEnd = now.at === run.steps;
  const close = isEnd && run.ending === 'open' && run.same_as !== null
    ? button(`Close the loop at ${run.same_as}`, () => act(() => api.closeLoop(run.id, run.same_as), run.steps), {
        title: `The state is that of position ${run.same_as}: the run can repeat for ever from there`,
      })
    : null;
  if (state.steps.length === 0 && !close) return null;
  const walk = button(`Walk ${WALK} steps at random`, () =>
    act(() => api.walk(run.id, now.at, WALK, Math.floor(Math.random() * 2 ** 31)), null));
  return h('div', { class: 'row-of' }, state.steps.length > 0 && walk, close);
}

async function act(ask, at) {
  try {
    const run = await ask();
    open(run, at ?? run.steps);
  } catch (error) {
    failed(error);
  }
}

function choice(step, at) {
  const changes = step.changed.map((change) => (change.before === undefined ? `${change.name} = ${change.value}` : `${change.name}: ${change.before} → ${change.value}`));
  const printed = step.statements.map((statement) => statement.output).join('');
  const others = [...new Set(step.statements.map((statement) => statement.process))].filter((name) => name !== step.process);
  return h('button', {
    type: 'button', class: `choice ${colour(step.pid)}${step.taken ? ' taken' : ''}`, dataset: { choice: step.choice }, onclick: () => (step.taken ? goTo(now.at + 1) : take(step.choice)),
  },
    h('span', { class: 'key' }, at < 9 ? String(at + 1) : ' '),
    h('span', { class: 'what' }, h('span', { class: 'who' }, [step.process, ...others].join(' → ')), ' ', step.statements.map((statement) => statement.text).join('; ')),
    h('span', null, step.taken ? h('span', { class: 'chip' }, 'taken') : null),
    h('span', { class: 'then' }, changes.length ? changes.join(', ') : 'changes no variable', printed ? `, prints ${JSON.stringify(printed)}` : ''),
    step.error ? h('span', { class: 'then bad' }, step.error) : null,
    step.leads_to !== null && !step.taken ? h('span', { class: 'then' }, `leads to the state of position ${step.leads_to}`) : null);
}

function nothing(state) {
  const { run, at } = now;
  if (run.ending === 'error' && at === run.steps && run.error && run.error.kind !== 'invalid-end-state')
    return empty('The run ends in an error', run.error.message);
  if (state.is_valid_end) return empty('The end', 'No process can move, and all may end here.');
  return empty('Nobody can move', 'No step is enabled here, and not every process may end: a deadlock.');
}
