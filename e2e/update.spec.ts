import { expect, pair, test } from './fixtures.ts';
import { AppFrame, untilInstalled } from './page-models/app-frame.ts';
import { startRewritingProxy } from './rewriting-proxy.ts';

test('a new version waits until a person reloads, and never starts by itself', async ({
  page,
  context,
  drover,
}) => {
  const proxy = await startRewritingProxy(drover.server.port);
  await pair(context.request, { ...drover, origin: proxy.origin });
  await page.goto(proxy.origin);
  const frame = new AppFrame(page);
  await expect(frame.says('Live')).toBeVisible();
  await untilInstalled(page);
  // The worker that installed takes over with the next start.
  await page.reload();
  await expect(frame.says('Live')).toBeVisible();
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  await expect(page.getByText('New version ready')).toHaveCount(0);

  proxy.release();
  await page.goto(`${proxy.origin}/activity`);
  await page.evaluate(() => document.body.setAttribute('data-same-page', 'true'));
  await expect(page.getByText('New version ready')).toBeVisible();
  const reload = page.getByRole('button', { name: 'Reload' });
  await expect(reload).toBeVisible();
  await expect(page.locator('body[data-same-page]')).toHaveCount(1);
  await frame.open('Fleet');
  await expect(page.locator('body[data-same-page]'), 'looking around starts nothing').toHaveCount(1);

  await reload.click();
  await expect(page.locator('body[data-same-page]')).toHaveCount(0);
  await expect(frame.says('Live')).toBeVisible();
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting ?? null),
  ).toBe(null);
  await expect(page.getByText('New version ready')).toHaveCount(0);
  await proxy.close();
});
