// The address holds the run: who opens it is where we are.

import { now } from './store.js';

/** Longer links are made on request only. */
const SHORT = 4000;

export function link() {
  const { run, at, property } = now;
  if (!run?.code) return null;
  const parts = new URLSearchParams({ run: run.code, at: String(at) });
  if (property) parts.set('property', property.kind === 'named' || property.name ? `named:${property.name}` : `${property.kind}:${property.text}`);
  return `${location.origin}${location.pathname}#${parts}`;
}

/** Puts the place into the address bar, so that a reload comes back to it. */
export function remember() {
  const address = link();
  if (address && address.length <= SHORT) history.replaceState(null, '', address);
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
