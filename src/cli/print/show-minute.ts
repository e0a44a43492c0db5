/** A moment as the command line writes it, in UTC and to the minute: `2026-11-17 13:17`. */
export function showMinute(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}
