// The message sequence chart, a window of it around the position: drawn by the server, marked here.

import { api } from './api.js';
import { empty, h, put, s } from './dom.js';
import { drawing } from './drawing.js';
import { failed } from './notice.js';
import { now, on } from './store.js';
import { goTo } from './travel.js';

const WINDOW = 120;

export function chart(panel) {
  const view = h('div', { class: 'chart', tabindex: 0, role: 'group', 'aria-label': 'Message sequence chart' });
  panel.append(view);
  const here = s('rect', { class: 'here', rx: 3 });
  let shown = null;
  let asked = null;

  on('run at property', follow);
  panel.addEventListener('shown', follow);
  view.addEventListener('click', (event) => {
    const row = event.target.closest('.row');
    if (row) return goTo(target(row));
    const svg = event.target.closest('svg');
    if (!svg || !shown) return;
    const y = event.clientY - shown.svg.getBoundingClientRect().top;
    const hit = shown.rows.find((row) => y >= Number(row.dataset.top) && y < Number(row.dataset.bottom));
    if (hit) goTo(target(hit));
  });

  /** A gap leads to the position beyond this window. */
  function target(row) {
    const position = Number(row.dataset.step);
    if (position > 0 || row === shown.rows[0]) return position > 0 ? position : Math.max(0, row.dataset.gap ? shown.from - 1 : 0);
    return row.dataset.gap === 'behind' ? shown.to + 1 : Math.max(0, shown.from - 1);
  }

  async function follow() {
    const { run, at, property } = now;
    if (!run || panel.hidden) return;
    if (run.steps === 0) {
      shown = null;
      return put(view, empty('No steps yet', 'The chart shows who sends what to whom. Check a property or make steps under “What if”.'));
    }
    if (shown?.run === run && shown.property === property && at >= shown.from && at <= shown.to) return mark();
    const from = Math.max(0, Math.min(at - WINDOW / 2, run.steps - WINDOW));
    const to = Math.min(run.steps, from + WINDOW);
    asked?.abort();
    asked = new AbortController();
    try {
      const svg = drawing(await api.chart(run.id, from, to, property?.id, asked.signal));
      if (now.run !== run) return;
      show(svg, { run, property, from, to });
    } catch (error) {
      if (error.name !== 'AbortError') failed(error);
    }
  }

  function show(svg, what) {
    const rows = [...svg.querySelectorAll('.row')];
    shown = { ...what, svg, rows };
    // Rows without a step are the initial state, which is first, and gaps.
    rows.forEach((row, at) => {
      if (row.dataset.step !== '0' || row.textContent.includes('(initial state)')) return;
      row.dataset.gap = at > rows.length / 2 ? 'behind' : 'before';
    });
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', `Chart of the steps ${what.from + 1} to ${what.to}`);
    put(view, heading(svg), svg);
    mark();
  }

  /** The names of the processes stay in sight. */
  function heading(svg) {
    const head = svg.querySelector('.head');
    const box = h('div', { class: 'chart-head', 'aria-hidden': 'true' });
    if (!head) return box;
    const [top, bottom] = [Number(head.dataset.top) - 4, Number(head.dataset.bottom) + 4];
    const width = svg.getAttribute('width');
    box.style.width = `${width}px`;
    box.append(s('svg', {
      width, height: bottom - top, viewBox: `0 ${top} ${width} ${bottom - top}`, 'font-family': svg.getAttribute('font-family'),
      'font-size': svg.getAttribute('font-size'),
    }, head));
    // What is above the rows is in the heading now.
    const height = Number(svg.getAttribute('height'));
    svg.setAttribute('viewBox', `0 ${bottom} ${width} ${height - bottom}`);
    svg.setAttribute('height', height - bottom);
    shown.top = bottom;
    return box;
  }

  function mark() {
    const mine = shown.rows.filter((row) => Number(row.dataset.step) === now.at && !row.dataset.gap);
    here.remove();
    if (mine.length === 0) return;
    const [top, bottom] = [Number(mine[0].dataset.top), Number(mine.at(-1).dataset.bottom)];
    const width = Number(shown.svg.getAttribute('width'));
    for (const [name, value] of Object.entries({ x: 5, y: top + 1, width: width - 10, height: bottom - top - 2 })) here.setAttribute(name, value);
    mine[0].before(here);
    const y = top - (shown.top ?? 0);
    const room = view.clientHeight - 60;
    if (y < view.scrollTop || y > view.scrollTop + room) view.scrollTop = Math.max(0, y - room / 2);
  }
}
