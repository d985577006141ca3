// Searches that the server runs for us: progress while they run, then the answer, which opens as a run.

import { api } from './api.js';
import { button, byId, h, put } from './dom.js';
import { failed, noTrouble, say } from './notice.js';
import { now, on, set } from './store.js';
import { open, watch } from './travel.js';

const EVERY = 250;

export async function check(what) {
  noTrouble();
  try {
    const started = await api.check(what);
    set({ checks: [{ ...started, question: what.question }, ...now.checks] });
    follow(started.id);
  } catch (error) {
    failed(error);
  }
}

async function follow(id) {
  for (;;) {
    let check;
    try {
      check = await api.progress(id);
    } catch (error) {
      set({ checks: now.checks.filter((other) => other.id !== id) });
      return failed(error);
    }
    const before = now.checks.find((other) => other.id === id);
    if (!before) return;
    set({ checks: now.checks.map((other) => (other.id === id ? { ...check, question: before.question } : other)) });
    if (check.state !== 'running') return done(check);
    await new Promise((resolve) => setTimeout(resolve, EVERY));
  }
}

async function done(check) {
  const { answer } = check;
  if (check.state === 'failed') return failed(new Error(check.failure));
  if (!answer) return say('Cancelled.');
  say(answer.sentence);
  if (answer.coverage) set({ coverage: answer.coverage });
  if (answer.run) await show(answer);
}

/** Opens the run of an answer, with its property. */
async function show(answer) {
  try {
    const run = await api.run(answer.run);
    if (answer.property && now.property?.id !== answer.property) await watch(answer.property);
    open(run, run.ending === 'error' ? run.steps : 0);
    document.body.dataset.column = 'centre';
    document.body.dispatchEvent(new CustomEvent('column'));
  } catch (error) {
    failed(error);
  }
}

export function checks() {
  on('checks', () => {
    byId('answers').classList.toggle('hidden', now.checks.length === 0);
    put(byId('checks'), now.checks.map(card));
  });
}

function card(check) {
  const { question, answer, progress } = check;
  const running = check.state === 'running';
  const verdict = running ? h('span', { class: 'chip' }, progress?.phase ?? 'running')
    : h('span', { class: `chip ${answer ? tone(answer.verdict) : 'warn'}` }, answer?.verdict ?? check.state);
  return h('article', { class: 'check', 'aria-label': title(question) },
    h('div', { class: 'row-of' }, h('span', { class: 'what grow' }, title(question)), verdict),
    running ? h('progress', { 'aria-label': 'Progress' }) : null,
    answer ? h('p', null, answer.sentence) : null,
    figures(answer?.statistics ?? progress),
    [...(answer?.warnings ?? []), ...(running ? progress?.remarks ?? [] : [])].map((text) => h('p', { class: 'dim' }, text)),
    h('div', { class: 'row-of' },
      running ? button('Cancel', () => cancel(check), { 'aria-label': `Cancel ${title(question)}` }) : null,
      answer?.run ? button('Open the run', () => show(answer)) : null,
      running ? null : button('Forget', () => forget(check), { class: 'quiet', 'aria-label': `Forget ${title(question)}` })));
}

function figures(of) {
  if (!of) return null;
  const number = (value) => Math.round(value).toLocaleString('en');
  // Mostly nobody knows how long it will take; then nothing is said but when it gives up.
  const left = (seconds) => (seconds < 120 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`);
  const isByLevel = of.level !== undefined && of.level !== null;
  const rows = [
    ['states', of.states !== undefined && number(of.states)], ['per second', of.rate ? number(of.rate) : false],
    ['level', isByLevel && `${number(of.level)}, with ${number(of.frontier)} states`], ['depth', of.depth && !isByLevel ? number(of.depth) : false],
    ['memory', of.memory ? `${(of.memory / 2 ** 20).toFixed(1)} MiB` : false], ['time', of.seconds !== undefined && `${of.seconds.toFixed(2)} s`],
    ['left', typeof of.about === 'number' && `about ${left(of.about)}`], ['gives up', typeof of.at_most === 'number' && `in ${left(of.at_most)}`],
  ];
  return h('dl', null, rows.filter(([, value]) => value).map(([name, value]) => [h('dt', null, name), h('dd', null, value)]));
}

function title(question) {
  return question.text ?? question.name ?? question.kind;
}

export async function cancel(check) {
  try {
    await api.cancel(check.id);
  } catch (error) {
    failed(error);
  }
}

async function forget(check) {
  set({ checks: now.checks.filter((other) => other.id !== check.id) });
  await api.cancel(check.id).catch(() => {});
}

/** The colour of a verdict: what is inconclusive is never green. */
export function tone(verdict) {
  return { holds: 'good', found: 'good', violated: 'bad', refuted: 'warn', inconclusive: 'warn' }[verdict] ?? '';
}
