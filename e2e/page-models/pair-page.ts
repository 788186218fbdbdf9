import type { Locator, Page } from 'playwright/test';

/** The way in: a code and a name for this device. */
export class PairPage {
  readonly title: Locator;
  readonly code: Locator;
  readonly deviceName: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.title = page.getByRole('heading', { name: 'Pair this device' });
    this.code = page.getByLabel('Code', { exact: true });
    this.deviceName = page.getByLabel('Name of this device');
  }

  async submit(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Pair', exact: true }).click();
  }
}
