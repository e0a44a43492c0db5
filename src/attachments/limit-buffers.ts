/** Smaller buffers are not counted. */
const MIN_COUNTED_BYTES = 2 ** 20;

/**
 * Makes large typed arrays fail once the buffers of this thread reach a limit. The heap limit of a thread does not count
 * buffers, and a small PDF can unpack to gigabytes.
 */
export function limitBuffers(maxBytes: number): void {
  const scope = globalThis as unknown as Record<string, unknown>;
  for (const type of [Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, Int32Array, Float32Array]) {
    scope[type.name] = new Proxy(type, {
      construct(target, values: [unknown], newTarget) {
        const bytes = typeof values[0] === 'number' ? values[0] * target.BYTES_PER_ELEMENT : 0;
        if (bytes >= MIN_COUNTED_BYTES && bytes + process.memoryUsage().arrayBuffers > maxBytes)
          throw new RangeError('too many buffers');
        return Reflect.construct(target, values, newTarget) as object;
      },
    });
  }
}
