import type { Locator, Page } from 'playwright/test';
import { expect, pair, test } from './fixtures.ts';
import { AppFrame } from './page-models/app-frame.ts';

/** Keeps the app's own scripts from arriving; the returned function lets them through. */
async function holdApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/(?!first-)[^/]*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Where the parts of the frame are that a person sees at this size. */
async function places(page: Page): Promise<readonly unknown[]> {
  const parts: readonly Locator[] = [
    page.getByRole('heading', { level: 1 }),
    page.getByRole('navigation').filter({ visible: true }),
    ...['Fleet', 'Activity', 'Outbox'].map((name) =>
      page.getByRole('navigation').getByRole('link', { name, exact: true }).filter({ visible: true }),
    ),
  ];
  return Promise.all(
    parts.map(async (part) => {
      const [box, style] = await Promise.all([
        part.boundingBox(),
        part.evaluate((element) => {
          const { color, fontSize, fontWeight, backgroundColor } = getComputedStyle(element);
          return { color, fontSize, fontWeight, backgroundColor };
        }),
      ]);
      return { box: box && { ...box, width: part === parts[0] ? null : box.width }, style };
    }),
  );
}

test.beforeEach(async ({ context, drover }) => {
  await pair(context.request, drover);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the frame stands before the app runs, says nothing it cannot know, and stays where it is @laptop, ${colorScheme}`, async ({
    page,
    drover,
  }) => {
    await page.emulateMedia({ colorScheme });
    const release = await holdApp(page);
    await page.goto(`${drover.origin}/activity`, { waitUntil: 'commit' });
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Activity');
    await expect(
      page.getByRole('navigation').getByRole('link', { name: 'Activity' }).filter({ visible: true }),
    ).toHaveAttribute('aria-current', 'page');
    await expect(page.getByText(/live|connecting|offline|\d/i).filter({ visible: true })).toHaveCount(0);
    const before = await places(page);
    release();
    await expect(new AppFrame(page).says('Live')).toBeVisible();
    await expect(page.locator('#start-frame')).toHaveCount(0);
    expect(await places(page)).toEqual(before);
  });
}

test('a chosen theme holds from the first paint, against the theme of the system', async ({
  page,
  drover,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.addInitScript(() => localStorage.setItem('drover.preferences', '{"theme":"dark"}'));
  await holdApp(page);
  await page.goto(drover.origin, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'Fleet' })).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(13, 15, 14)');
});

test('a page that its app never comes to says so, after a while', async ({ page, drover }) => {
  await holdApp(page);
  await page.goto(drover.origin, { waitUntil: 'commit' });
  const words = page.getByText('The app is not here yet.');
  await expect(page.getByRole('heading', { name: 'Fleet' })).toBeVisible();
  await expect(words).toBeHidden();
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) animation.finish();
  });
  await expect(words).toBeVisible();
});

test('the pairing page has no navigation, from the first paint on', async ({ page, drover }) => {
  const release = await holdApp(page);
  await page.goto(`${drover.origin}/pair`, { waitUntil: 'commit' });
  await expect(page.locator('#start-frame')).toBeAttached();
  await expect(page.getByRole('navigation').filter({ visible: true })).toHaveCount(0);
  release();
  await expect(page.getByRole('heading', { name: /pair/i }).first()).toBeVisible();
});
