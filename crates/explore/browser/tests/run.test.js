// A run: load, step, branch, follow a link, keep it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { browser, check, example, place, serve, visit } from '../lariat.js';

let shared, server;
before(async () => ([shared, server] = await Promise.all([browser(), serve(example('spinlock.pml'))])));
after(async () => {
  await shared.close();
  await server.stop();
});

test('the page loads: source, the initial state, what can be done', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  assert.match(await page.title(), /spinlock\.pml/);
  assert.match(await page.locator('.source').textContent(), /proctype Process/);
  assert.deepEqual(await place(page), [0, 0]);
  assert.equal(await page.locator('.choice').count(), 2);
  assert.ok(await page.getByText('No steps yet').isVisible());
  assert.equal(await page.locator('.source .pid').count(), 2, 'both processes are marked in the source');
  assert.deepEqual(trouble, []);
  await close();
});

test('steps: choose, go back, undo', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'New run' }).click();
  await page.locator('.choice', { hasText: 'Process(1)' }).click();
  await page.locator('#bar .place', { hasText: '1 / 1' }).waitFor();
  await page.locator('.choice', { hasText: 'locked = true' }).first().waitFor();
  await page.locator('.choice', { hasText: 'Process(1)' }).click();
  await page.locator('#bar .place', { hasText: '2 / 2' }).waitFor();
  await page.getByRole('tab', { name: 'Variables' }).click();
  await page.locator('.var.changed', { hasText: 'locked' }).waitFor();
  assert.match(await page.locator('.var.changed').textContent(), /true.*was false/);
  await page.getByRole('button', { name: 'A step back' }).click();
  await page.locator('.var:not(.changed)', { hasText: 'locked' }).waitFor();
  assert.deepEqual(await place(page), [1, 2]);
  await page.locator('.steps .step').nth(3).click();
  assert.deepEqual(await place(page), [2, 2], 'a click on a row goes there');
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.deepEqual(await place(page), [1, 2], 'undo goes back to where the last step was chosen');
  assert.deepEqual(trouble, []);
  await close();
});

test('another step in the middle of a run is a branch', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  await check(page, 'served', 'violated');
  await page.locator('#bar .title', { hasText: 'served' }).waitFor();
  await page.locator('.tl-track').focus();
  await page.keyboard.press('ArrowRight');
  await page.locator('.choice:not(.taken)').first().waitFor();
  await page.locator('.choice:not(.taken)').first().click();
  await page.locator('#bar .place', { hasText: '2 / 2' }).waitFor();
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.locator('.tree ul ul .open[aria-current="true"]', { hasText: 'from position 1' }).waitFor();
  assert.deepEqual(trouble, []);
  await close();
});

test('every view follows the position', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  await check(page, 'served', 'violated');
  await page.locator('#watch').locator('option:checked', { hasText: 'served' }).waitFor({ state: 'attached' });
  const [, steps] = await place(page);
  await page.locator('.tl-track').focus();
  for (const [name, mark] of [['Steps', '.steps .here'], ['Chart', '.chart rect.here'], ['Graph', '.drawn .node.here'], ['Automaton', '.drawn .node.here']]) {
    await page.getByRole('tab', { name, exact: true }).click();
    const panel = page.locator(`#panel-${name.toLowerCase()}`);
    await panel.locator(mark).first().waitFor();
    await page.locator('.tl-track').focus();
    await page.keyboard.press('End');
    assert.deepEqual(await place(page), [steps, steps]);
    await panel.locator(mark).first().waitFor();
    await page.keyboard.press('Home');
  }
  const names = await page.locator('.tl-names').textContent();
  assert.match(names, /Process\[0\]@waiting/, 'propositions are waves');
  assert.ok(await page.locator('.tl-on').count() > 0);
  assert.ok(await page.locator('.tl-loop').count() === 1, 'the loop is a band');
  assert.deepEqual(trouble, []);
  await close();
});

test('the chart: click a row to be there', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  await check(page, 'served', 'violated');
  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.locator('.chart .row[data-step="2"] text').first().click();
  await page.locator('#bar .place', { hasText: /^2 / }).waitFor();
  assert.ok(await page.locator('.chart rect.loop').count() === 1);
  assert.deepEqual(trouble, []);
  await close();
});

