// SVG that the server has drawn, as elements of this page. It is parsed as XML and copied by name: only shapes and
// texts, only attributes that say where they are and which class they have. Colours come from the page's style sheet.

import { s } from './dom.js';

const ELEMENTS = new Set(['svg', 'g', 'title', 'defs', 'marker', 'path', 'rect', 'line', 'circle', 'text', 'tspan']);
const ATTRIBUTES = new Set([
  'class', 'd', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'width', 'height', 'viewBox', 'id',
  'fill', 'stroke', 'stroke-dasharray', 'marker-end', 'refX', 'refY', 'markerWidth', 'markerHeight', 'orient',
  'font-family', 'font-size', 'text-anchor', 'data-step', 'data-top', 'data-bottom',
]);
/** `url(#tip)` is the only address that an attribute may hold. */
const LOCAL = /^url\(#[a-z]+\)$/;

export function drawing(text) {
  // Files have colours for readers who prefer dark; the page's policy refuses style sheets in documents.
  const plain = text.replace(/<style>[^<]*<\/style>/, '');
  const parsed = new DOMParser().parseFromString(plain, 'image/svg+xml');
  const root = parsed.documentElement;
  if (root.localName !== 'svg' || parsed.querySelector('parsererror')) throw new Error('the server sent no drawing');
  return copy(root);
}

function copy(element) {
  const made = s(element.localName);
  for (const { name, value } of element.attributes) {
    if (ATTRIBUTES.has(name) && (!/url|:/i.test(value) || LOCAL.test(value))) made.setAttribute(name, value);
  }
  for (const child of element.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.data);
    else if (child.nodeType === Node.ELEMENT_NODE && ELEMENTS.has(child.localName)) made.append(copy(child));
  }
  return made;
}
