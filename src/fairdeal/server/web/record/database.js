// Where this browser keeps the records of tables: IndexedDB. A browser that refuses it keeps them
// in the memory of the page, until that is closed.

const NAME = 'fairdeal records';
/** Number of characters of all records, beyond which the oldest of finished games are deleted. */
const MOST = 64 << 20;

/** An entry of a record as it is stored: a line of JSON.
 * @typedef {{ key?: number, table: string, line: string }} Stored
 * @typedef {{ table: string, at: number, size: number, isOver: boolean }} About a record
 * @typedef {{ hash: string, nonce: string, promise: string }} Made a number for a deal whose table
 *   is not known yet */

/** The answer to a request. @template Value @param {IDBRequest<Value>} request
 * @returns {Promise<Value>} */
const answer = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** The end of a transaction. @param {IDBTransaction} transaction @returns {Promise<void>} */
const end = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });

/** The records in IndexedDB. */
class Database {
  /** @param {IDBDatabase} database */
  constructor(database) {
    this.database = database;
  }

  static async open() {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      const { result } = request;
      result
        .createObjectStore('entries', { keyPath: 'key', autoIncrement: true })
        .createIndex('table', 'table');
      result.createObjectStore('tables', { keyPath: 'table' });
      result.createObjectStore('numbers', { keyPath: 'hash' });
    };
    return new Database(await answer(request));
  }

  /** @param {string[]} names @param {IDBTransactionMode} [mode] */
  begin(names, mode = 'readonly') {
    return this.database.transaction(names, mode);
  }

  /** The entries of a table after a key, and the last key. @param {string} table
   * @param {number} after @returns {Promise<Stored[]>} */
  async read(table, after) {
    const index = this.begin(['entries']).objectStore('entries').index('table');
    /** @type {Stored[]} */ const found = [];
    if (after === 0) return answer(index.getAll(table));
    const keys = await answer(index.getAllKeys(table));
    if (keys.every((key) => Number(key) <= after)) return found;
    return (await this.read(table, 0)).filter(({ key = 0 }) => key > after);
  }

  /** Add entries to a record. @param {string} table @param {string[]} lines
   * @param {{ at: number, isOver: boolean }} about @returns {Promise<number>} the last key */
  async append(table, lines, { at, isOver }) {
    const transaction = this.begin(['entries', 'tables'], 'readwrite');
    const entries = transaction.objectStore('entries');
    const tables = transaction.objectStore('tables');
    const keys = lines.map((line) => answer(entries.add({ table, line })));
    /** @type {About | undefined} */ const old = await answer(tables.get(table));
    const size = (old?.size ?? 0) + lines.join('').length;
    tables.put({ table, at, size, isOver: isOver || Boolean(old?.isOver) });
    await end(transaction);
    return Number(await keys.at(-1));
  }

  /** The facts about each record. @returns {Promise<About[]>} */
  tables() {
    return answer(this.begin(['tables']).objectStore('tables').getAll());
  }

  /** Delete the record of a table. @param {string} table */
  async remove(table) {
    const transaction = this.begin(['entries', 'tables'], 'readwrite');
    transaction.objectStore('tables').delete(table);
    const entries = transaction.objectStore('entries');
    for (const key of await answer(entries.index('table').getAllKeys(table))) entries.delete(key);
    await end(transaction);
  }

  /** @param {string} hash @returns {Promise<Made | undefined>} */
  number(hash) {
    return answer(this.begin(['numbers']).objectStore('numbers').get(hash));
  }

  /** @param {Made} made */
  async keepNumber(made) {
    const transaction = this.begin(['numbers'], 'readwrite');
    transaction.objectStore('numbers').put(made);
    await end(transaction);
  }

  /** @param {string} hash */
  async removeNumber(hash) {
    const transaction = this.begin(['numbers'], 'readwrite');
    transaction.objectStore('numbers').delete(hash);
    await end(transaction);
  }
}

/** The records in the memory of the page. */
export class Memory {
  constructor() {
    /** @type {Stored[]} */ this.entries = [];
    /** @type {Map<string, About>} */ this.about = new Map();
    /** @type {Map<string, Made>} */ this.numbers = new Map();
  }

  /** @param {string} table @param {number} after */
  async read(table, after) {
    return this.entries.filter((one) => one.table === table && Number(one.key) > after);
  }

  /** @param {string} table @param {string[]} lines
   * @param {{ at: number, isOver: boolean }} about */
  async append(table, lines, { at, isOver }) {
    for (const line of lines) this.entries.push({ key: this.entries.length + 1, table, line });
    const old = this.about.get(table);
    const size = (old?.size ?? 0) + lines.join('').length;
    this.about.set(table, { table, at, size, isOver: isOver || Boolean(old?.isOver) });
    return this.entries.length;
  }

  async tables() {
    return [...this.about.values()];
  }

  /** @param {string} table */
  async remove(table) {
    this.about.delete(table);
    this.entries = this.entries.map((one) => (one.table === table ? { ...one, table: '' } : one));
  }

  /** @param {string} hash */
  async number(hash) {
    return this.numbers.get(hash);
  }

  /** @param {Made} made */
  async keepNumber(made) {
    this.numbers.set(made.hash, made);
  }

  /** @param {string} hash */
  async removeNumber(hash) {
    this.numbers.delete(hash);
  }
}

/** Time after which a database that does not answer counts as missing, in milliseconds. */
const PATIENCE = 2000;

/** @returns {Promise<never>} */
const late = () =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error('the database does not answer')), PATIENCE);
  });

/** @type {Promise<Database | Memory> | undefined} */ let opened;

/** The database, or the memory of this page if the browser has none.
 * @returns {Promise<Database | Memory>} */
export const database = () =>
  (opened ??= Promise.race([Database.open(), late()]).catch(() => new Memory()));

/** Delete the oldest records of finished games if there is too much. */
export async function prune() {
  const base = await database();
  const tables = (await base.tables()).sort((one, other) => one.at - other.at);
  let size = tables.reduce((sum, one) => sum + one.size, 0);
  for (const one of tables.filter(({ isOver }) => isOver)) {
    if (size <= MOST) return;
    await base.remove(one.table);
    size -= one.size;
  }
}

/** Delete all records. */
export async function forgetRecords() {
  const base = await database();
  opened = undefined;
  if (!(base instanceof Database)) return;
  base.database.close();
  await answer(indexedDB.deleteDatabase(NAME));
}
