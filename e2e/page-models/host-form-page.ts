import type { Locator, Page } from 'playwright/test';

/** Address, name and key of a host, with the verdict of Test. */
export class HostFormPage {
  readonly address: Locator;
  readonly name: Locator;
  readonly key: Locator;
  readonly verdict: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.address = page.getByLabel('Address');
    this.name = page.getByRole('textbox', { name: 'Name' });
    this.key = page.getByLabel(/^Key/);
    this.verdict = page.getByRole('region', { name: 'Result of the test' });
  }

  async test(): Promise<void> {
    await this.#page.getByRole('button', { name: /^Test/ }).click();
  }

  /** The button that adds, with whatever it promises. */
  get add(): Locator {
    return this.#page.getByRole('button', { name: /^Add( |$)/ });
  }

  get save(): Locator {
    return this.#page.getByRole('button', { name: 'Save' });
  }
}
