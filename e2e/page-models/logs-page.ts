import { expect, type Locator, type Page } from 'playwright/test';

/** What a host writes, as it comes. */
export class LogsPage {
  /** The drawn lines are inside. */
  readonly log: Locator;
  /** `37 new, follow`, while the reader has scrolled up. */
  readonly follow: Locator;
  readonly search: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.log = page.getByRole('log');
    this.follow = page.getByRole('button', { name: / new, follow$/ });
    this.search = page.getByRole('searchbox', { name: 'regular expression' });
  }

  /** A line in view with this text. */
  line(text: string): Locator {
    return this.log.locator('[data-index]', { hasText: text });
  }

  /** Chooses a stream or a model in the list of a laptop. */
  async choose(name: string): Promise<void> {
    await this.#page
      .getByRole('navigation', { name: /^Logs of/ })
      .getByRole('button', { name })
      .click();
  }

  /** Scrolls up by hand, as far as a page. */
  async scrollUp(): Promise<void> {
    await this.log.locator('[data-index]').last().hover();
    await this.#page.mouse.wheel(0, -900);
    await expect(this.#page.getByRole('button', { name: 'Follow', exact: true }).first()).toBeVisible();
  }

  /** How far the reader is from the newest line, in px. */
  async distanceToEnd(): Promise<number> {
    return await this.log.evaluate(({ parentElement: scroller }) =>
      scroller === null ? 0 : scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight,
    );
  }

  /** Waits until so many logs are kept on this device. */
  async untilKept(count: number): Promise<void> {
    const kept = (): Promise<number> =>
      this.#page.evaluate(async () => {
        const name = (await indexedDB.databases()).find((database) => database.name?.endsWith('/logs'))?.name;
        if (name === undefined) return 0;
        const settled = <T>(request: IDBRequest<T>): Promise<T> =>
          new Promise((resolve, reject) => {
            request.addEventListener('success', () => resolve(request.result));
            request.addEventListener('error', () => reject(new Error('not read')));
          });
        const database = await settled(indexedDB.open(name));
        const logs = await settled(database.transaction('logs').objectStore('logs').count());
        database.close();
        return logs;
      });
    await expect.poll(kept).toBeGreaterThanOrEqual(count);
  }
}
