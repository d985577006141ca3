// Long runs and many processes: only what is in sight is there, and it is there soon.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, check, model, place, serve, visit } from '../lariat.js';

let shared;
before(async () => (shared = await browser()));
after(() => shared.close());

const elements = (page) => page.evaluate(() => document.querySelectorAll('*').length);
/** After the next picture. */
const painted = (page) => page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

test('a lasso of 40,000 steps', async (t) => {
  const server = await serve(model('long.pml'));
  const { page, trouble, close } = await visit(shared, server.address);
  let answered = 0;
  page.on('response', async (response) => {
    if (!answered && /\/api\/checks\/\w+$/.test(response.url()) && (await response.json()).state === 'done') answered = performance.now();
  });
  await page.getByRole('button', { name: 'Check negative', exact: true }).click();
  await page.locator('#bar .title', { hasText: 'negative' }).waitFor();
  await page.locator('.steps .step', { hasText: 'count' }).first().waitFor();
  await page.locator('.tl-who').first().waitFor();
  await painted(page);
  const first = performance.now() - answered;
  t.diagnostic(`40,000 steps: first paint ${first.toFixed(0)} ms after the answer, ${await elements(page)} elements`);
  const [, steps] = await place(page);
  assert.ok(steps >= 40_000, `${steps} steps`);
  assert.ok(await elements(page) < 2500, 'rows out of sight are no elements');
  assert.ok(first < 10_000, `${first} ms`);
  await page.locator('.tl-track').focus();
  await page.keyboard.press('End');
  await page.locator(`.steps .step.here[data-at="${steps}"]`).waitFor();
  await page.locator('.steps .step.here', { hasText: 'waits' }).waitFor();
  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.locator(`.chart .row[data-step="${steps}"]`).first().waitFor();
  assert.ok(await page.locator('.chart .row').count() <= 300, 'a window of the chart');
  const box = await page.locator('.tl-track').boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 5);
  const [middle] = await place(page);
  assert.ok(Math.abs(middle - steps / 2) < steps / 100, `${middle}`);
  await page.locator(`.chart .row[data-step="${middle}"]`).first().waitFor();
  assert.deepEqual(trouble, []);
  await close();
  await server.stop();
});

test('sixty processes', async (t) => {
  const server = await serve(model('sixty.pml'));
  const start = performance.now();
  const { page, trouble, close } = await visit(shared, server.address);
  await page.locator('.choice').nth(59).waitFor();
  await painted(page);
  t.diagnostic(`60 processes: first paint ${(performance.now() - start).toFixed(0)} ms after the address, ${await elements(page)} elements`);
  await page.getByRole('button', { name: 'Walk 20 steps' }).click();
  await page.locator('#bar .place', { hasText: '20 / 20' }).waitFor();
  await page.locator('.steps .step.here').waitFor();
  assert.ok(await page.locator('.steps [role="columnheader"]').count() < 10, 'many processes share a column');
  await page.getByRole('tab', { name: 'Variables' }).click();
  await page.locator('.vars details').nth(10).waitFor();
  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.locator('.chart .row').first().waitFor();
  await page.getByRole('tab', { name: 'Graph' }).click();
  await page.locator('#panel-graph .node.here').waitFor();
  assert.match(await page.locator('#panel-graph .tools').textContent(), /near position 20/, 'a large space shows what is near');
  assert.deepEqual(trouble, []);
  await close();
  await server.stop();
});
