/** Replaces files.js, which needs Node.js, in browsers. */
export class FileSource {
  /**
   * @param {string | URL} path
   * @param {(count: number) => void} _count
   * @returns {Promise<import("./sources.js").Source>}
   */
  static async open(path, _count) {
    throw new TypeError(`a browser can't open ${path}: give open() a File, a Blob or a URL`);
  }
}
