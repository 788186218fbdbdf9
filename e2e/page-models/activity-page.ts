import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from 'playwright/test';

/** A line of the page's CSV that stands for a request. */
export interface CsvRow {
  readonly host: string;
  readonly idEpoch: string;
  readonly id: string;
}

/** The activity of the fleet: filters, days, and the one list of rows. */
export class ActivityPage {
  readonly grid: Locator;
  /** Rows that are drawn now: those in view and a few beyond. */
  readonly rows: Locator;
  readonly gaps: Locator;
  /** How many requests match, and how many of them failed. */
  readonly counts: Locator;
  readonly search: Locator;
  readonly day: Locator;
  /** `14 new`, while rows wait above. */
  readonly waiting: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.grid = page.getByRole('grid', { name: 'Activity, newest first' });
    this.rows = this.grid.getByRole('rowgroup').getByRole('row');
    this.gaps = this.rows.filter({ hasText: 'Gap on' });
    this.counts = page.getByText(/[\d,]+ requests? · [\d,]+ failed/).filter({ visible: true });
    this.search = page.getByRole('searchbox', { name: 'model, path, error, source' });
    this.day = page.getByRole('group', { name: 'Day' });
    this.waiting = page.getByRole('button', { name: / new$/ });
  }

  filter(name: 'host' | 'model' | 'source'): Locator {
    return this.#page.getByRole('button', { name: new RegExp(`^Filter by ${name}`) });
  }

  /** An entry of the filter's menu that is open. */
  option(name: string): Locator {
    return this.#page.getByRole('menuitemcheckbox', { name, exact: true });
  }

  /** The chip of the saved views; it has the name of the one that is shown. */
  get savedViews(): Locator {
    return this.#page.getByRole('button', { name: /^Saved views/ });
  }

  get failures(): Locator {
    return this.#page.getByRole('button', { name: /^Failures/ });
  }

  /** Chooses one entry of a filter's menu and closes it. */
  async choose(name: 'host' | 'model' | 'source', option: string): Promise<void> {
    await this.filter(name).click();
    await this.#page.getByRole('menuitemcheckbox', { name: option, exact: true }).click();
    await this.#page.keyboard.press('Escape');
  }

  async chooseTime(time: 'Last 24 h' | 'All history'): Promise<void> {
    await this.day.getByRole('button', { name: /^Time/ }).click();
    await this.#page.getByRole('menuitemradio', { name: time }).click();
  }

  async earlierDay(): Promise<void> {
    await this.day.getByRole('button', { name: 'Earlier day' }).click();
  }

  async laterDay(): Promise<void> {
    await this.day.getByRole('button', { name: /^(Later day|Back to the last 24 h)$/ }).click();
  }

  /** Filters by a part of a text; on a phone the field is behind a button. */
  async searchFor(text: string): Promise<void> {
    const isPhone = await this.#page.getByRole('button', { name: /^Filter: model/ }).isVisible();
    if (isPhone) await this.#page.getByRole('button', { name: /^Filter: model/ }).click();
    await this.search.fill(text);
    await expect.poll(() => new URL(this.#page.url()).searchParams.get('q')).toContain(text);
    if (isPhone) await this.#page.getByRole('button', { name: 'Show' }).click();
  }

  /** Scrolls the list to a distance from its newest row. */
  async scrollTo(top: number): Promise<void> {
    await this.grid.evaluate((grid, to) => grid.parentElement?.scrollTo({ top: to }), top);
  }

  /** Every row of the page, by its CSV; a laptop has the button. */
  async csv(): Promise<{ readonly lines: readonly string[]; readonly requests: readonly CsvRow[] }> {
    const [download] = await Promise.all([
      this.#page.waitForEvent('download'),
      this.#page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    const requests = lines
      .map((line) => line.split(','))
      .filter(([, type]) => type === 'request')
      .map(([, , host = '', idEpoch = '', id = '']) => ({ host, idEpoch, id }));
    return { lines, requests };
  }
}
