import { GGUFError } from "./errors.js";

const MOST = 2 ** 24; // the limit of a Map in V8

/**
 * Throw `GGUFError` if there are more items than a Map can hold.
 *
 * @param {number} count
 * @param {string} name of the items
 */
export function checkCount(count, name) {
  if (count > MOST) throw new GGUFError(`the file has ${count} ${name}: this package reads ${MOST} at most`);
}

/**
 * A read-only Map in file order. Items are created on first access, and kept.
 *
 * @template V
 * @implements {ReadonlyMap<string, V>}
 */
export class Mapping {
  /**
   * @param {Map<string, number>} numbers the number of each item by its name
   * @param {(number: number, name: string) => V} make
   */
  constructor(numbers, make) {
    this._numbers = numbers;
    this._make = make;
    /** @type {Map<number, V>} */
    this._made = new Map();
  }

  get size() {
    return this._numbers.size;
  }

  /** @param {string} name */
  has(name) {
    return this._numbers.has(name);
  }

  /**
   * Return the item with this name, or undefined.
   *
   * @param {string} name
   * @returns {V | undefined}
   */
  get(name) {
    const number = this._numbers.get(name);
    return number === undefined ? undefined : this._item(number, name);
  }

  keys() {
    return this._numbers.keys();
  }

  /** @returns {MapIterator<V>} */
  *values() {
    for (const [, value] of this) yield value;
    return undefined;
  }

  entries() {
    return this[Symbol.iterator]();
  }

  /** @returns {MapIterator<[string, V]>} */
  *[Symbol.iterator]() {
    for (const [name, number] of this._numbers) yield [name, this._item(number, name)];
    return undefined;
  }

  /**
   * @param {(value: V, name: string, map: ReadonlyMap<string, V>) => void} callback
   * @param {unknown} [thisArgument]
   */
  forEach(callback, thisArgument) {
    for (const [name, value] of this) callback.call(thisArgument, value, name, this);
  }

  get [Symbol.toStringTag]() {
    return this.constructor.name;
  }

  /**
   * @param {number} number
   * @param {string} name
   */
  _item(number, name) {
    let item = this._made.get(number);
    if (item === undefined) {
      item = this._make(number, name);
      this._made.set(number, item);
    }
    return item;
  }
}
