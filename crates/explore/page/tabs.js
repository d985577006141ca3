// Tabs after the pattern of the ARIA practices: arrows move between them, one panel is shown.

import { h } from './dom.js';

/** `parts`: `{id, label, whole}`; answers panels by id and `show(id)`. `whole` panels scroll inside themselves. */
export function tabs(container, name, parts) {
  const list = h('div', { role: 'tablist', 'aria-label': name });
  const panels = {};
  const buttons = parts.map(({ id, label, whole }) => {
    panels[id] = h('div', {
      role: 'tabpanel', id: `panel-${id}`, 'aria-labelledby': `tab-${id}`, tabindex: 0, class: whole ? 'whole' : '', hidden: true,
    });
    return h('button', {
      type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}`, onclick: () => show(id),
    }, label);
  });
  list.append(...buttons);
  container.append(h('div', { class: 'tabbed' }, list, Object.values(panels)));

  function show(id) {
    parts.forEach((part, at) => {
      const isShown = part.id === id;
      panels[part.id].hidden = !isShown;
      buttons[at].setAttribute('aria-selected', String(isShown));
      buttons[at].tabIndex = isShown ? 0 : -1;
    });
    panels[id].dispatchEvent(new CustomEvent('shown'));
  }

  list.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = buttons[(to + buttons.length) % buttons.length];
    next.focus();
    next.click();
  });
  show(parts[0].id);
  return { panels, show };
}
