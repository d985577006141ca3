// Builds the page, then opens the run of the address, or the initial state.

import { api } from './api.js';
import { ask } from './ask.js';
import { automaton } from './automaton.js';
import { bar } from './bar.js';
import { chart } from './chart.js';
import { checks } from './checks.js';
import { byId } from './dom.js';
import { graph } from './graph.js';
import { keys } from './keys.js';
import { linked } from './link.js';
import { next } from './next.js';
import { failed } from './notice.js';
import { runs } from './runs.js';
import { source } from './source.js';
import { steps } from './steps.js';
import { now, set } from './store.js';
import { tabs } from './tabs.js';
import { timeline } from './timeline.js';
import { open, watch } from './travel.js';
import { variables } from './variables.js';

const groups = {
  left: tabs(byId('left'), 'Questions and runs', [{ id: 'ask', label: 'Ask' }, { id: 'runs', label: 'Runs' }]),
  centre: tabs(byId('centre'), 'The run', [
    { id: 'steps', label: 'Steps', whole: true }, { id: 'chart', label: 'Chart', whole: true }, { id: 'graph', label: 'Graph', whole: true },
    { id: 'automaton', label: 'Automaton', whole: true }]),
  right: tabs(byId('right'), 'The state', [{ id: 'next', label: 'What if' }, { id: 'variables', label: 'Variables' }]),
};

bar();
timeline();
source(byId('source'));
ask(groups.left.panels.ask);
checks();
runs(groups.left.panels.runs);
steps(groups.centre.panels.steps);
chart(groups.centre.panels.chart);
graph(groups.centre.panels.graph);
automaton(groups.centre.panels.automaton);
next(groups.right.panels.next);
variables(groups.right.panels.variables);
keys((column, tab) => {
  turnTo(column);
  groups[column].show(tab);
});

for (const choice of byId('columns').children) choice.addEventListener('click', () => turnTo(choice.dataset.column));
document.body.addEventListener('column', () => turnTo(document.body.dataset.column));
window.addEventListener('hashchange', () => start().catch(failed));

/** On a narrow screen: which column is in sight. */
function turnTo(column) {
  document.body.dataset.column = column;
  for (const choice of byId('columns').children) choice.setAttribute('aria-pressed', String(choice.dataset.column === column));
}

async function start() {
  const wanted = linked();
  if (wanted) {
    try {
      const run = await api.newRun({ code: wanted.code });
      // Without its waves, the run is still the run.
      if (wanted.property) await api.newProperty(wanted.property).then(({ id }) => watch(id)).catch(failed);
      return open(run, wanted.at);
    } catch (error) {
      failed(error);
    }
  }
  const { first_run: first, initial_error: error } = now.model;
  if (first) open(now.runs.get(first) ?? (await api.newRun()));
  else failed(new Error(error));
}

async function load() {
  const [model, { runs: known }] = await Promise.all([api.model(), api.runs()]);
  byId('model').textContent = model.name;
  document.title = `${model.name} · lariat explore`;
  set({ model, runs: new Map(known.map((run) => [run.id, run])) });
  await start();
}

load().catch(failed);
