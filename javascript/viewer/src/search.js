// Searches values for text in any case, a few milliseconds at a time, so that the page stays responsive.

import { StringArray, encode } from "../../index.js";
import { lastWhere } from "../../src/fields.js";
import { describeNumber, elementTypeOf } from "./values.js";

const SLICE = 10; // milliseconds between pauses
const FEW = 64; // elements between looks at the clock
const CHUNK = 1 << 20; // bytes decoded at once
const NUMERIC = /^[-+.0-9aefilnrstu]*$/; // the characters of numbers, "nan", "inf", "true" and "false"

/** One search, which runs until it is cancelled. */
export class Search {
  /**
   * @param {string} words
   * @param {() => void} [paused] called before each pause
   */
  constructor(words, paused = () => {}) {
    this.words = words.toLowerCase();
    this.paused = paused;
    this.isCancelled = false;
    this.resumed = performance.now();
  }

  /** Let the page do other work, if it has waited long enough. */
  async pause() {
    if (performance.now() - this.resumed > SLICE) {
      this.paused();
      await new Promise((resolve) => setTimeout(resolve));
      this.resumed = performance.now();
    }
  }

  /**
   * Return whether a value contains the words, if it is not an array.
   *
   * @param {any} value
   * @param {string} type
   */
  isIn(value, type) {
    const text = typeof value === "string" ? value : NUMERIC.test(this.words) ? describeNumber(value, type) : "";
    return text.toLowerCase().includes(this.words);
  }

  /**
   * Return the index of the next element of an array that contains the words; -1 if none does.
   *
   * @param {any} values
   * @param {string} type of the elements
   * @param {number} [first] where to start; elements before it come last
   * @returns {Promise<number>}
   */
  async find(values, type, first = 0) {
    if (type !== "string" && type !== "array" && !NUMERIC.test(this.words)) {
      return -1;
    }
    if (values instanceof StringArray && !hasOtherLetters(this.words)) {
      const found = await this.findBytes(values, first, values.length);
      return found >= 0 ? found : this.findBytes(values, 0, first);
    }
    for (let i = 0; i < values.length; i += 1) {
      const index = (first + i) % values.length;
      const element = values.at(index);
      const isThere =
        typeof element === "object"
          ? (await this.find(element, elementTypeOf(element, type))) >= 0
          : this.isIn(element, type);
      if (isThere) {
        return index;
      }
      if (i % FEW === FEW - 1) {
        await this.pause();
        if (this.isCancelled) {
          return -1;
        }
      }
    }
    return -1;
  }

  /**
   * Return the index of the first of some strings that contains the words; -1 if none does. All bytes are searched
   * together, which takes a tenth of the time that decoding each string takes.
   *
   * @param {StringArray} strings
   * @param {number} start
   * @param {number} end
   */
  async findBytes(strings, start, end) {
    if (start >= end) {
      return -1;
    }
    /** @param {number} index */
    const bytesAt = (index) => /** @type {Uint8Array} */ (strings.bytesAt(index));
    const wanted = asText(encode(this.words));
    const last = bytesAt(end - 1);
    const stop = last.byteOffset + last.length;
    for (let place = bytesAt(start).byteOffset; place < stop; place += CHUNK) {
      const size = Math.min(CHUNK + wanted.length - 1, stop - place);
      const text = asText(new Uint8Array(last.buffer, place, size));
      for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
        const index = lastWhere(start, end, (i) => bytesAt(i).byteOffset <= place + at);
        if (this.isIn(strings.at(index), "string")) {
          return index;
        }
        await this.pause(); // the length of a string looked like the words
        if (this.isCancelled) {
          return -1;
        }
      }
      await this.pause();
      if (this.isCancelled) {
        return -1;
      }
    }
    return -1;
  }
}

const decoder = new TextDecoder("latin1"); // a character for each byte

/** @param {Uint8Array} bytes */
function asText(bytes) {
  return decoder.decode(bytes).toLowerCase();
}

/**
 * Return whether some letters have other bytes in upper case, apart from those of ASCII.
 *
 * @param {string} words in lower case
 */
function hasOtherLetters(words) {
  return [...words].some((char) => char > "\x7f" && char.toUpperCase() !== char);
}
