import type { Locator, Page } from 'playwright/test';

/** The page Health, in its own words. */
export class HealthPage {
  readonly page: Page;
  readonly checks: Locator;
  readonly copy: Locator;
  readonly checkNow: Locator;

  constructor(page: Page) {
    this.page = page;
    this.checks = page.getByRole('region', { name: 'Checks' }).getByRole('listitem');
    this.copy = page.getByRole('button', { name: /^(Copy report|Copied)$/ });
    this.checkNow = page.getByRole('button', { name: 'Check now' });
  }

  /** The check about `title`. */
  check(title: string): Locator {
    return this.checks.filter({ has: this.page.getByText(title, { exact: true }) });
  }
}
