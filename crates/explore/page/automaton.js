// The automaton of the watched property: where it can be at this position is lit. Each label is a node of the layout,
// so labels cover nothing.

import { empty, h, put, s } from './dom.js';
import { layered } from './layered.js';
import { Picture, between, selfLoop, tips } from './picture.js';
import { now, on } from './store.js';

const HALF = 15;
const LETTER = 7.4;
const LONGEST = 36;

export function automaton(panel) {
  const picture = new Picture('Automaton of the property');
  const about = h('span', { class: 'dim', role: 'status' });
  const tools = h('div', { class: 'tools' }, about, h('span', { class: 'zooms' }, picture.tools));
  const nothing = h('div');
  const legend = h('div', { class: 'legend' }, ['filled: where it can be now', 'yellow: can accept for ever', 'dots: marks, each must come again and again', 'a label: what a state must satisfy'].map((text) => h('span', null, text)));
  panel.append(tools, nothing, picture.element, legend);
  let shapes = [];

  on('property', draw);
  on('state', mark);
  panel.addEventListener('shown', draw);

  function draw() {
    const found = now.property?.automaton;
    for (const part of [tools, picture.element, legend]) part.classList.toggle('hidden', !found);
    put(nothing, found ? [] : now.property
      ? empty('No automaton', 'An invariant needs none: one state decides.')
      : empty('No property is watched', 'Choose one under the timeline, or check one: its automaton is drawn here, and its states light up along the run.'));
    if (!found || panel.hidden) return;
    const { nodes, edges, labels, loops } = graphOf(found);
    const place = layered(nodes, edges, found.initial, { gapX: 30, gapY: 26 });
    shapes = Array.from({ length: found.states }, (_, state) => stateShape(found, state, place.nodes[state]));
    const half = (node) => (node < found.states ? [HALF, HALF] : [nodes[node].width / 2, nodes[node].height / 2]);
    const lines = edges.map(([from, to], at) => s('path', {
      class: 'edge', d: between(place.edges[at], half(from), half(to)), 'marker-end': to < found.states ? 'url(#automaton-tip)' : undefined,
    }));
    const texts = labels.map(({ node, lines: rows, marks }) => labelShape(place.nodes[node].x - nodes[node].width / 2 + 6, place.nodes[node].y, rows, marks));
    const around = loops.flatMap(({ state, lines: rows, marks }) => {
      const { x, y } = place.nodes[state];
      return [s('path', { class: 'edge', d: selfLoop(x, y, HALF), 'marker-end': 'url(#automaton-tip)' }), labelShape(x + HALF + 20, y, rows, marks)];
    });
    const starts = found.initial.map((state) => {
      const { x, y } = place.nodes[state];
      return s('path', { class: 'edge', d: `M${x - HALF - 26} ${y}H${x - HALF}`, 'marker-end': 'url(#automaton-tip)' });
    });
    picture.draw([tips('automaton'), lines, around, starts, texts, shapes], place.width, place.height);
    mark();
  }

  function mark() {
    const states = now.state?.automaton ?? [];
    shapes.forEach((shape, state) => shape.classList.toggle('here', states.includes(state)));
    const found = now.property?.automaton;
    if (!found || !now.state) return;
    const where = states.length ? `now at ${states.join(', ')}` : 'given up: whatever comes, this run is not among them';
    about.textContent = `accepts ${found.accepts}; ${where}`;
    picture.svg.setAttribute('aria-label', `Automaton with ${found.states} states, ${about.textContent}`);
  }
}

/** States and labels as nodes. Edges between the same states share one label; loops are drawn beside their state. */
function graphOf(found) {
  const groups = new Map();
  for (const { from, to, label, marks } of found.edges) {
    const key = `${from}:${to}`;
    const group = groups.get(key) ?? { from, to, lines: [], marks: [] };
    group.lines.push(label);
    group.marks.push(marks);
    groups.set(key, group);
  }
  const wide = (group) => Math.max(...group.lines.map((line, at) => Math.min(line.length, LONGEST) * LETTER + group.marks[at].length * 10)) + 12;
  const nodes = Array.from({ length: found.states }, () => ({ width: 2 * HALF, height: 2 * HALF }));
  const edges = [];
  const labels = [];
  const loops = [];
  for (const group of groups.values()) {
    if (group.from === group.to) {
      // Room at both sides keeps the state in the middle of its node.
      const node = nodes[group.from];
      node.width = Math.max(node.width, 2 * (HALF + 22 + wide(group)));
      node.height = Math.max(node.height, group.lines.length * 16);
      loops.push({ state: group.from, ...group });
      continue;
    }
    const node = nodes.length;
    nodes.push({ width: wide(group), height: group.lines.length * 16 + 4 });
    edges.push([group.from, node], [node, group.to]);
    labels.push({ node, ...group });
  }
  return { nodes, edges, labels, loops };
}

function labelShape(x, y, lines, marks) {
  return lines.map((line, at) => {
    const row = y + (at - (lines.length - 1) / 2) * 16;
    const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
    const dots = marks[at].map((mark, dot) => s('circle', { class: 'mark-on', cx: x + short.length * LETTER + 8 + dot * 10, cy: row, r: 4 }, s('title', null, `mark ${mark}`)));
    return [s('text', { class: 'label', x, y: row + 4 }, short, s('title', null, line)), dots];
  });
}

function stateShape(found, state, { x, y }) {
  return s('g', { class: `node${found.accepting[state] ? ' accepting' : ''}` },
    s('circle', { class: 'shape', cx: x, cy: y, r: HALF }), s('text', { x, y: y + 4, 'text-anchor': 'middle' }, String(state)));
}
