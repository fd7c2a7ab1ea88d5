// The rules of a game in WebAssembly (docs/wasm.md), in a page or in Node.js.

const PAGE = 65_536;
const ALIGNED = 16;

/** @import { Description, RecordField } from '../types.js' */

/** The functions of a module.
 * @typedef {Record<string, (...numbers: number[]) => number>} Calls */
/** A record in the module's memory.
 * @typedef {{ at: number, bytes: Uint8Array<ArrayBuffer> }} Place */

/** @param {DataView} view @param {string} type @param {number} at */
function numberAt(view, type, at) {
  if (type === 'int8') return view.getInt8(at);
  if (type === 'int16') return view.getInt16(at, true);
  if (type === 'float64') return view.getFloat64(at, true);
  return type === 'int32' ? view.getInt32(at, true) : view.getUint32(at, true);
}

export class Rules {
  /** @param {WebAssembly.Memory} memory @param {Description} shape
   * @param {Calls} calls */
  constructor(memory, shape, calls) {
    this.memory = memory;
    this.shape = shape;
    this.calls = calls;
    this.next = shape.free;
    const { actions, seats } = shape;
    this.ids = new Int16Array(memory.buffer, this.take(2 * actions.length + 2), actions.length + 1);
    this.scores = new Float64Array(memory.buffer, this.take(8 * seats), seats);
  }

  /** Compile a module, with memory for `records` records.
   * @param {BufferSource} code @param {Description} shape the description beside it */
  static async load(code, shape, records = 8) {
    const { free, size, source, desk, actions, seats } = shape;
    const few = free + 2 * actions.length + 8 * seats + desk;
    const bytes = few + records * (size + source + 2 * ALIGNED) + PAGE;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE) });
    const env = {
      __linear_memory: memory,
      __stack_pointer: new WebAssembly.Global({ value: 'i32', mutable: true }, free),
      __indirect_function_table: new WebAssembly.Table({ initial: 1, element: 'anyfunc' }),
    };
    const { instance } = await WebAssembly.instantiate(code, { env });
    const calls = /** @type {Calls} */ (instance.exports);
    return new Rules(memory, shape, calls);
  }

  /** Take memory that nothing else uses. @param {number} size in bytes */
  take(size) {
    const at = Math.ceil(this.next / ALIGNED) * ALIGNED;
    this.next = at + size;
    if (this.next > this.memory.buffer.byteLength) throw new RangeError('no memory is left');
    return at;
  }

  /** A place for a state, for a source of random numbers, or for a search.
   * @param {'size' | 'source' | 'desk'} kind @returns {Place} */
  place(kind = 'size') {
    const at = this.take(this.shape[kind]);
    return { at, bytes: new Uint8Array(this.memory.buffer, at, this.shape[kind]) };
  }

  /** The first seat that may act, or -1. @param {Place} state */
  acting(state) {
    const waiting = this.number(state, 'to_act');
    return 31 - Math.clz32(waiting & -waiting);
  }

  /** @param {Place} state @param {number} seat */
  mayAct(state, seat) {
    return ((this.number(state, 'to_act') >> seat) & 1) === 1;
  }

  /** @param {string} name @param {RecordField[]} [fields] those of a state or of a desk */
  field(name, fields = this.shape.fields) {
    const field = fields.find((one) => one.name === name);
    if (!field) throw new RangeError(`there is no field ${name}`);
    return field;
  }

  /** Where the numbers of a field begin and end in a state, in bytes.
   * @param {RecordField} field @returns {[number, number]} */
  extent({ offset, type, shape, strides }) {
    const last = shape.reduce((at, length, axis) => at + (length - 1) * strides[axis], offset);
    return [offset, last + Number(type.replace(/\D/g, '')) / 8];
  }

  /** Set the key of a state's random numbers. @param {Place} state @param {Uint8Array} key */
  setKey(state, key) {
    state.bytes.set(key, this.field('chance.key').offset);
  }

  /** Start a source of random numbers from a key. @param {Place} source @param {Uint32Array} key */
  start(source, key) {
    const at = (/** @type {string} */ name) => this.field(name).offset - begin;
    const begin = this.field('chance.key').offset;
    source.bytes.fill(0);
    source.bytes.set(new Uint8Array(key.buffer, key.byteOffset, key.byteLength), at('chance.key'));
    source.bytes[at('chance.spent')] = this.field('chance.words').shape[0];
  }

  /** The number of a field. @param {Place} state @param {string} name */
  number(state, name) {
    const field = this.field(name);
    return numberAt(new DataView(state.bytes.buffer, state.at), field.type, field.offset);
  }

  /** The numbers of a field, row by row. @param {Place} state @param {string} name
   * @param {RecordField[]} [fields] those of a state or of a desk */
  numbers(state, name, fields) {
    const { offset, type, shape, strides } = this.field(name, fields);
    const view = new DataView(state.bytes.buffer, state.at);
    let places = [offset];
    for (const [axis, length] of shape.entries()) {
      const row = Array.from({ length }, (_, index) => index * strides[axis]);
      places = places.flatMap((at) => row.map((step) => at + step));
    }
    return places.map((at) => numberAt(view, type, at));
  }

  /** Write whole numbers of 16 bits into a field, from its beginning.
   * @param {Place} state @param {string} name @param {number[]} values
   * @param {RecordField[]} [fields] those of a state or of a desk */
  write(state, name, values, fields) {
    const { offset } = this.field(name, fields);
    new Int16Array(state.bytes.buffer, state.at + offset, values.length).set(values);
  }

  /** @param {Place} state */
  deal(state) {
    this.calls.deal(state.at);
  }

  /** The ids of the actions that a seat may take. @param {Place} state @param {number} seat */
  legalActions(state, seat) {
    const count = this.calls.legal_actions(state.at, seat, this.ids.byteOffset, this.ids.length);
    return this.ids.slice(0, count);
  }

  /** @param {Place} state @param {number} seat @param {number} action */
  apply(state, seat, action) {
    this.calls.apply(state.at, seat, action);
  }

  /** Leave in a state only what a viewer may know. @param {Place} state @param {number} viewer
   * @param {number} [recall] */
  conceal(state, viewer, recall = 0) {
    this.calls.conceal(state.at, viewer, recall);
  }

  /** Fill a concealed state with cards that its viewer holds possible.
   * @param {Place} state @param {number} seat @param {Place} source random numbers */
  resample(state, seat, source) {
    this.calls.resample(state.at, seat, source.at);
  }

  /** The score of each seat. @param {Place} state */
  returns(state) {
    this.scores.fill(0);
    this.calls.returns(state.at, this.scores.byteOffset, this.scores.length);
    return this.scores.slice();
  }

  /** The move of the greedy bot, given a concealed state.
   * @param {Place} state @param {number} seat */
  greedy(state, seat) {
    const count = this.calls.greedy(state.at, seat, this.ids.byteOffset, this.ids.length);
    return this.ids.slice(0, count);
  }
}
