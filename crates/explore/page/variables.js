// The values of a state: globals, then each process; arrays and structures fold, and what the last step changed is marked.

import { empty, h, put } from './dom.js';
import { now, on } from './store.js';

/** More processes than this begin folded. */
const MANY = 6;
/** Folds that the reader has opened or closed. */
const folds = new Map();

export function variables(panel) {
  const list = h('div', { class: 'vars' });
  panel.append(list);
  on('state', () => {
    const { state } = now;
    if (!state) return;
    if (state.values.length === 0) return put(list, empty('No variables', 'This model’s state is where its processes stand.'));
    const scopes = new Map();
    for (const value of state.values) scopes.set(value.scope, [...(scopes.get(value.scope) ?? []), value]);
    const many = scopes.size - (scopes.has('') ? 1 : 0) > MANY;
    put(list, [...scopes].map(([scope, values]) => {
      const parts = nested(values, 0, scope);
      if (scope === '') return [h('h3', null, now.model.language === 'rust' ? 'State' : 'Global'), parts];
      return many ? fold(scope, scope, values, parts, false) : [h('h3', null, scope), parts];
    }));
  });
}

/** Values that share the part of their path at `depth` are one fold. */
function nested(values, depth, key) {
  const groups = new Map();
  for (const value of values) groups.set(value.path[depth], [...(groups.get(value.path[depth]) ?? []), value]);
  return [...groups].map(([name, members]) => {
    if (members.length === 1 && members[0].path.length === depth + 1) return leaf(name, members[0]);
    const inner = `${key}\n${name}`;
    return fold(inner, name, members, nested(members, depth + 1, inner), members.length <= 8);
  });
}

function leaf(name, value) {
  const shown = value.messages
    ? value.messages.length
      ? value.messages.map((message) => h('span', { class: 'message-in' }, message.join(', ')))
      : h('span', { class: 'dim' }, 'empty')
    : value.value;
  const room = value.messages ? h('span', { class: 'was' }, `${value.messages.length} of ${value.capacity}`) : null;
  return h('div', { class: value.changed ? 'var changed' : 'var', title: value.name },
    h('span', { class: 'name' }, name), h('span', { class: 'value' }, shown), room,
    value.changed && value.before !== undefined ? h('span', { class: 'was' }, `was ${value.before}`) : null);
}

function fold(key, name, values, parts, isOpen) {
  const changed = values.filter((value) => value.changed);
  const preview = values.slice(0, 12).map((value) => value.value).join(', ');
  const details = h('details', {
    open: folds.get(key) ?? (isOpen || changed.length > 0),
  }, h('summary', { onclick: () => folds.set(key, !details.open) }, h('span', null, `${name} `),
    changed.length ? h('span', { class: 'changed' }, `${changed.length} changed`) : h('span', { class: 'dim' }, preview)), parts);
  return details;
}
