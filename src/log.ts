/** Writes one JSON line per event to stderr. Details never contain tokens, records or search words. */
export type Log = (event: string, details?: Record<string, unknown>) => void;

export function createLog(write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  return (event, details = {}) =>
    write(`${JSON.stringify({ at: new Date().toISOString(), event, ...details })}\n`);
}
