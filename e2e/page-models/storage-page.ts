import type { Locator, Page } from 'playwright/test';

/** What this device keeps, in the words of the page. */
export class StoragePage {
  readonly page: Page;
  readonly days: Locator;
  readonly budget: Locator;

  constructor(page: Page) {
    this.page = page;
    this.days = page.locator('tbody').getByRole('row');
    this.budget = page.getByRole('button', { name: /^Keep at most / });
  }

  /** Chooses something from the menu of a day. */
  async act(day: Locator, words: string): Promise<void> {
    await day.getByRole('rowheader').getByRole('button').click();
    await this.page.getByRole('menuitem', { name: words }).click();
  }

  async keepAtMost(megabytes: number): Promise<void> {
    await this.budget.click();
    await this.page.getByRole('menuitem', { name: 'Another size…' }).click();
    const dialog = this.page.getByRole('dialog');
    await dialog.getByLabel('Megabytes').fill(String(megabytes));
    await dialog.getByRole('button', { name: 'Keep so much' }).click();
  }
}
