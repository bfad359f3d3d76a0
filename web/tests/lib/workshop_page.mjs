// The workshop as an author uses it, by keyboard.

/** @import { Page } from 'playwright-core' */

export class Workshop {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.status = page.locator('#status');
    this.content = page.locator('.editor .cm-content');
  }

  /** @param {Page} page @param {string} [query] */
  static async open(page, query = '') {
    await page.goto(`/workshop${query}`);
    const here = new Workshop(page);
    await here.content.waitFor();
    return here;
  }

  /** The whole text. */
  text() {
    return this.page.locator('#text').inputValue();
  }

  /** Writes another text in place of the one that is there. @param {string} text */
  async write(text) {
    await this.content.focus();
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.insertText(text);
  }

  /** Runs what is written, from within it, and waits for what is said of it. @param {RegExp} said */
  async run(said) {
    await this.content.focus();
    await this.page.keyboard.press('Control+Enter');
    await this.page.locator('#workshop[data-state="ready"] #status').filter({ hasText: said }).waitFor();
    return (await this.status.innerText()).trim();
  }
}
