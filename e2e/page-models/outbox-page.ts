import type { Locator, Page } from 'playwright/test';

type SectionTitle =
  | 'Needs you'
  | 'On this device'
  | 'Expired here'
  | 'At the collector'
  | 'Under way'
  | 'Ended today';

/** The outbox: sections of actions, and the one that is open. */
export class OutboxPage {
  /** Beside the list on a laptop. */
  readonly detail: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.detail = page.getByRole('complementary');
  }

  section(title: SectionTitle): Locator {
    return this.#page.getByRole('region', { name: title, exact: true });
  }

  /** An action of a section, by its title. */
  item(section: SectionTitle, title: string): Locator {
    return this.section(section).getByRole('listitem').filter({ hasText: title });
  }
}

/** The palette, from wherever it is opened. */
export class Palette {
  readonly root: Locator;
  readonly field: Locator;
  readonly items: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.root = page.getByRole('dialog', { name: 'Find and act' });
    this.field = this.root.getByRole('combobox');
    this.items = this.root.getByRole('option');
  }

  /** By its keys, or by the button of a phone. */
  async open(): Promise<void> {
    const button = this.#page.getByRole('button', { name: 'Find and act' });
    if (await button.isVisible()) await button.click();
    else await this.#page.keyboard.press('Control+k');
    await this.field.waitFor();
  }

  /** Finds an entry and chooses it. */
  async choose(query: string, entry: string): Promise<void> {
    await this.open();
    await this.field.fill(query);
    await this.items.filter({ hasText: entry }).first().click();
  }
}
