// The sounds of a board, synthesized here: a tone for a cell, a chord for a generation. There is no sound before the
// first touch of the page, and none while muted; the browser remembers the choice.

import { byId } from '../page/page.js';
import { isMuted, rememberMuted } from '../page/settings.js';
import { scriptRoomsSoundOff, scriptRoomsSoundOn } from '../text/en/script-rooms.js';

/** @typedef {'place' | 'turn' | 'bomb' | 'won' | 'lost' | 'news'} Sound */

/**
 * The notes of each sound: frequency in hertz, start and duration in seconds.
 * @type {Record<Sound, [number, number, number][]>}
 */
const NOTES = {
  place: [[520, 0, 0.07]],
  turn: [
    [262, 0, 0.12],
    [330, 0.06, 0.14],
  ],
  bomb: [
    [70, 0, 0.35],
    [52, 0.05, 0.4],
  ],
  won: [
    [392, 0, 0.14],
    [494, 0.12, 0.14],
    [587, 0.24, 0.3],
  ],
  lost: [
    [330, 0, 0.16],
    [262, 0.16, 0.34],
  ],
  news: [
    [660, 0, 0.1],
    [880, 0.1, 0.18],
  ],
};

/** The gain of a note at its start, out of 1. */
const LOUDNESS = 0.12;

let muted = isMuted();
/** @type {AudioContext | null} created by the first touch: browsers allow no sound before it */
let context = null;

/** Shows the mute switch, and listens for the first touch. */
export function offerSound() {
  const button = byId('sound');
  const show = () => {
    button.textContent = muted ? scriptRoomsSoundOff() : scriptRoomsSoundOn();
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    muted = !muted;
    rememberMuted(muted);
    show();
    sound('place');
  });
  const wake = () => (context ??= globalThis.AudioContext ? new AudioContext() : null);
  for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, wake, { once: true, capture: true });
  show();
}

/** @param {Sound} name */
export function sound(name) {
  byId('sound').dataset.last = muted ? '' : name;
  if (muted || context === null) return;
  for (const [hertz, after, seconds] of NOTES[name]) {
    const start = context.currentTime + after;
    const [tone, loudness] = [context.createOscillator(), context.createGain()];
    tone.type = 'triangle';
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(LOUDNESS, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    tone.connect(loudness).connect(context.destination);
    tone.start(start);
    tone.stop(start + seconds);
  }
}
