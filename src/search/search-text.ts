/** What of a field's value is searched, for the index as for ranking and snippets. */
export function searchText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(' \n ');
  return typeof value === 'number' ? String(value) : '';
}
