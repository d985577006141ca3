// Where we are: which run is in front, and at which position. Every view calls these and none calls another view.

import { api } from './api.js';
import { remember } from './link.js';
import { failed, say } from './notice.js';
import { now, set } from './store.js';

let asked = null;
/** Where we were before each jump to another run. */
const places = [];

/** Be at a position of the run in front. */
export function goTo(at) {
  if (!now.run) return;
  const to = Math.max(0, Math.min(at, now.run.steps));
  if (to !== now.at) set({ at: to });
  load();
}

/** A step forward; behind the end of a lasso comes the first step of its loop. */
export function forward() {
  const { run, at } = now;
  if (!run) return;
  if (at < run.steps) goTo(at + 1);
  if (now.at >= run.steps && run.ending === 'loop') {
    goTo(run.loop_start);
    say('The loop starts again.');
  }
}

export function back() {
  goTo(now.at - 1);
}

/** Brings a run to the front. */
export function open(run, at = 0, isUndo = false) {
  if (now.run && !isUndo) places.push({ id: now.run.id, at: now.at });
  const runs = new Map(now.runs).set(run.id, run);
  set({ runs, run, at: Math.max(0, Math.min(at, run.steps)), state: null });
  load();
}

/** Takes an enabled step: the run grows, or another one branches from it. */
export async function take(choice) {
  const { run, at } = now;
  try {
    const next = await api.step(run.id, at, choice);
    if (next.id !== run.id) say(`A new run branches at position ${at}.`);
    open(next, at + 1);
  } catch (error) {
    failed(error);
  }
}

/** Back to the run and the position before the last step that was chosen or run that was opened. */
export function undo() {
  let place = places.pop();
  while (place && !now.runs.has(place.id)) place = places.pop();
  if (place) open(now.runs.get(place.id), place.at, true);
  else say('There is nothing to undo.');
}

/** Which property's propositions and automaton are shown. */
export async function watch(id) {
  try {
    set({ property: id ? await api.property(id) : null, state: null });
    load();
  } catch (error) {
    failed(error);
  }
}

/** Asks for the state of this position, and lets go of what was asked before. */
async function load() {
  const { run, at, property } = now;
  if (!run) return;
  asked?.abort();
  asked = new AbortController();
  remember();
  try {
    const state = await api.state(run.id, at, property?.id, asked.signal);
    if (now.run.id === run.id && now.at === at) set({ state });
  } catch (error) {
    if (error.name !== 'AbortError') failed(error);
  }
}
