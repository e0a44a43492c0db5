import { isUtf8 } from 'node:buffer';

/** Meta writes each byte of UTF-8 as a character of its own; this puts them together again. Other text stays. */
export function repairMojibake(text: string): string {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** The same for every text inside a value, keys too. */
export function repairMojibakeInside(value: unknown): unknown {
  if (typeof value === 'string') return repairMojibake(value);
  if (Array.isArray(value)) return value.map(repairMojibakeInside);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [repairMojibake(key), repairMojibakeInside(inner)]),
  );
}
