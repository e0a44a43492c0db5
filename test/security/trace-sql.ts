import Database from 'better-sqlite3';

type Run = (this: Database.Statement, ...parameters: unknown[]) => unknown;

/** Every statement that is run from now on, on whatever connection, until it is stopped. */
export function traceSql(): { take(): string[]; stop(): void } {
  const probe = new Database(':memory:');
  const prototype = Object.getPrototypeOf(probe.prepare('select 1')) as Record<string, Run>;
  probe.close();
  let seen: string[] = [];
  const originals = ['all', 'get', 'run', 'iterate'].map((name) => {
    const original = prototype[name] as Run;
    prototype[name] = function (...parameters) {
      seen.push(this.source);
      return original.apply(this, parameters);
    };
    return [name, original] as const;
  });
  return {
    take() {
      const taken = seen;
      seen = [];
      return taken;
    },
    stop() {
      for (const [name, original] of originals) prototype[name] = original;
    },
  };
}
