// The address holds the run: who opens it is where we are.

import { api } from './api.js';
import { now } from './store.js';

/** The address bar has links of short runs only; longer ones are made on request. */
const SHORT = 1000;
/** A moment of rest before the address follows. */
const WAIT = 300;

let known = { key: '', code: '' };
let timer = 0;

/** A link to this position; an error, if the run is too long for one. */
export async function link() {
  const { run, at, property } = now;
  const key = `${run.id}:${run.steps}`;
  if (known.key !== key) known = { key, code: (await api.code(run.id)).code };
  const parts = new URLSearchParams({ run: known.code, at: String(at) });
  const isNamed = property && now.model.properties.some(({ id }) => id === property.name);
  if (property) parts.set('property', isNamed ? `named:${property.name}` : `${property.kind}:${property.text}`);
  return `${location.origin}${location.pathname}#${parts}`;
}

/** Puts the place into the address bar, so that a reload comes back to it. */
export function remember() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (!now.run || now.run.steps > SHORT) return;
    const address = await link().catch(() => null);
    if (address) history.replaceState(null, '', address);
  }, WAIT);
}

/** What an address says: `{code, at, property}`, or null. */
export function linked() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const code = parts.get('run');
  if (!code) return null;
  const [kind, ...rest] = (parts.get('property') ?? '').split(':');
  const text = rest.join(':');
  const property = !kind ? null : kind === 'named' ? { kind, name: text } : { kind, text };
  return { code, at: Number(parts.get('at')) || 0, property };
}
