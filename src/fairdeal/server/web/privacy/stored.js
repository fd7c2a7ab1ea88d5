// The data that this browser stores for the room, under names that begin with `fairdeal`. A browser
// may refuse to store anything, or have no room left: then it is kept in the memory of the page,
// until that is closed, and pages say so.

/** The first word of all names. */
const OURS = 'fairdeal ';

/** A storage of the browser, backed by the memory of the page. */
class Stored {
  /** @param {() => Storage} storage which may be missing, or throw */
  constructor(storage) {
    this.storage = storage;
    /** The values that this page stored, and those that the storage had afterwards.
     * @type {Map<string, { text: string, after: string | null }>} */
    this.own = new Map();
  }

  /** Use the storage, if it works. @template Value @param {(storage: Storage) => Value} use
   * @param {Value} otherwise */
  with(use, otherwise) {
    try {
      return use(this.storage());
    } catch {
      return otherwise;
    }
  }

  /** The text under a name. What another tab has put there since counts, but not that it is gone.
   * @param {string} name @returns {string | null} */
  get(name) {
    const found = this.with((storage) => storage.getItem(name), null);
    const own = this.own.get(name);
    return own && (found === null || found === own.after) ? own.text : found;
  }

  /** Put a text under a name. @param {string} name @param {string} text
   * @returns {boolean} whether the browser has stored it */
  set(name, text) {
    const isStored = this.with((storage) => {
      storage.setItem(name, text);
      return storage.getItem(name) === text;
    }, false);
    const after = isStored ? text : this.with((storage) => storage.getItem(name), null);
    this.own.set(name, { text, after });
    return isStored;
  }

  /** The object under a name, stored as JSON, with these fields at least.
   * @template {object} Fields @param {string} name @param {Fields} fields @returns {Fields} */
  read(name, fields) {
    try {
      return { ...fields, ...JSON.parse(this.get(name) ?? '{}') };
    } catch {
      return fields;
    }
  }

  /** Put an object under a name, as JSON. @param {string} name @param {object} value */
  write(name, value) {
    this.set(name, JSON.stringify(value));
  }

  /** Has the browser itself something under a name? @param {string} name */
  isStored(name) {
    return this.with((storage) => storage.getItem(name) !== null, false);
  }

  /** Does the browser store all that this page has put there? */
  get isComplete() {
    return [...this.own.values()].every(({ text, after }) => text === after);
  }

  /** @param {string} name */
  remove(name) {
    this.own.delete(name);
    this.with((storage) => storage.removeItem(name), undefined);
  }

  /** All names that begin so. @param {string} [start] */
  names(start = OURS) {
    const names = [...this.own.keys(), ...this.with((storage) => Object.keys(storage), [])];
    return [...new Set(names)].filter((name) => name.startsWith(start));
  }
}

/** The storage that outlives the page, and the one that lasts until the tab is closed. */
export const lasting = new Stored(() => localStorage);
export const ofTab = new Stored(() => sessionStorage);

/** Delete all of it. */
export function forgetHere() {
  for (const stored of [lasting, ofTab]) stored.names().forEach((name) => stored.remove(name));
}

const PROBE = `${OURS}probe`;

/** A sentence about what this browser does not store, or an empty string. */
export function forgetful() {
  const isStored = lasting.set(PROBE, 'x'.repeat(64));
  lasting.remove(PROBE);
  return isStored && lasting.isComplete
    ? ''
    : 'This browser does not store anything more for this page. When the page is closed or loaded ' +
        'again, your settings and the records that check your deals are lost.';
}

/** A sentence about what the room does not know without a cookie. */
export const unknown = () =>
  navigator.cookieEnabled
    ? ''
    : 'This browser refuses cookies, so the room does not recognise you: you can look around and ' +
      'watch, but not take a seat.';

/** The lobby with only the last finished games of the guest. */
export const GAMES = 'fairdeal games';

const NOTES = 'fairdeal notes';

/** The notes on rules that were read here, by game, and the games that want no more.
 * @typedef {{ read: Record<string, string[]>, off: string[] }} Notes */

/** @returns {Notes} */
const notes = () => lasting.read(NOTES, { read: {}, off: [] });

/** @param {Notes} now */
const save = (now) => lasting.write(NOTES, now);

/** Is this note to be told still? @param {string} game @param {string} id */
export const isNoteNew = (game, id) =>
  !notes().off.includes(game) && !notes().read[game]?.includes(id);

/** A note was read. @param {string} game @param {string} id */
export function noteRead(game, id) {
  const { read, off } = notes();
  save({ read: { ...read, [game]: [...new Set([...(read[game] ?? []), id])] }, off });
}

/** This game tells no more notes. @param {string} game */
export function noMoreNotes(game) {
  const { read, off } = notes();
  save({ read, off: [...new Set([...off, game])] });
}

/** Forget which notes of a game were read: they come again. @param {string} game */
export function notesAgain(game) {
  const { read, off } = notes();
  save({ read: { ...read, [game]: [] }, off: off.filter((one) => one !== game) });
}
