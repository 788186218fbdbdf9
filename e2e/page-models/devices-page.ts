import type { Locator, Page } from 'playwright/test';

/** The devices of the fleet: who is let in, who asks to be, and a code for one more. */
export class DevicesPage {
  readonly rows: Locator;
  /** The code as it is read aloud; there while one is open. */
  readonly code: Locator;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    this.rows = page
      .getByRole('region', { name: 'Devices' })
      .or(page.getByRole('main'))
      .getByRole('listitem');
    this.code = page.getByRole('button', { name: 'Copy the code' }).locator('..').locator('code');
  }

  /** Makes a code that gives `role`. */
  async makeCode(role: 'Viewer' | 'Operator' | 'Admin'): Promise<string> {
    await this.#page.getByRole('group', { name: 'Role of the new device' }).getByText(role).click();
    await this.#page.getByRole('button', { name: 'Make a code' }).click();
    return this.code.innerText();
  }

  row(label: string): Locator {
    return this.rows.filter({ hasText: label });
  }

  role(label: string): Locator {
    return this.#page.getByRole('button', { name: new RegExp(`^Role of ${label}`) });
  }

  async giveRole(label: string, role: 'Viewer' | 'Operator' | 'Admin'): Promise<void> {
    await this.role(label).click();
    await this.#page.getByRole('menuitem', { name: role }).click();
  }

  /** An entry of a device's menu, opened. */
  async action(label: string, name: string): Promise<Locator> {
    await this.#page.getByRole('button', { name: `Actions for ${label}` }).click();
    return this.#page.getByRole('menuitem', { name });
  }
}

/** Somebody who asks to be let in, as it appears on any page of whoever made the code. */
export class PairingRequestCard {
  readonly root: Locator;

  constructor(page: Page, label: string) {
    this.root = page.getByRole('region', { name: `${label} asks to be let in` });
  }

  async letIn(): Promise<void> {
    await this.root.getByRole('button', { name: 'Let in' }).click();
  }

  async refuse(): Promise<void> {
    await this.root.getByRole('button', { name: 'Refuse' }).click();
  }
}
