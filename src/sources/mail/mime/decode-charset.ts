const decoders = new Map<string, InstanceType<typeof TextDecoder> | undefined>();
/** Labels are the mails' own words, so no more of them are kept than there are encodings. */
const MOST_LABELS = 300;

/** Text in the encoding that a mail names, or undefined where that is none the platform knows by this name. */
export function decodeCharset(bytes: Buffer, label: string | undefined): string | undefined {
  const name = (label || 'utf-8').trim().toLowerCase();
  if (!decoders.has(name)) {
    if (decoders.size >= MOST_LABELS) return undefined;
    decoders.set(name, createDecoder(name));
  }
  return decoders.get(name)?.decode(bytes);
}

function createDecoder(name: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(name);
  } catch {
    return undefined;
  }
}
