// Small drawings for buttons, so that no font is needed for them.

import { s } from './dom.js';

const PATHS = {
  first: 'M4 3v10M13 3L6 8l7 5z', back: 'M12 3L5 8l7 5z', forward: 'M4 3l7 5-7 5z', last: 'M12 3v10M3 3l7 5-7 5z',
  loop: 'M13 8a5 5 0 1 1-1.600-3.700M13 2v3.500H9.500', undo: 'M5 3L2 6l3 3M2 6h7a4 4 0 0 1 0 8H6', mark: 'M4 2h8v12l-4-3-4 3z',
  larger: 'M8 3v10M3 8h10', smaller: 'M3 8h10', all: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3', close: 'M4 4l8 8M12 4l-8 8',
};
const FILLED = new Set(['first', 'back', 'forward', 'last']);

export function icon(name) {
  return s('svg', { class: FILLED.has(name) ? 'icon filled' : 'icon', viewBox: '0 0 16 16', 'aria-hidden': 'true' }, s('path', { d: PATHS[name] }));
}
