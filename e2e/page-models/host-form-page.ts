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
    // The page that led here may have an address field of its own, and stays until this one is loaded.
    const form = page
      .getByRole('main')
      .filter({ has: page.getByRole('heading', { level: 1, name: /^(Add host|Edit )/ }) });
    this.address = form.getByLabel('Address');
    this.name = form.getByRole('textbox', { name: 'Name' });
    this.key = form.getByLabel(/^Key/);
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
