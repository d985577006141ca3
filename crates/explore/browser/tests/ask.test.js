// Questions: properties, formulas, progress, cancel.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { browser, check, example, model, place, serve, visit } from '../lariat.js';

let shared, server;
before(async () => ([shared, server] = await Promise.all([browser(), serve(example('spinlock.pml'))])));
after(async () => {
  await shared.close();
  await server.stop();
});

test('a property that fails opens its run, and one that holds says so', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  const holds = await check(page, 'exclusion', 'holds');
  assert.match(await holds.textContent(), /states/);
  assert.equal(await holds.getByRole('button', { name: 'Open the run' }).count(), 0);
  assert.deepEqual(await place(page), [0, 0]);
  await check(page, 'served', 'violated');
  await page.locator('.steps .step.loop').first().waitFor();
  assert.match(await page.locator('#bar').textContent(), /repeat for ever/);
  assert.deepEqual(trouble, []);
  await close();
});

test('a formula is checked while it is typed, and names are offered', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  const formula = page.getByLabel('Formula');
  const submit = page.getByRole('button', { name: 'Check', exact: true });
  await formula.pressSequentially('[] (insid');
  await page.getByRole('option', { name: 'inside' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await formula.inputValue(), '[] (inside');
  await page.locator('#judged .wrong').waitFor();
  assert.ok(await submit.isDisabled(), 'what is wrong cannot be asked');
  await formula.pressSequentially(' <= 1)');
  await page.locator('#judged', { hasText: 'Propositions' }).waitFor();
  await submit.click();
  await page.locator('.check .chip', { hasText: 'holds' }).waitFor();
  await formula.fill('[] (insode <= 1)');
  await page.locator('#judged .wrong', { hasText: 'insode' }).waitFor();
  assert.equal(await page.locator('#judged mark').first().textContent(), 'insode');
  assert.deepEqual(trouble, []);
  await close();
});

test('an invariant that fails, and how something can become true, from the start and from here', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  await page.getByLabel('Question', { exact: true }).selectOption('invariant');
  await page.getByLabel('Formula').fill('inside == 0');
  const submit = page.getByRole('button', { name: 'Check', exact: true });
  await page.locator('#judged', { hasText: 'Propositions' }).waitFor();
  await submit.click();
  await page.locator('.check .chip', { hasText: 'violated' }).waitFor();
  await page.waitForFunction(() => !document.querySelector('#bar .place').textContent.endsWith('/ 0'));
  await page.getByLabel('Question', { exact: true }).selectOption('reach');
  await page.getByLabel('Formula').fill('locked && inside == 0');
  await page.locator('#judged', { hasText: 'Propositions' }).waitFor();
  await submit.click();
  await page.locator('.check .chip', { hasText: 'found' }).waitFor();
  await page.locator('#bar .title', { hasText: 'locked' }).waitFor();
  const [, short] = await place(page);
  await page.locator('.tl-track').focus();
  await page.keyboard.press('End');
  await page.getByLabel('Formula').fill('!locked');
  await page.getByLabel('Starting at').selectOption('here');
  await page.locator('#judged', { hasText: '!locked' }).waitFor();
  await submit.click();
  await page.waitForFunction((count) => Number(document.querySelector('#bar .place').textContent.split(' / ')[1]) > count, short);
  assert.deepEqual(trouble, []);
  await close();
});

test('a run to an error ends at its statement', async () => {
  const broken = await serve(example('broken_mutex.pml'));
  const { page, trouble, close } = await visit(shared, broken.address);
  await check(page, 'safety', 'violated');
  await page.locator('.source .fault', { hasText: 'assert' }).first().waitFor();
  assert.match(await page.locator('.steps .here .bad').textContent(), /assertion violated/);
  await page.getByText('The run ends in an error').waitFor();
  assert.deepEqual(trouble, []);
  await close();
  await broken.stop();
});

test('coverage is marked in the source after a full search', async () => {
  const dead = await serve(model('dead.pml'));
  const { page, trouble, close } = await visit(shared, dead.address);
  await check(page, 'safety', 'holds');
  await page.locator('.line.unreached', { hasText: 'missed = 1' }).waitFor();
  await page.locator('.line.unreached', { hasText: 'missed = 2' }).waitFor();
  for (const text of ['often = 1', 'often = 0', 'skip']) assert.equal(await page.locator('.line.unreached', { hasText: text }).count(), 0, text);
  assert.deepEqual(trouble, []);
  await close();
  await dead.stop();
});

test('a long search shows its progress and can be cancelled', async () => {
  const sixty = await serve(model('sixty.pml'));
  const { page, trouble, close } = await visit(shared, sixty.address);
  await page.getByRole('button', { name: 'Check safety', exact: true }).click();
  const card = page.locator('.check').first();
  await card.getByText('per second').waitFor();
  const states = async () => Number((await card.locator('dd').first().textContent()).replaceAll(/\D/g, ''));
  const before = await states();
  await page.waitForFunction((count) => Number(document.querySelector('.check dd').textContent.replaceAll(/\D/g, '')) > count, before);
  await card.getByRole('button', { name: 'Cancel' }).click();
  await card.locator('.chip', { hasText: /cancelled|inconclusive/ }).waitFor();
  assert.equal(await page.locator('.chip.good').count(), 0, 'what was cancelled proves nothing');
  await page.locator('.choice').first().click();
  await page.locator('#bar .place', { hasText: '1 / 1' }).waitFor();
  assert.deepEqual(trouble, []);
  await close();
  await sixty.stop();
});
