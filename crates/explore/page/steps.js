// The steps as a table: a column for each process, or one that names it if there are many.

import { colour, counted, empty, h, put } from './dom.js';
import { now, on } from './store.js';
import { goTo } from './travel.js';
import { Virtual } from './virtual.js';
import { stepOf } from './windows.js';

const ROW = 26;
const MOST_COLUMNS = 6;
/** Where there is no room for a column for each process. */
const NARROW = matchMedia('(max-width: 700px)');

export function steps(panel) {
  const head = h('div', { class: 'head', role: 'rowgroup' });
  const body = h('div', { role: 'none' });
  const table = h('div', { class: 'steps', role: 'table', 'aria-label': 'Steps of the run', tabindex: 0 }, head, body);
  const nothing = empty('No steps yet', 'Check a property at the left to find a run, or make steps yourself under “What if”.');
  panel.append(table, nothing);
  const list = new Virtual(table, body, ROW, row);
  let columns = null;

  on('run', show);
  NARROW.addEventListener('change', show);

  function show() {
    const { run } = now;
    if (!run) return;
    columns = widths(run);
    nothing.classList.toggle('hidden', run.steps > 0);
    table.classList.toggle('short', run.steps === 0);
    for (const part of [head, list.window]) part.style.minWidth = `${columns.least}px`;
    table.setAttribute('aria-rowcount', String(run.steps + 2));
    put(head, header(run));
    list.set(run.steps + 1);
    list.show(now.at, ROW);
  }

  on('at', () => {
    list.redraw();
    list.show(now.at, ROW);
  });
  panel.addEventListener('shown', () => {
    list.redraw();
    if (now.run) list.show(now.at, ROW);
  });

  function widths(run) {
    const isWide = run.processes.length <= MOST_COLUMNS && !NARROW.matches;
    const [who, what, changes] = NARROW.matches ? [64, 116, 120] : [110, 170, 200];
    const all = isWide ? [...run.processes.map(() => 130), 130] : [who, what, changes];
    const template = ['60px', ...all.map((width) => `minmax(${width}px, ${width}fr)`)].join(' ');
    return { isWide, template, least: 80 + all.reduce((sum, width) => sum + width, 0) };
  }

  function line(attributes, cells) {
    const element = h('div', attributes, cells);
    element.style.gridTemplateColumns = columns.template;
    return element;
  }

  function header(run) {
    const cell = (text, name) => h('span', { role: 'columnheader', class: name, title: text }, text);
    const middle = columns.isWide
      ? run.processes.map((process) => cell(process.name, `who ${colour(process.pid)}`))
      : [cell('process', ''), cell('statement', '')];
    return line({ class: 'step', role: 'row' }, [cell('step', 'n'), ...middle, cell('changes', '')]);
  }

  /** The row of a position: the step that leads to it. */
  function row(position) {
    const { run, at } = now;
    const isLoop = run.ending === 'loop' && position > run.loop_start;
    const isLast = run.ending === 'error' && position === run.steps;
    const isWanted = run.error?.kind === 'reached';
    const attributes = {
      class: `step${isLoop ? ' loop' : ''}${position === at ? ' here' : ''}`, role: 'row', 'aria-rowindex': position + 2,
      'aria-current': position === at ? 'true' : undefined, dataset: { at: position }, onclick: () => goTo(position),
    };
    const cell = (name, text, title = text) => h('span', { role: 'cell', class: name, title: title || undefined }, text);
    const step = position === 0 ? null : stepOf(run, position - 1, () => list.redraw());
    const blank = columns.isWide ? run.processes.map(() => cell('', '')) : [cell('', ''), cell('', '')];
    if (!step) {
      const text = position === 0 ? '(initial state)' : '…';
      return line(attributes, [cell('n', String(position)), ...blank, cell('changes', text)]);
    }
    const middle = columns.isWide
      ? run.processes.map((process) => {
          const mine = step.statements.filter((statement) => statement.pid === process.pid && statement.process === process.name);
          return cell(`who ${colour(process.pid)}`, texts(mine), lines(mine));
        })
      : one(step, cell);
    const printed = step.statements.map((statement) => statement.output).join('');
    const changes = [...step.changed.map((change) => `${change.name} = ${change.value}`), printed && `prints ${JSON.stringify(printed)}`];
    if (isLast) changes.push(run.error?.message);
    const isBad = (isLast && !isWanted) || step.statements.some((statement) => statement.fault);
    return line(attributes, [cell('n', String(position)), ...middle, cell(isBad ? 'changes bad' : 'changes', changes.filter(Boolean).join(', '))]);
  }

  function one(step, cell) {
    const names = [...new Set(step.statements.map((statement) => statement.process))];
    return [cell(`who ${colour(step.statements[0]?.pid ?? 0)}`, names.join(' → ')), cell('', texts(step.statements), lines(step.statements))];
  }
}

const texts = (statements) => statements.map((statement) => statement.text).join('; ');
const lines = (statements) =>
  statements.map((statement) => (statement.place ? `${statement.place.line}: ${statement.text}` : statement.text)).join('\n');

/** `40,000 steps, the last 880 of them repeat for ever` */
export function summary(run) {
  const all = counted(run.steps, 'step');
  switch (run.ending) {
    case 'loop': return `${all}, the last ${(run.steps - run.loop_start).toLocaleString('en')} repeat for ever`;
    case 'rest': return `${all}, then no process moves any more`;
    case 'error': return `${all}, then ${run.error?.message ?? 'an error'}`;
    case 'decided': return `${all}, which decide the property`;
    default: return all;
  }
}
