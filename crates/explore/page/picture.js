// A drawing that can be moved and zoomed, with the mouse and with buttons.

import { button, h, put, s } from './dom.js';
import { icon } from './icons.js';

const MARGIN = 24;

export class Picture {
  constructor(name) {
    this.svg = s('svg', { role: 'img', 'aria-label': name });
    this.element = h('div', { class: 'drawn' }, this.svg);
    const named = (drawn, title, onclick) => button(icon(drawn), onclick, { 'aria-label': title, title });
    this.tools = [named('larger', 'Larger', () => this.zoom(0.8)), named('smaller', 'Smaller', () => this.zoom(1.25)), named('all', 'All of it', () => this.fit())];
    this.box = { x: 0, y: 0, width: 1, height: 1 };
    this.svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.1 : 0.9, this.point(event));
    }, { passive: false });
    this.svg.addEventListener('pointerdown', (event) => this.drag(event));
    new ResizeObserver(() => this.apply()).observe(this.element);
  }

  draw(shapes, width, height) {
    Object.assign(this, { width, height });
    put(this.svg, shapes);
    this.fit();
  }

  /** All in sight, but never larger than life. */
  fit() {
    const room = this.element.getBoundingClientRect();
    if (room.width === 0) return;
    const [w, h] = [this.width + 2 * MARGIN, this.height + 2 * MARGIN];
    const scale = Math.max(w / room.width, h / room.height, 1);
    this.box = { width: room.width * scale, height: room.height * scale };
    this.box.x = (this.width - this.box.width) / 2;
    this.box.y = h < this.box.height ? -MARGIN : (this.height - this.box.height) / 2;
    this.apply();
  }

  /** Legible, with this point in the middle. */
  center(x, y, atMost) {
    const room = this.element.getBoundingClientRect();
    const scale = Math.min(atMost, this.box.width / room.width);
    this.box = { width: room.width * scale, height: room.height * scale };
    Object.assign(this.box, { x: x - this.box.width / 2, y: y - this.box.height / 2 });
    this.apply();
  }

  holds(x, y) {
    const { box } = this;
    return x > box.x && y > box.y && x < box.x + box.width && y < box.y + box.height;
  }

  zoom(factor, at) {
    const { box } = this;
    const { x, y } = at ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    this.box = { x: x - (x - box.x) * factor, y: y - (y - box.y) * factor, width: box.width * factor, height: box.height * factor };
    this.apply();
  }

  point(event) {
    const room = this.svg.getBoundingClientRect();
    const { box } = this;
    return { x: box.x + ((event.clientX - room.left) / room.width) * box.width, y: box.y + ((event.clientY - room.top) / room.height) * box.height };
  }

  drag(event) {
    const start = { x: event.clientX, y: event.clientY, box: this.box };
    const scale = this.box.width / this.svg.getBoundingClientRect().width;
    const move = (to) => {
      this.box = { ...start.box, x: start.box.x - (to.clientX - start.x) * scale, y: start.box.y - (to.clientY - start.y) * scale };
      this.apply();
    };
    const end = () => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
  }

  apply() {
    const { x, y, width, height } = this.box;
    this.svg.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
  }
}

/** Tips of arrows; ids are one name space in a page. */
export function tips(prefix) {
  const tip = (id, name) => s('marker', { id: `${prefix}-${id}`, viewBox: '0 0 10 10', refX: 9, refY: 5, markerWidth: 9, markerHeight: 9, markerUnits: 'userSpaceOnUse', orient: 'auto' },
    s('path', { class: name, d: 'M0 1L10 5L0 9z' }));
  return s('defs', null, tip('tip', 'tip'), tip('run', 'tip-run'));
}

/** A smooth way through points, cut at the border of its last node. */
function smooth(points) {
  let d = `M${points[0][0]} ${points[0][1]}`;
  for (let at = 1; at < points.length; at++) {
    const [[x0, y0], [x1, y1]] = [points[at - 1], points[at]];
    const middle = (y0 + y1) / 2;
    d += y0 === y1 ? `L${x1} ${y1}` : `C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}`;
  }
  return d;
}

/** The way between two nodes from border to border; `half` is half of a node's width and height. */
export function between(points, [fromWidth, fromHeight], [toWidth, toHeight]) {
  const way = points.map((point) => [...point]);
  const [first, second] = way;
  const [before, last] = way.slice(-2);
  const [start, end] = [Math.sign(second[1] - first[1]), Math.sign(last[1] - before[1])];
  if (start === 0) {
    // Within a layer: an arc below.
    const side = Math.sign(last[0] - first[0]) || 1;
    const [x0, x1, y] = [first[0] + side * fromWidth, last[0] - side * toWidth, first[1]];
    const deep = Math.min(40, 10 + Math.abs(x1 - x0) / 6);
    return `M${x0} ${y}C${x0 + side * 8} ${y + deep} ${x1 - side * 8} ${y + deep} ${x1} ${y}`;
  }
  first[1] += start * fromHeight;
  last[1] -= end * toHeight;
  return smooth(way);
}

/** A loop at the right of a node. */
export function selfLoop(x, y, half) {
  return `M${x + half - 2} ${y - 5}c18 -12 18 22 0 10`;
}
