// Sentences for the reader: errors stay until they are closed, news is spoken and shown for a moment.

import { button, byId, h, put } from './dom.js';

let timer = 0;

/** News. */
export function say(text) {
  const element = byId('news');
  element.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => (element.textContent = ''), 4000);
}

/** An error of the server or of the page itself. */
export function failed(error) {
  const element = byId('trouble');
  const close = button('Close', () => put(element), { class: 'quiet' });
  put(element, h('p', null, error.message), close);
}

export function noTrouble() {
  put(byId('trouble'));
}
