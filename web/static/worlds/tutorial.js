// The tutorial in the page of a world. The template has all steps, in one place; this shows the current one, and
// remembers it in the browser. In the lesson, whose world is a new one on each visit, it begins with the first.

/** @import { Happened, Seen, Tutorial } from './steps.js' */

import { byId } from '../page/page.js';
import { rememberStep, rememberedStep } from '../page/settings.js';
import { after, begun } from './steps.js';
import { scriptWorldsClose, scriptWorldsNext, scriptWorldsOnceMore, scriptWorldsSkip } from '../text/en/script-worlds.js';

export class WorldTutorial {
  #isLesson = byId('world').dataset.world === '';
  /** @type {Tutorial} */
  #tutorial = begun(this.#isLesson ? null : rememberedStep());
  #details = /** @type {HTMLDetailsElement} */ (byId('tutorial'));

  constructor() {
    byId('step-next').addEventListener('click', () => this.#take({ type: this.#tutorial.step === 'over' ? 'again' : 'next' }));
    byId('step-skip').addEventListener('click', () => {
      this.#take({ type: 'skip' });
      this.#details.open = false;
      // The button that had the focus is gone.
      this.#details.querySelector('summary')?.focus();
    });
    this.#show();
  }

  /** Observes the visitor, if the tutorial is open. @param {Seen} seen */
  see(seen) {
    if (this.#details.open) this.#take({ type: 'saw', seen });
  }

  /** @param {Happened} happened */
  #take(happened) {
    const { step } = this.#tutorial;
    this.#tutorial = after(this.#tutorial, happened);
    if (this.#tutorial.step === step) return;
    if (!this.#isLesson) rememberStep(this.#tutorial.step);
    this.#show();
  }

  #show() {
    const { step } = this.#tutorial;
    this.#details.dataset.step = step;
    for (const item of /** @type {HTMLElement[]} */ ([...byId('steps').children])) {
      if (item.dataset.step === step) item.setAttribute('aria-current', 'step');
      else item.removeAttribute('aria-current');
    }
    byId('step-next').textContent = step === 'over' ? scriptWorldsOnceMore() : scriptWorldsNext();
    byId('step-skip').textContent = step === 'over' ? scriptWorldsClose() : scriptWorldsSkip();
  }
}
