/** Returns a value as text: a string unchanged, a list of scalars joined by commas, anything nested as JSON. */
export function textForm(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  if (isPlainList(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Whether a value is a list of scalars. */
export function isPlainList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.every((one) => typeof one !== 'object');
}
