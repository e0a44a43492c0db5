/** A whole number as a person reads it: 20,001. The platform's own way loads what it knows of languages first. */
export function showCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** A size as a person reads it. */
export function showBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

/** A moment as the command line writes it, in UTC and to the minute: `2026-11-17 13:17`. */
export function showMinute(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}
