/** A whole number as a person reads it: 20,001. The platform's own way loads what it knows of languages first. */
export function showCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
