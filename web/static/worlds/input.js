// Translates the mouse, fingers and keys on a world's board into meanings. It does not check whether they are possible.

/** @import { Point } from './camera.js' */

/** The farthest a finger may move during a tap, in CSS pixels. */
const SLIP_MAX = 10;
/** The zoom factor for 100 pixels of the mouse wheel. */
const WHEEL = 1.25;
/** The zoom factor of a key. */
const KEY_ZOOM = 1.5;

/** @type {ReadonlyMap<string, readonly [number, number]>} */
const STEPS = new Map([
  ['ArrowUp', [0, -1]],
  ['ArrowDown', [0, 1]],
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
]);

/**
 * @param {HTMLCanvasElement} canvas
 * @param {object} on
 * @param {(dx: number, dy: number) => void} on.push the world was dragged by a distance in CSS pixels
 * @param {(factor: number, at: Point | null) => void} on.zoom zoomed in or out, around a point or the middle
 * @param {(at: Point) => void} on.tap
 * @param {(at: Point | null) => void} on.hover
 * @param {(dx: number, dy: number) => void} on.step the cursor moves by this many cells
 * @param {(key: string) => void} on.key any other key; `Enter`, `r`, `Escape` and so on
 */
export function listenToWorld(canvas, on) {
  /** @type {Map<number, Point>} */
  const down = new Map();
  /** @type {Point | null} the start of a tap; null once it is another gesture */
  let tap = null;
  const point = (/** @type {MouseEvent} */ { clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const apart = () => {
    const [one, two] = [...down.values()];
    return { far: Math.hypot(one.x - two.x, one.y - two.y), middle: { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 } };
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    down.set(event.pointerId, point(event));
    tap = down.size === 1 ? point(event) : null;
  });
  canvas.addEventListener('pointermove', (event) => {
    const at = point(event);
    const from = down.get(event.pointerId);
    if (from === undefined) return on.hover(event.pointerType === 'mouse' ? at : null);
    if (down.size === 1) {
      if (tap && Math.hypot(at.x - tap.x, at.y - tap.y) <= SLIP_MAX) return;
      // The first drag starts where the tap began, or the world would jump.
      const start = tap ?? from;
      tap = null;
      down.set(event.pointerId, at);
      return on.push(at.x - start.x, at.y - start.y);
    }
    const before = apart();
    down.set(event.pointerId, at);
    const after = apart();
    on.push(after.middle.x - before.middle.x, after.middle.y - before.middle.y);
    if (before.far > 0 && after.far > 0) on.zoom(after.far / before.far, after.middle);
  });
  const up = (/** @type {PointerEvent} */ event) => {
    if (!down.delete(event.pointerId)) return;
    if (event.type === 'pointerup' && tap) on.tap(tap);
    tap = null;
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('pointerleave', () => on.hover(null));
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 40 : 1;
      on.zoom(WHEEL ** (-(event.deltaY * lines) / 100), point(event));
    },
    { passive: false },
  );
  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS.get(event.key);
    if (step) on.step(step[0] * (event.shiftKey ? 16 : 1), step[1] * (event.shiftKey ? 16 : 1));
    else if (event.key === '+' || event.key === '=') on.zoom(KEY_ZOOM, null);
    else if (event.key === '-') on.zoom(1 / KEY_ZOOM, null);
    else if (['Enter', ' ', 'Escape', 'Backspace', 'Home'].includes(event.key) || /^[rmp]$/i.test(event.key))
      on.key(event.key === ' ' ? 'Enter' : event.key);
    else return;
    event.preventDefault();
  });
}
