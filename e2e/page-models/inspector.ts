import type { Locator, Page } from 'playwright/test';

/** A request from inside: beside the list on a wide screen, else a sheet. */
export class Inspector {
  readonly pane: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.pane = page.getByRole('complementary', { name: /^Request: / }).or(page.getByRole('dialog'));
  }

  tab(name: string | RegExp): Locator {
    return this.pane.getByRole('tab', { name });
  }

  /** Opens a part of the capture. */
  async show(name: string | RegExp): Promise<Locator> {
    await this.tab(name).click();
    return this.pane.getByRole('tabpanel');
  }

  /** As a person leaves it: Back on a phone, Escape on a laptop. */
  async leave(isPhone: boolean): Promise<void> {
    if (isPhone) await this.#page.goBack();
    else await this.#page.keyboard.press('Escape');
  }
}
