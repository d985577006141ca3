// The same page for models in Rust and DVE, and for questions about fair runs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findings } from '../axe.js';
import { browser, check, example, place, serve, serveRust, visit } from '../lariat.js';

let shared;
before(async () => (shared = await browser()));
after(() => shared.close());

/** Types a question of one's own and waits for its verdict. */
async function asks(page, kind, text, verdict, more = async () => {}) {
  await page.getByLabel('Question', { exact: true }).selectOption(kind);
  await page.getByLabel('Formula').fill(text);
  await more();
  await page.locator('#judged', { hasText: 'Propositions' }).waitFor();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.locator(`.check[aria-label='${text}'] .chip`, { hasText: verdict }).first().waitFor();
}

test('a model in Rust: its questions, its run, its state, other steps', async () => {
  const server = await serveRust('lock');
  const { page, trouble, close } = await visit(shared, server.address);
  assert.ok(await page.locator('#source').isHidden(), 'its source is elsewhere');
  await check(page, 'mutual exclusion', 'holds');
  await check(page, 'no panic', 'holds');
  await check(page, '0 is served', 'violated');
  await page.locator('.steps .step.loop').first().waitFor();
  // Columns are processes; waves are propositions; the automaton is there.
  const heads = await page.locator('.steps .head [role="columnheader"]').allTextContents();
  assert.deepEqual(heads, ['step', '0', '1', 'changes']);
  assert.match(await page.locator('#timeline').textContent(), /0 waits/);
  await page.getByRole('tab', { name: 'Automaton' }).click();
  await page.locator('#panel-automaton svg .node.here').first().waitFor();
  // The state is told by its fields, with what changed.
  await page.getByRole('tab', { name: 'Variables' }).click();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.locator('.var.changed', { hasText: 'was false' }).waitFor();
  assert.match(await page.locator('.vars').textContent(), /State.*waits/s);
  // Another step makes a branch.
  await page.getByRole('tab', { name: 'What if' }).click();
  await page.locator('.choice:not(.taken)').first().click();
  await page.waitForFunction(() => document.querySelector('#bar .title').textContent.includes('played from step'));
  assert.deepEqual(await place(page), [2, 2]);
  assert.deepEqual(trouble, []);
  await close();
  await server.stop();
});

test('a model in Rust: typed questions, from here on, graph, chart, link', async () => {
  const server = await serveRust('lock');
  const { page, trouble, close } = await visit(shared, server.address);
  await page.getByLabel('Formula').pressSequentially('[] ("0 wa');
  await page.getByRole('option', { name: '"0 waits"' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByLabel('Formula').inputValue(), '[] ("0 waits"');
  await asks(page, 'reach', 'served == 2 && inside[1]', 'found');
  await page.waitForFunction(() => document.querySelector('#bar .title').textContent.includes('example: served == 2'));
  const [, steps] = await place(page);
  assert.ok(steps >= 4);
  // From here it has happened already; from the start it comes on every fair run, but not at once.
  await page.keyboard.press('End');
  const here = () => page.getByLabel('Starting at').selectOption('here');
  await asks(page, 'ltl', '[] (served >= 2)', 'holds', here);
  await asks(page, 'ltl', '<> (served == 1)', 'violated', here);
  await page.waitForFunction((at) => document.querySelector('#bar .title').textContent.includes(`from position ${at}`), steps);
  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.locator('#panel-chart svg', { hasText: 'Enter' }).waitFor();
  await page.getByRole('tab', { name: 'Graph' }).click();
  await page.locator('#panel-graph svg .node, #panel-graph svg [role="button"]').first().waitFor();
  // A link holds the run.
  await page.getByRole('tab', { name: 'Runs' }).click();
  await page.getByRole('button', { name: 'Copy link' }).click();
  const field = page.getByLabel('Link to this position');
  await field.waitFor();
  const link = await field.inputValue();
  const other = await visit(shared, link);
  await other.page.waitForFunction(() => document.querySelector('#bar .title').textContent.includes('from a link'));
  assert.deepEqual([...trouble, ...other.trouble], []);
  assert.deepEqual(await findings(page), []);
  await other.close();
  await close();
  await server.stop();
});

test('a model in DVE: a run with its source and chart, and a formula', async () => {
  const server = await serve(example('mutex.dve'));
  const { page, trouble, close } = await visit(shared, server.address);
  assert.ok(await page.locator('.source .line').count() > 10);
  await page.locator('.choice').first().click();
  await page.waitForFunction(() => document.querySelector('#bar .place').textContent.endsWith('/ 1'));
  await page.locator('.source .line.at').first().waitFor();
  await page.getByLabel('Formula').pressSequentially('A.crit');
  await page.getByRole('option', { name: 'A.critical' }).waitFor();
  await asks(page, 'reach', 'A.critical && A->rounds == 2', 'found');
  await asks(page, 'ltl', '<> A.critical', 'violated');
  await page.locator('.steps .step.loop').first().waitFor();
  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.locator('#panel-chart svg', { hasText: 'A.critical' }).first().waitFor();
  assert.deepEqual(trouble, []);
  await close();
  await server.stop();
});

test('fairness: what fails on all runs may hold on fair ones', async () => {
  const server = await serve(example('spinlock.pml'));
  const { page, trouble, close } = await visit(shared, server.address);
  const formula = '<> Process[0]@waiting';
  const among = (value) => () => page.getByLabel('Among').selectOption(value);
  await asks(page, 'ltl', formula, 'violated', among(''));
  await page.getByRole('button', { name: `Forget ${formula}` }).click();
  await asks(page, 'ltl', formula, 'holds', among('weak'));
  // Weakly fair is not enough to be served, strongly fair is.
  const served = '[] (Process[0]@waiting -> <> Process[0]@critical)';
  await asks(page, 'ltl', served, 'violated', among('weak'));
  await page.getByRole('button', { name: `Forget ${served}` }).click();
  await asks(page, 'ltl', served, 'holds', among('strong'));
  assert.deepEqual(trouble, []);
  await close();
  await server.stop();
});