test('the graph: click a state to be there', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  await page.getByRole('tab', { name: 'Graph' }).click();
  await page.locator('.drawn .node').first().waitFor();
  const states = await page.locator('#panel-graph .node').count();
  assert.ok(states > 8, `${states} states`);
  await page.locator('#panel-graph .node').nth(5).click();
  await page.locator('#bar .place', { hasNotText: ' / 0' }).waitFor();
  await page.locator('#panel-graph .node.here').waitFor();
  await page.getByLabel('fold components').check();
  assert.ok(await page.locator('#panel-graph .node').count() < states, 'components fold');
  assert.deepEqual(trouble, []);
  await close();
});

test('the graph: single components are folded and unfolded, by mouse and by keyboard', async () => {
  const other = await serve(example('philosophers.pml'));
  const { page, trouble, close } = await visit(shared, other.address);
  await page.getByRole('tab', { name: 'Graph' }).click();
  const nodes = page.locator('#panel-graph .node');
  await nodes.first().waitFor();
  await page.getByLabel('fold components').check();
  const component = page.locator('#panel-graph .node[aria-label*="folded"]').first();
  await component.waitFor();
  const folded = await nodes.count();
  await component.click();
  const unfolded = await nodes.count();
  assert.ok(unfolded > folded, `${folded} nodes, then ${unfolded}`);
  assert.deepEqual(await place(page), [0, 0], 'to unfold is not to move');
  // The state that has the focus is one of the component: minus folds it again, Enter unfolds it.
  await page.keyboard.press('-');
  assert.equal(await nodes.count(), folded);
  await page.keyboard.press('Enter');
  assert.equal(await nodes.count(), unfolded);
  await page.evaluate(() => document.activeElement.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true })));
  assert.equal(await nodes.count(), folded);
  // Enter on a state is there; then there is a button for the component that the run is in.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Fold here' }).click();
  assert.equal(await nodes.count(), folded, 'the reader’s choice outlives another run');
  await page.getByRole('button', { name: 'Unfold here' }).click();
  assert.equal(await nodes.count(), unfolded);
  assert.deepEqual(trouble, []);
  await close();
  await other.stop();
});

test('a link holds the run, its property and the position', async () => {
  const first = await visit(shared, server.address);
  await check(first.page, 'served', 'violated');
  await first.page.locator('.tl-track').focus();
  await first.page.keyboard.press('ArrowRight');
  await first.page.keyboard.press('ArrowRight');
  await first.page.getByRole('tab', { name: 'Runs' }).click();
  await first.page.getByRole('button', { name: 'Copy link' }).click();
  await first.page.waitForFunction(() => document.querySelector('[aria-label="Link to this position"]').value);
  const link = await first.page.getByLabel('Link to this position').inputValue();
  const [at, steps] = await place(first.page);
  await first.close();
  const second = await visit(shared, link);
  await second.page.locator('#bar .place', { hasText: `${at} / ${steps}` }).waitFor();
  await second.page.locator('.tl-names', { hasText: 'Process[0]@waiting' }).waitFor();
  assert.equal(await second.page.locator('.tl-loop').count(), 1, 'the loop is part of the link');
  assert.deepEqual([...first.trouble, ...second.trouble], []);
  await second.close();
});

test('a run is saved as a file, and the file opens again', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  await check(page, 'served', 'violated');
  await page.getByRole('tab', { name: 'Runs' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save' }).click()]);
  assert.equal(download.suggestedFilename(), 'spinlock.pml.lasso.json');
  const file = await download.path();
  assert.ok(JSON.parse(await readFile(file, 'utf8')));
  const before = await page.locator('.tree .run').count();
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.waitForFunction((count) => document.querySelectorAll('.tree .run').length > count, before);
  assert.equal(await page.locator('.tl-loop').count(), 1);
  assert.deepEqual(trouble, []);
  await close();
});

test('bookmarks', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  await check(page, 'served', 'violated');
  await page.locator('.tl-track').focus();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Bookmark' }).click();
  await page.keyboard.press('Home');
  const [, steps] = await place(page);
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.locator('.run .open', { hasText: `position ${steps}` }).click();
  assert.deepEqual(await place(page), [steps, steps]);
  assert.deepEqual(trouble, []);
  await close();
});
