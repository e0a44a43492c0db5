interface ProtobufField {
  readonly number: number;
  readonly value: Buffer | number;
}

const VARINT = 0;
const FIXED_64 = 1;
const BYTES = 2;
const FIXED_32 = 5;

/** Reads the fields of one message. Stops at truncated or unknown data. */
export function* readProtobuf(bytes: Buffer): Generator<ProtobufField> {
  let at = 0;
  const readVarint = (): number | undefined => {
    let value = 0;
    for (let shift = 0; shift < 10 && at < bytes.length; shift++) {
      const byte = bytes[at++] as number;
      value += (byte & 0x7f) * 2 ** (7 * shift);
      if (byte < 0x80) return value;
    }
    return undefined;
  };
  while (at < bytes.length) {
    const tag = readVarint();
    if (tag === undefined) return;
    const [number, kind] = [Math.floor(tag / 8), tag % 8];
    const value = kind === VARINT || kind === BYTES ? readVarint() : fixedBytes(kind);
    if (value === undefined) return;
    if (kind === VARINT) {
      yield { number, value };
      continue;
    }
    if (at + value > bytes.length) return;
    yield { number, value: bytes.subarray(at, at + value) };
    at += value;
  }
}

const fixedBytes = (kind: number) => (kind === FIXED_64 ? 8 : kind === FIXED_32 ? 4 : undefined);

/** Returns the first message or text at a path of field numbers. */
export function findProtobuf(bytes: Buffer, ...path: readonly number[]): Buffer | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return bytes;
  for (const { number, value } of readProtobuf(bytes))
    if (number === first && typeof value !== 'number') return findProtobuf(value, ...rest);
  return undefined;
}
