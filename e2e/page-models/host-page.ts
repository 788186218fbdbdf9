import type { Locator, Page } from 'playwright/test';

/** One host: its models, what runs, and what everybody did there. */
export class HostPage {
  readonly title: Locator;
  readonly models: Locator;
  readonly running: Locator;
  readonly actions: Locator;
  /** The one sheet that may be open: of a model, or asking before something is done. */
  readonly sheet: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.title = page.getByRole('heading', { level: 1 });
    this.models = page.getByRole('list', { name: 'Models' }).getByRole('listitem');
    this.running = page.getByRole('region', { name: 'Running now' });
    this.actions = page.getByRole('region', { name: 'Actions here' });
    // A toast is a dialog too, in a region of its own.
    this.sheet = page.locator('[role="dialog"]:not([role="region"] *)');
  }

  /** The row of a model. */
  model(modelId: string): Locator {
    return this.models.filter({ has: this.#page.getByRole('button', { name: modelId, exact: true }) });
  }

  /** The button of a row that loads it, unloads it or stops its start. */
  button(label: 'Load' | 'Unload' | 'Abort start', modelId: string): Locator {
    return this.#page.getByRole('button', { name: `${label} ${modelId}`, exact: true });
  }

  /** The button that tells the active profile and opens the others, on a laptop. */
  get profile(): Locator {
    return this.#page.getByRole('button', { name: /^(No profile|Profile |Had no profile)/ });
  }

  /** A profile of an open menu. */
  profileChoice(label: string): Locator {
    return this.#page.getByRole('menuitemradio', { name: label });
  }

  /** Opens the menu of the host. */
  async openMenu(label: string): Promise<void> {
    // A laptop has it in its head, a phone beside the connection; one of them is hidden.
    await this.#page.getByRole('button', { name: `Actions for ${label}` }).click();
  }

  /** Opens the sheet of a model. */
  async openModel(modelId: string): Promise<void> {
    await this.#page.getByRole('button', { name: modelId, exact: true }).click();
  }

  /** A button of the sheet. */
  choice(label: string): Locator {
    return this.sheet.getByRole('button', { name: label, exact: true });
  }
}
