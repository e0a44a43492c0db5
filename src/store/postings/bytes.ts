/** A growing list of bytes. Numbers are written as varints: seven bits a byte, the lowest first. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(4_096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  /** Writes a whole number from 0 to 2^53. */
  number(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest % 128) + 128;
      rest = rest < 2 ** 31 ? rest >>> 7 : Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes the bytes of a list between two offsets. */
  bytes(from: Uint8Array, start = 0, end = from.length): void {
    if (this.#length + end - start > this.#bytes.length) this.#grow(end - start);
    if (end - start > 16) this.#bytes.set(from.subarray(start, end), this.#length);
    else for (let at = start; at < end; at++) this.#bytes[this.#length + at - start] = from[at] as number;
    this.#length += end - start;
  }

  /** Returns a copy of what was written. */
  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  /** Returns what was written, valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(by: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + by));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Reads what a ByteWriter wrote. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
  }

  number(): number {
    let byte = this.bytes[this.at++] as number;
    if (byte < 128) return byte;
    let value = byte - 128;
    let shift = 7;
    do {
      byte = this.bytes[this.at++] as number;
      // Bit operations work on 32 bits.
      value = shift < 28 ? value | ((byte & 127) << shift) : value + (byte & 127) * 2 ** shift;
      shift += 7;
    } while (byte >= 128);
    return value;
  }
}
