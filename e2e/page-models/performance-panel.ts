import type { Locator, Page } from 'playwright/test';

/** How a host's machine and cards do now and did: on the host's page. */
export class PerformancePanel {
  readonly root: Locator;
  readonly machine: Locator;
  /** What time is shown, and where the cursor is. */
  readonly facts: Locator;
  readonly showAll: Locator;

  constructor(page: Page) {
    this.root = page.getByRole('region', { name: 'Performance' });
    this.machine = page.getByRole('region', { name: 'Machine' });
    this.facts = this.root.getByRole('paragraph').filter({ hasText: /\d\d:\d\d to / });
    this.showAll = this.root.getByRole('button', { name: 'Show all of it' });
  }

  /** A chart with the values under the cursor. */
  chart(title: string): Locator {
    return this.root.getByRole('region', { name: title, exact: true });
  }

  /** What keys work. */
  plot(title: string): Locator {
    return this.chart(title).getByRole('group');
  }

  /** What each model did over time. */
  get lanes(): Locator {
    return this.root.getByRole('region', { name: 'Models over time' });
  }

  csv(title: string): Locator {
    return this.root.getByRole('button', { name: `${title} as CSV` });
  }

  range(label: string): Locator {
    return this.root.getByRole('radio', { name: label });
  }
}
