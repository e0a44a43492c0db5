/** Without what is not there: a field that an export leaves empty is absent and not null. */
export function dropEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const isEmpty =
      value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
    if (!isEmpty && name !== '__proto__') filled[name] = value;
  }
  return filled;
}
