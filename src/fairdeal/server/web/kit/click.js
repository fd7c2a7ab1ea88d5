// The click that a browser adds after a finger or a mouse button is lifted.

/** Ignore the click that follows the end of a drag or of a long press. A busy browser may send it
 * late, so wait for it until the next press or key. */
export function ignoreClick() {
  const waiting = new AbortController();
  const more = { capture: true, signal: waiting.signal };
  const stop = () => waiting.abort();
  addEventListener('pointerdown', stop, more);
  addEventListener('keydown', stop, more);
  addEventListener(
    'click',
    (event) => {
      event.stopPropagation();
      event.preventDefault();
      stop();
    },
    more,
  );
}
