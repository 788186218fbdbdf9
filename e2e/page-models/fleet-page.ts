import type { Locator, Page } from 'playwright/test';

/** The fleet: cards of hosts, or the first steps while there are none. */
export class FleetPage {
  readonly cards: Locator;
  readonly needsYou: Locator;
  readonly demoBar: Locator;
  readonly addHost: Locator;
  readonly insecureCard: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.cards = page.getByRole('article');
    this.needsYou = page.getByRole('region', { name: 'Needs you' });
    this.demoBar = page.getByRole('region', { name: 'Demo fleet' });
    this.addHost = page
      .getByRole('link', { name: 'Add host' })
      .or(page.getByRole('link', { name: 'Add a host' }));
    this.insecureCard = page.getByRole('region', { name: 'This address is not encrypted' });
  }

  card(label: string): HostCard {
    return new HostCard(this.#page, label);
  }

  /** Test beside the address on the page of a fleet without hosts. */
  async testAddress(url: string): Promise<void> {
    const form = this.#page.getByRole('region', { name: 'Add a host' });
    await form.getByLabel('Address').fill(url);
    await form.getByRole('button', { name: 'Test' }).click();
  }

  async startDemo(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Start the demo fleet' }).click();
  }

  async removeDemo(): Promise<void> {
    await this.#page.getByRole('button', { name: 'Remove the demo fleet' }).click();
  }
}

/** The card of one host. */
export class HostCard {
  readonly root: Locator;
  readonly models: Locator;
  readonly #page: Page;
  readonly #label: string;

  constructor(page: Page, label: string) {
    this.#page = page;
    this.#label = label;
    this.root = page.getByRole('article', { name: label, exact: true });
    this.models = this.root.getByRole('listitem');
  }

  model(modelId: string): Locator {
    return this.models.filter({ hasText: modelId });
  }

  async choose(
    action: 'Edit' | 'Pause monitoring' | 'Resume monitoring' | 'Its activity' | 'Remove',
  ): Promise<void> {
    await this.action(action).then((item) => item.click());
  }

  /** An entry of the card's menu, opened. */
  async action(name: string): Promise<Locator> {
    await this.root.getByRole('button', { name: `Actions for ${this.#label}` }).click();
    return this.#page.getByRole('menuitem', { name });
  }
}
