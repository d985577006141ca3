// A long list of rows of one height, of which only those in sight are elements.

import { h } from './dom.js';

const BEYOND = 12;
/** Browsers stop at some ten million pixels; longer lists are scrolled in proportion. */
const TALLEST = 8_000_000;

export class Virtual {
  /** `row(index)` makes the element of a row; `scroller` has the scroll bar, `body` is inside it. */
  constructor(scroller, body, rowHeight, row) {
    Object.assign(this, { scroller, body, rowHeight, row, count: 0, first: 0, last: 0 });
    this.space = h('div', { class: 'virtual-space', 'aria-hidden': 'true' });
    this.window = h('div', { class: 'virtual-window', role: 'rowgroup' });
    body.append(this.space, this.window);
    scroller.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.draw()).observe(scroller);
  }

  /** Another list, or the same with other rows. */
  set(count) {
    this.count = count;
    this.space.style.height = `${Math.min(count * this.rowHeight, TALLEST)}px`;
    this.redraw();
  }

  redraw() {
    this.first = this.last = -1;
    this.draw();
  }

  /** How far rows are above where the scroll bar is, for lists that are too long for pixels. */
  get scale() {
    return Math.max(1, (this.count * this.rowHeight) / TALLEST);
  }

  draw() {
    const height = this.scroller.clientHeight;
    if (height === 0) return;
    const top = this.scroller.scrollTop;
    const at = Math.floor((top * this.scale) / this.rowHeight);
    const first = Math.max(0, Math.min(at - BEYOND, this.count - 1));
    const last = Math.min(this.count, at + Math.ceil(height / this.rowHeight) + BEYOND);
    if (first === this.first && last === this.last) return;
    Object.assign(this, { first, last });
    const rows = [];
    for (let index = first; index < last; index++) rows.push(this.row(index));
    this.window.replaceChildren(...rows);
    this.window.style.transform = `translateY(${top - (top * this.scale - first * this.rowHeight)}px)`;
  }

  /** Scrolls as little as needed to have a row in sight. `margin`: what covers the top of the list. */
  show(index, margin = 0) {
    const top = (index * this.rowHeight) / this.scale;
    const room = this.scroller.clientHeight - margin - this.rowHeight;
    if (room <= 0) return;
    const now = this.scroller.scrollTop;
    if (top < now) this.scroller.scrollTop = Math.max(0, top - room / 3);
    else if (top > now + room) this.scroller.scrollTop = top - (room * 2) / 3;
    this.draw();
  }
}
