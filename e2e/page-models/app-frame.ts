import type { Locator, Page } from 'playwright/test';

/** The words a connection may have, as they begin. */
export type ConnectionWord =
  | 'Live'
  | 'Live, not kept offline'
  | 'Demo fleet'
  | 'Connecting'
  | 'Reconnecting'
  | 'Offline'
  | 'Collector silent'
  | 'Collector restarting'
  | 'Sign in again'
  | 'Removed from this fleet'
  | 'Not saved on this device';

const ANY_WORD =
  /^(Live|Demo fleet|Connecting|Reconnecting|Offline|Collector|Sign in|Removed|App too old|History restored|Not saved)/;

/** What stands around every page: navigation, connection, notices. */
export class AppFrame {
  /** The pill of a phone or the foot of a laptop's rail. */
  readonly connection: Locator;
  readonly notice: Locator;
  readonly title: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.connection = page.getByRole('button', { name: ANY_WORD });
    this.notice = page.getByRole('region', { name: 'Notifications' }).getByRole('dialog');
    this.title = page.getByRole('heading', { level: 1 });
  }

  /** The connection, when it says just this. */
  says(word: ConnectionWord): Locator {
    return this.#page.getByRole('button', { name: new RegExp(`^${word}`) }).first();
  }

  async open(name: 'Fleet' | 'Activity' | 'Outbox'): Promise<void> {
    await this.#page
      .getByRole('navigation')
      .getByRole('link', { name: new RegExp(`^${name}( \\d+)?$`) })
      .click();
  }

  /** The sheet that tells both hops. */
  async openConnection(): Promise<Locator> {
    await this.connection.click();
    return this.#page.getByRole('dialog');
  }
}

/** The service worker serves the next start of this origin: it is active and has everything it needs. */
export async function untilInstalled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}
