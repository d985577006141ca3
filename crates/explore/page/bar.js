// Above the timeline: which run, where in it, and the buttons for moving; below it, which property is watched.

import { api } from './api.js';
import { button, byId, h, put } from './dom.js';
import { icon } from './icons.js';
import { failed } from './notice.js';
import { now, on } from './store.js';
import { summary } from './steps.js';
import { back, forward, goTo, undo, watch } from './travel.js';
import { bookmark } from './bookmarks.js';

export function bar() {
  const title = h('h2', { class: 'title' });
  const about = h('span', { class: 'about' });
  const place = h('span', { class: 'place' });
  const named = (drawn, name, onclick) => button(icon(drawn), onclick, { 'aria-label': name, title: name });
  const loop = named('loop', 'To the start of the loop', () => goTo(now.run.loop_start));
  put(byId('bar'), h('div', { class: 'titles' }, title, about), h('div', { class: 'row-of' },
    named('first', 'To the first state', () => goTo(0)), named('back', 'A step back', back), place, named('forward', 'A step forward', forward),
    named('last', 'To the last state', () => goTo(now.run.steps)), loop));
  on('run at', () => {
    if (!now.run) return;
    title.textContent = now.run.title;
    title.title = now.run.title;
    about.textContent = summary(now.run);
    place.textContent = `${now.at} / ${now.run.steps}`;
    loop.classList.toggle('hidden', now.run.ending !== 'loop');
  });

  const choice = h('select', { id: 'watch', onchange: () => choose(choice.value) });
  byId('bar').append(h('div', { class: 'watch' }, h('label', { for: 'watch' }, 'Watch'), choice,
    named('undo', 'Undo: back to where I was', undo), named('mark', 'Bookmark this position', bookmark)));
  on('model property checks', () => {
    const named = now.model.properties.filter((property) => property.kind === 'ltl');
    const shown = now.property;
    const isNamed = shown && named.some((property) => property.id === shown.name);
    put(choice, h('option', { value: '' }, 'no property'), named.map((property) => h('option', { value: `n${property.id}` }, property.id)),
      shown && !isNamed ? h('option', { value: `p${shown.id}` }, shown.text) : null);
    choice.value = !shown ? '' : isNamed ? `n${shown.name}` : `p${shown.id}`;
  });

  async function choose(value) {
    if (value === '') return watch(null);
    if (value[0] === 'p') return watch(value.slice(1));
    try {
      const property = await api.newProperty({ kind: 'named', name: value.slice(1) });
      watch(property.id);
    } catch (error) {
      failed(error);
    }
  }
}
