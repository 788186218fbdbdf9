import type { Locator, Page } from 'playwright/test';
import type { HostCard } from './fleet-page.ts';

/** The sheet of a model, and the one that asks before something is done. */
export class ModelSheet {
  readonly root: Locator;
  readonly #page: Page;

  private constructor(page: Page, modelId: string) {
    this.#page = page;
    this.root = page.getByRole('dialog', { name: modelId, exact: true });
  }

  /** Opens it from the model's row on its host's card. */
  static async open(page: Page, card: HostCard, modelId: string): Promise<ModelSheet> {
    await card.model(modelId).getByRole('button', { name: modelId, exact: true }).click();
    return new ModelSheet(page, modelId);
  }

  /** The one that something else opened. */
  static opened(page: Page, modelId: string): ModelSheet {
    return new ModelSheet(page, modelId);
  }

  /** Changes of the model's state, newest first. */
  get changes(): Locator {
    return this.root.getByRole('list', { name: 'Changes of its state, newest first' }).getByRole('listitem');
  }

  async close(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await this.root.waitFor({ state: 'hidden' });
  }

  /** Chooses what is to be done; `Load: will queue` is a `Load`, too. */
  async choose(action: 'Load' | 'Unload'): Promise<void> {
    await this.root.getByRole('button', { name: new RegExp(`^${action}(: will queue)?$`) }).click();
  }

  /** Answers the sheet that asks before an unload. */
  async onlyIfIdle(): Promise<void> {
    await this.#page.getByRole('button', { name: /^Unload only if idle/ }).click();
  }
}
