// The room's time. The clock of a device may be wrong or be set while a page is open, so no page
// reads it: the room sends its time, and the monotonic clock of the browser says how long ago.

/** The difference between the clock of the room and the monotonic clock, in seconds. Until the room
 * has sent its time, this is the time at which the page was loaded, which nothing is shown by. */
let ahead = performance.timeOrigin / 1000;

/** Seconds that pass even if the clock of the device is set. */
export const seconds = () => performance.now() / 1000;

/** The room's Unix time. */
export const roomTime = () => seconds() + ahead;

/** The room has sent its time, which is now up to `took` later: what agrees with this is kept,
 * otherwise the middle is taken.
 * @param {number | undefined} sent the room's Unix time, if it sent one
 * @param {number} [took] how long a request and its answer took, in seconds */
export function learnTime(sent, took = 0) {
  if (!sent) return;
  const later = roomTime() - sent;
  if (later < 0 || later > took) ahead += took / 2 - later;
}
