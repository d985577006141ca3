// The whole run in one line: who moves, where the loop is, and the propositions of the shown property as waves.
// A cell for each position; runs with more positions than pixels come in buckets.

import { api } from './api.js';
import { byId, colour, h, put, s } from './dom.js';
import { failed } from './notice.js';
import { now, on } from './store.js';
import { goTo } from './travel.js';

const LANE = 20;
const BUCKETS = 1000;

let shown = null;
const here = h('div', { class: 'tl-here' });

export function timeline() {
  on('run property', load);
  on('at run', place);
}

async function load() {
  const { run, property } = now;
  if (!run) return;
  try {
    const [overview, first] = await Promise.all([
      api.overview(run.id, BUCKETS, property?.id),
      property ? api.steps(run.id, 0, 0, property.id) : null,
    ]);
    if (now.run !== run || now.property !== property) return;
    draw(run, overview, first?.truth?.values ?? []);
  } catch (error) {
    failed(error);
  }
}

function draw(run, overview, initial) {
  const cells = run.steps + 1;
  const lanes = 1 + overview.truth.length;
  const picture = s('svg', {
    viewBox: `0 0 ${cells} ${lanes * LANE}`, height: lanes * LANE, preserveAspectRatio: 'none', 'aria-hidden': 'true',
  });
  if (run.ending === 'loop') {
    const start = run.loop_start + 1;
    picture.append(s('rect', { class: 'tl-loop', x: start, y: 0, width: cells - start, height: lanes * LANE }));
    picture.append(s('path', { class: 'tl-loop-edge', d: `M${start} 0V${lanes * LANE}` }));
  }
  picture.append(...who(run, overview));
  overview.truth.forEach((wave, at) => picture.append(...truth(overview, (initial[at]?.[0] ?? '-') + wave.values, at + 1)));
  const track = h('div', {
    class: 'tl-track', role: 'slider', tabindex: 0, 'aria-label': 'Position in the run', 'aria-valuemin': 0, 'aria-valuemax': run.steps,
    onpointerdown: seek, onpointermove: (event) => event.buttons === 1 && seek(event),
  }, picture, here);
  const names = ['who moves', ...overview.truth.map((wave) => wave.name)];
  put(byId('timeline'), h('div', { class: 'tl' },
    h('div', { class: 'tl-names' }, names.map((name) => h('div', { title: name }, name))), track));
  shown = { run, track };
  place();
}

/** Where bucket `b` begins, in cells: step `i` is in the cell of the position behind it. */
const begin = ({ steps, buckets }, b) => Math.floor((b * steps) / buckets) + 1;

/** Who moves most in each bucket; equal neighbours are one shape. */
function who(run, overview) {
  const main = overview.who.map((pairs) => pairs.reduce((most, pair) => (pair[1] > most[1] ? pair : most), [-1, 0])[0]);
  const ways = new Map();
  spans(main, (value, from, to) => {
    if (value < 0) return;
    const [x, end] = [begin(overview, from), begin(overview, to)];
    const name = colour(run.processes[value].pid);
    ways.set(name, `${ways.get(name) ?? ''}M${x} 4H${end}V${LANE - 4}H${x}z`);
  });
  return [...ways].map(([name, d]) => s('path', { class: `tl-who ${name}`, d }));
}

const WAVES = {
  0: ['tl-off', LANE - 5, 2], 1: ['tl-on', 3, LANE - 6], 2: ['tl-both', LANE / 2, LANE / 2 - 3], '-': ['tl-unknown', LANE / 2 - 1, 2],
};

/** `values`: that of the initial state, then one for each bucket. */
function truth(overview, values, lane) {
  const ways = {};
  spans([...values], (value, from, to) => {
    const x = from === 0 ? 0 : begin(overview, from - 1);
    const [, top, height] = WAVES[value];
    const y = lane * LANE + top;
    ways[value] = `${ways[value] ?? ''}M${x} ${y}H${begin(overview, to - 1)}v${height}H${x}z`;
  });
  return Object.entries(ways).map(([value, d]) => s('path', { class: WAVES[value][0], d }));
}

function spans(values, span) {
  let from = 0;
  for (let at = 1; at <= values.length; at++)
    if (at === values.length || values[at] !== values[from]) {
      span(values[from], from, at);
      from = at;
    }
}

function seek(event) {
  const box = shown.track.getBoundingClientRect();
  goTo(Math.floor(((event.clientX - box.left) / box.width) * (shown.run.steps + 1)));
}

function place() {
  if (!shown || shown.run !== now.run) return;
  const cells = now.run.steps + 1;
  here.style.left = `${(now.at / cells) * 100}%`;
  here.style.width = `${100 / cells}%`;
  shown.track.setAttribute('aria-valuenow', String(now.at));
  shown.track.setAttribute('aria-valuetext', `position ${now.at} of ${now.run.steps}`);
}
