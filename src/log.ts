/** One JSON line per event, on stderr. Never a token, a record body or a query word. */
export type Log = (event: string, details?: Record<string, unknown>) => void;

export function createLog(write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  return (event, details = {}) =>
    write(`${JSON.stringify({ at: new Date().toISOString(), event, ...details })}\n`);
}
