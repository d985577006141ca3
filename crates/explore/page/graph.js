// The graph of states: all of it if it is small, with components folded, or what is near the position.

import { api } from './api.js';
import { counted, empty, h, put, s } from './dom.js';
import { layered } from './layered.js';
import { failed } from './notice.js';
import { Picture, between, selfLoop, tips } from './picture.js';
import { now, on } from './store.js';
import { goTo, open } from './travel.js';

const WHOLE = 2000;
const NEAR = 300;
/** Near is: from so many steps before the position to so many behind it. */
const [BEHIND, AHEAD] = [2, 2];
/** Above this many states, components begin folded. */
const FOLD_ABOVE = 60;
const HALF = 9;

export function graph(panel) {
  const picture = new Picture('Graph of states');
  const scope = h('select', { 'aria-label': 'Which states', onchange: load });
  put(scope, h('option', { value: 'whole' }, 'all states'), h('option', { value: 'near' }, 'near the position'));
  const folded = h('input', { type: 'checkbox', id: 'folded', onchange: () => {
    wish = folded.checked;
    others.clear();
    draw();
  } });
  const here = h('button', { type: 'button', class: 'quiet hidden', onclick: () => turn(componentAt()) });
  const product = h('input', { type: 'checkbox', id: 'product', onchange: load });
  const productPart = h('span', null, product, h('label', { for: 'product' }, ' with the property'));
  const about = h('span', { class: 'dim', role: 'status' });
  const nothing = h('div', { class: 'hidden' });
  panel.append(h('div', { class: 'tools' }, scope, h('span', null, folded, h('label', { for: 'folded' }, ' fold components')), here, productPart, about, h('span', { class: 'zooms' }, picture.tools)),
    nothing, picture.element, h('div', { class: 'legend' }, legend()));
  let data = null;
  let shown = null;
  let asked = null;
  let key = '';
  /** Components that are not as the box says: folded, or not. */
  const others = new Set();
  /** What the reader wants, once that was said. */
  let wish = null;

  on('run property', stale);
  on('at', () => {
    if (panel.hidden || !data) return;
    if (data.near && data.run[now.at] === undefined) load();
    else if (data.near && !isHere()) load();
    else mark();
  });
  panel.addEventListener('shown', stale);

  /** Asks again only if something else would be shown. */
  function stale() {
    const { run, property } = now;
    if (panel.hidden || !run) return;
    productPart.classList.toggle('hidden', !property?.automaton);
    const mine = `${run.id}:${run.steps}:${property?.id}`;
    if (key !== mine) load();
    else mark();
  }

  async function load() {
    const { run, property, at } = now;
    key = `${run.id}:${run.steps}:${property?.id}`;
    asked?.abort();
    asked = new AbortController();
    const extra = { run: run.id, property: product.checked && property?.automaton ? property.id : undefined };
    about.textContent = 'looking…';
    try {
      let found = null;
      if (scope.value === 'whole') {
        found = await api.graph({ ...extra, max: WHOLE }, asked.signal);
        if (!found.complete) scope.value = 'near';
      }
      if (scope.value === 'near') {
        const isCut = found !== null;
        found = { ...(await near(run, at, asked.signal)), near: true, at, isCut };
      }
      // Another run in the same graph: components are the same.
      const isSame = data && !found.near && !data.near && found.of === data.of && found.nodes.length === data.nodes.length && found.edges.length === data.edges.length;
      data = found;
      folded.checked = wish ?? (!data.near && data.nodes.length > FOLD_ABOVE);
      if (!isSame) others.clear();
      draw();
    } catch (error) {
      if (error.name !== 'AbortError') failed(error);
    }
  }

  /** From a little before the position on, or from the position if that is too much. */
  async function near(run, at, signal) {
    const before = Math.max(0, at - BEHIND);
    const wide = await api.graph({ run: run.id, at: before, radius: at - before + AHEAD, max: NEAR }, signal);
    if (typeof wide.run[at] === 'number') return { ...wide, begin: before };
    return { ...(await api.graph({ run: run.id, at, radius: AHEAD, max: NEAR }, signal)), begin: at };
  }

  function isHere() {
    const node = data.run[now.at];
    return node !== null && node !== undefined && data.nodes.some((other) => other.id === node && !other.more);
  }

  function draw() {
    if (!data) return;
    shown = fold(data, isFolded);
    nothing.classList.toggle('hidden', shown.items.length > 0);
    put(nothing, empty('No states', 'The graph has no states to show here.'));
    const what = `${counted(data.nodes.length, 'state')}, ${counted(data.edges.length, 'step')}`;
    about.textContent = data.near ? `${what} near position ${data.at}${data.isCut ? `; all are more than ${WHOLE.toLocaleString('en')}` : ''}` : `${what}, ${counted(data.components.length, 'component')}`;
    const root = data.initial === null || data.initial === undefined ? 0 : shown.of.get(data.initial) ?? 0;
    const begin = data.near ? shown.of.get(data.run[data.begin]) ?? root : root;
    const place = layered(shown.items.map((item) => ({ width: 2 * item.half, height: 2 * HALF })), shown.edges.map(([from, to]) => [from, to]), [begin], { gapX: 16, gapY: 34 });
    shown.place = place;
    shown.lines = shown.edges.map(([from, to, label], at) => {
      const d = from === to ? selfLoop(place.nodes[from].x, place.nodes[from].y, shown.items[from].half)
        : between(place.edges[at], [shown.items[from].half, HALF], [shown.items[to].half, HALF + 1]);
      return s('path', { class: 'edge', d, 'marker-end': 'url(#graph-tip)' }, s('title', null, label));
    });
    shown.shapes = shown.items.map((item, at) => shape(item, place.nodes[at]));
    picture.draw([tips('graph'), shown.lines, shown.shapes], place.width, place.height);
    picture.svg.setAttribute('role', 'group');
    picture.svg.setAttribute('aria-label', `Graph of states: ${about.textContent}`);
    trace();
    mark();
  }

  function isFolded(component) {
    return component.size > 1 && folded.checked !== others.has(component.id);
  }

  /** The component that the run is in, if it has several states. */
  function componentAt() {
    const node = data?.nodes.find((other) => other.id === data.run[now.at]);
    return data?.components.find((component) => component.id === node?.component && component.size > 1);
  }

  /** Folds a component, or unfolds it; what it was or becomes stays in sight. */
  function turn(component) {
    if (!component || component.size < 2) return;
    const isOn = panel.contains(document.activeElement) && picture.element.contains(document.activeElement);
    if (!others.delete(component.id)) others.add(component.id);
    draw();
    reach(shown.of.get(data.nodes.find((node) => node.component === component.id).id), isOn);
  }

  function shape(item, { x, y }) {
    const title = item.size > 1 ? `component of ${counted(item.size, 'state')}${item.accepting ? ', with an accepting cycle' : ''}, folded` : item.label;
    const text = item.size > 1 ? String(item.size) : item.more ? '…' : '';
    return s('g', {
      role: 'button', tabindex: -1, 'aria-label': title, onkeydown: (event) => walk(event, item), class: `node${item.accepting ? ' accepting' : ''}${item.error ? ' error' : ''}${item.stuck ? ' stuck' : ''}`, onclick: (event) => (event.shiftKey ? turn(item.component) : choose(item)),
    },
      s('title', null, title),
      s('rect', { class: 'shape', x: x - item.half, y: y - HALF, width: 2 * item.half, height: 2 * HALF, rx: item.size > 1 ? 4 : HALF }),
      text ? s('text', { x, y: y + 4, 'text-anchor': 'middle' }, text) : null);
  }

  /** Arrows go to the nearest state in their direction, Enter is there or unfolds, minus folds. */
  function walk(event, item) {
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
    if (event.key === 'Enter' || event.key === ' ') choose(item);
    else if (event.key === '-' || event.key === '+') turn((item.size > 1) === (event.key === '+') ? item.component : null);
    else if (dx === 0 && dy === 0) return;
    else {
      const from = shown.place.nodes[shown.items.indexOf(item)];
      const far = ({ x, y }) => {
        const [along, aside] = [(x - from.x) * dx + (y - from.y) * dy, Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx)];
        return along > 0 ? along + 2 * aside : Infinity;
      };
      const all = shown.place.nodes.map(far);
      const nearest = all.reduce((best, way, at) => (way < all[best] ? at : best), 0);
      if (all[nearest] < Infinity) reach(nearest);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** The one state that Tab comes to. */
  function reach(at, isFocused = true) {
    shown.shapes.forEach((element, other) => element.setAttribute('tabindex', other === at ? '0' : '-1'));
    const { x, y } = shown.place.nodes[at];
    if (isFocused) shown.shapes[at].focus();
    if (!picture.holds(x, y)) picture.center(x, y, 1.5);
  }

  async function choose(item) {
    if (item.size > 1) return turn(item.component);
    const at = data.run.findIndex((node) => item.nodes.includes(node));
    if (at >= 0) return goTo(at);
    try {
      const run = await api.newRun({ graph: data.id, node: item.nodes[0] });
      open(run, run.steps);
    } catch (error) {
      failed(error);
    }
  }

  /** The run's way through the graph. */
  function trace() {
    const items = data.run.map((node) => shown.of.get(node));
    const pairs = new Set(items.slice(1).map((to, at) => `${items[at]}:${to}`));
    shown.edges.forEach(([from, to], at) => {
      const isRun = pairs.has(`${from}:${to}`);
      shown.lines[at].classList.toggle('run', isRun);
      shown.lines[at].setAttribute('marker-end', isRun ? 'url(#graph-run)' : 'url(#graph-tip)');
    });
    shown.shapes.forEach((element, at) => element.classList.toggle('run', items.includes(at)));
  }

  function mark() {
    if (!shown?.shapes) return;
    const at = shown.of.get(data.run[now.at]);
    shown.shapes.forEach((element, other) => element.classList.toggle('here', other === at));
    if (shown.items.length) reach(at ?? 0, false);
    const component = componentAt();
    here.classList.toggle('hidden', !component);
    if (component) here.textContent = isFolded(component) ? 'Unfold here' : 'Fold here';
  }
}

/** States as they are drawn: components that are folded are one item. */
function fold(data, isFolded) {
  const items = [];
  const of = new Map();
  const byComponent = new Map();
  const components = new Map(data.components.map((component) => [component.id, component]));
  for (const node of data.nodes) {
    const component = components.get(node.component);
    const isOne = component && isFolded(component);
    let index = isOne ? byComponent.get(component.id) : undefined;
    if (index === undefined) {
      index = items.length;
      const label = node.automaton === null ? node.label : `${node.label}; automaton at ${node.automaton}`;
      items.push({ nodes: [], component, size: isOne ? component.size : 1, half: isOne ? 16 : HALF, accepting: Boolean(component?.accepting), label, error: false, stuck: false, more: false });
      if (isOne) byComponent.set(component.id, index);
    }
    const item = items[index];
    item.nodes.push(node.id);
    item.error ||= node.error;
    item.stuck ||= node.stuck;
    item.more ||= node.more;
    of.set(node.id, index);
  }
  const seen = new Map();
  for (const [from, to, label] of data.edges) {
    const [a, b] = [of.get(from), of.get(to)];
    if (a === undefined || b === undefined || (a === b && items[a].size > 1)) continue;
    const known = seen.get(`${a}:${b}`);
    if (known) known[2] += known[2].length < 300 ? `\n${data.labels[label]}` : '';
    else seen.set(`${a}:${b}`, [a, b, data.labels[label]]);
  }
  return { items, of, edges: [...seen.values()] };
}

function legend() {
  return ['blue: the run', 'filled: here', 'yellow: can be accepted for ever', 'red: error', 'dashed: nobody moves', 'number: states in a folded component', 'click or Enter: be there, or unfold', 'minus or Shift and click: fold the component'].map((text) => h('span', null, text));
}
