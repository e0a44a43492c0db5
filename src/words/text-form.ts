/** A value as text: a text as it is, a list of plain values with commas, an object or a nested list as JSON. */
export function textForm(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (isPlainList(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Whether a value is a list without objects or lists in it. */
export function isPlainList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((one) => typeof one !== 'object');
}
