// The pictures of the documentation: `npm run screenshots` writes docs/explore-*.png.

import path from 'node:path';
import { browser, check, model, root, serve, serveRust, visit } from './lariat.js';

const shared = await browser();

async function picture(starting, property, name, options, prepare) {
  const server = await starting;
  const { page, trouble, close } = await visit(shared, server.address, { viewport: { width: 1280, height: 720 }, ...options });
  await check(page, property, 'violated');
  await page.locator('.tl-track').focus();
  await page.keyboard.press('Home');
  for (let at = 0; at < 3; at++) await page.keyboard.press('ArrowRight');
  await prepare(page);
  await page.evaluate(() => document.activeElement.blur());
  await page.locator('#news:empty').waitFor({ state: 'attached' });
  await page.screenshot({ path: path.join(root, 'docs', `explore-${name}.png`) });
  if (trouble.length) throw new Error(trouble.join('\n'));
  await close();
  await server.stop();
}

const turn = (name) => async (page) => {
  await page.getByRole('tab', { name, exact: true }).click();
  await page.locator(name === 'Chart' ? '.chart .row' : '#panel-graph .node').first().waitFor();
};

await picture(serve('examples/spinlock.pml'), 'served', 'run', {}, async () => {});
await picture(serve(path.relative(root, model('requests.pml'))), 'answered', 'chart', { colorScheme: 'dark' }, turn('Chart'));
await picture(serve('examples/philosophers.pml'), 'safety', 'graph', {}, turn('Graph'));
await picture(serveRust('lock'), '0 is served', 'rust', {}, (page) => page.getByRole('tab', { name: 'Variables' }).click());
await shared.close();
