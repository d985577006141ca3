// Readers with a keyboard, a small screen, dark paper, another way to see; and models that mean harm.

import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { findings } from '../axe.js';
import { browser, check, example, model, place, serve, visit } from '../lariat.js';

let shared, server;
before(async () => ([shared, server] = await Promise.all([browser(), serve(example('spinlock.pml'))])));
after(async () => {
  await shared.close();
  await server.stop();
});

const VIEWS = { left: ['Ask', 'Runs'], centre: ['Steps', 'Chart', 'Graph', 'Automaton'], right: ['What if', 'Variables'] };
const COLUMNS = { left: 'Ask', centre: 'Run', right: 'State' };

for (const colorScheme of ['light', 'dark'])
  for (const width of [1280, 400])
    test(`axe finds nothing serious: ${colorScheme}, ${width} pixels`, async () => {
      const { page, trouble, close } = await visit(shared, server.address, { colorScheme, viewport: { width, height: 800 } });
      const turn = (column) => width < 1000 && page.getByRole('navigation').getByRole('button', { name: COLUMNS[column] }).click();
      await turn('left');
      assert.deepEqual(await findings(page), [], 'before the first step');
      await check(page, 'served', 'violated');
      await page.locator('.tl-track').focus();
      await page.keyboard.press('End');
      for (const [column, views] of Object.entries(VIEWS)) {
        await turn(column);
        for (const view of views) {
          await page.getByRole('tab', { name: view, exact: true }).click();
          if (view === 'Chart') await page.locator('.chart .row').first().waitFor();
          if (view === 'Graph') await page.locator('#panel-graph .node').first().waitFor();
          assert.deepEqual(await findings(page), [], view);
        }
      }
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `the page is ${wide} pixels wide`);
      assert.deepEqual(trouble, []);
      await close();
    });

test('at 400 pixels: ask, step and branch', async () => {
  const { page, trouble, close } = await visit(shared, server.address, { viewport: { width: 400, height: 800 } });
  const turn = (name) => page.getByRole('navigation').getByRole('button', { name }).click();
  await turn('Ask');
  await check(page, 'served', 'violated');
  assert.ok(await page.getByRole('tab', { name: 'Steps' }).isVisible(), 'the answer brings the run into sight');
  await page.getByRole('button', { name: 'A step forward' }).click();
  await turn('State');
  await page.locator('.choice:not(.taken)').first().click();
  await page.locator('#bar .place', { hasText: '2 / 2' }).waitFor();
  assert.deepEqual(trouble, []);
  await close();
});

test('keyboard only: ask, walk along the run, branch, undo, read the keys', async () => {
  const { page, trouble, close } = await visit(shared, server.address);
  const press = (key) => page.keyboard.press(key);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
  for (let at = 0; at < 60 && (await focused()) !== 'Check served'; at++) await press('Tab');
  assert.equal(await focused(), 'Check served', 'Tab comes to every button');
  await press('Enter');
  await page.locator('#bar .title', { hasText: 'served' }).waitFor();
  await press('ArrowRight');
  assert.equal((await place(page))[0], 1);
  await press('ArrowRight');
  await press('ArrowLeft');
  assert.equal((await place(page))[0], 1);
  await page.locator('.choice').nth(1).waitFor();
  const other = await page.locator('.choice').evaluateAll((all) => all.findIndex((choice) => !choice.classList.contains('taken')));
  await press(String(other + 1));
  await page.locator('#bar .place', { hasText: '2 / 2' }).waitFor();
  await press('u');
  await page.locator('#bar .title', { hasText: 'served' }).waitFor();
  assert.equal((await place(page))[0], 1);
  await press('l');
  await press('?');
  assert.ok(await page.getByRole('dialog').isVisible());
  await press('Escape');
  assert.ok(!(await page.getByRole('dialog').isVisible()));
  await press('f');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'formula');
  await page.keyboard.type('[] <> (inside == 1)');
  await page.locator('#judged', { hasText: 'Propositions' }).waitFor();
  const [at] = await place(page);
  await press('ArrowLeft');
  assert.equal((await place(page))[0], at, 'arrows in the formula move its cursor only');
  await press('End');
  await press('Enter');
  await page.locator('.check', { hasText: 'inside == 1' }).locator('.chip.good').waitFor();
  await page.getByRole('tab', { name: 'Steps' }).focus();
  await press('ArrowRight');
  await page.locator('#panel-chart .chart').waitFor();
  await press('ArrowRight');
  await page.locator('#panel-graph .node.here').waitFor();
  for (let tab = 0; tab < 12 && !(await page.evaluate(() => document.activeElement.matches('.node'))); tab++) await press('Tab');
  const bar = await page.locator('#bar').textContent();
  await press('ArrowUp');
  assert.ok(await page.evaluate(() => document.activeElement.matches('.node:not(.here)')), 'arrows walk from state to state');
  await press('Enter');
  await page.waitForFunction((before) => document.querySelector('#bar').textContent !== before, bar);
  assert.deepEqual(trouble, []);
  await close();
});

test('for other machines a token is needed, and the printed address has it', async () => {
  const listening = await serve(example('spinlock.pml'), ['--listen', '127.0.0.1']);
  assert.match(listening.address, /#token=/);
  const { page, trouble, close } = await visit(shared, listening.address);
  assert.equal(await page.locator('.choice').count(), 2);
  assert.ok(!page.url().includes('token'), 'the token does not stay in the address');
  assert.deepEqual(trouble, []);
  await close();
  const other = await (await shared.newContext()).newPage();
  await other.goto(listening.address.split('#')[0]);
  await other.locator('#trouble', { hasText: 'token' }).waitFor();
  await other.context().close();
  await listening.stop();
});

test('texts of a model are texts', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'lariat-'));
  const file = path.join(folder, '<img src=x onerror=alert(1)>.pml');
  await copyFile(model('harm.pml'), file);
  const harm = await serve(file);
  const { page, trouble, close } = await visit(shared, harm.address);
  assert.match(await page.locator('header').textContent(), /<img src=x/);
  await check(page, 'script', 'violated');
  await page.locator('.tl-track').focus();
  await page.keyboard.press('End');
  for (const view of ['Steps', 'Chart', 'Graph', 'Automaton', 'Variables', 'What if', 'Runs', 'Ask']) {
    await page.getByRole('tab', { name: view, exact: true }).click();
    await page.waitForTimeout(150);
  }
  await page.getByLabel('Formula').fill('<img src=x onerror=alert(1)> && <script>alert(1)</script>');
  await page.locator('#judged .wrong').first().waitFor();
  assert.equal(await page.locator('img:not(.logo), main script, svg script, foreignObject').count(), 0);
  assert.match(await page.locator('.source').textContent(), /<script>alert\(1\)<\/script>/);
  assert.deepEqual(trouble, []);
  await close();
  await harm.stop();
  await rm(folder, { recursive: true });
});
