// Starts `lariat explore` for a test, and a browser to look at it with.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import readline from 'node:readline';
import { chromium } from 'playwright-core';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, 'target');
const lariat = process.env.LARIAT ?? path.join(target, 'debug', 'lariat');

/** Milliseconds for anything that must happen: far more than it takes. */
const PATIENCE = Number(process.env.PATIENCE ?? 30_000);

export const example = (name) => path.join(root, 'examples', name);
export const model = (name) => fileURLToPath(new URL(`models/${name}`, import.meta.url));

/** `{address, stop}` of a server for this model. */
export function serve(file, options = []) {
  return start(lariat, ['explore', file, '--port', '0', ...options]);
}

/** The same for an example in Rust: `cargo build -p lariat --features explore --example NAME`. */
export function serveRust(name, options = []) {
  return start(path.join(target, 'debug', 'examples', name), ['explore', '--port', '0', ...options]);
}

async function start(program, args) {
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: root });
  const ended = once(server, 'exit');
  for await (const line of readline.createInterface(server.stdout)) {
    const [address] = /http:\/\/\S+/.exec(line) ?? [];
    if (!address) continue;
    server.stdout.resume();
    // A test that fails stops no server; it must not wait for one, either.
    server.unref();
    server.stdout.unref();
    process.once('exit', () => server.kill());
    return { address, stop: () => (server.ref(), server.kill(), ended) };
  }
  throw new Error(`${program} ${args.join(' ')} did not say its address`);
}

export function browser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
}

/** A page that notes what must not happen: errors, warnings about the policy, addresses elsewhere. */
export async function visit(shared, address, options = {}) {
  const context = await shared.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const trouble = [];
  page.on('pageerror', (error) => trouble.push(`error: ${error.stack}`));
  page.on('console', (message) => message.type() === 'error' && !options.expectsErrors && trouble.push(`console: ${message.text()}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(address).origin && protocol !== 'blob:' && protocol !== 'data:') trouble.push(`asked ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    trouble.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(address);
  await page.locator('.steps .step.here').first().waitFor();
  return { page, trouble, close: () => context.close() };
}

/** Asks a property of the model and waits for its verdict. */
export async function check(page, name, verdict) {
  await page.getByRole('button', { name: `Check ${name}`, exact: true }).click();
  const card = page.locator(`.check[aria-label="${name}"]`).first();
  // On a narrow screen the answer's run comes into sight instead of the card.
  await card.locator('.chip', { hasText: verdict }).waitFor({ state: 'attached' });
  if (verdict === 'violated') await page.locator('#bar .title', { hasText: name === 'safety' ? 'counterexample' : name }).waitFor();
  return card;
}

/** `3 / 6` as numbers. */
export async function place(page) {
  return (await page.locator('#bar .place').textContent()).split(' / ').map(Number);
}
