import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PLACES = ['src/', 'dashboard/'].map((place) => new URL(`../${place}`, import.meta.url).href);

/** What the breakpoints call; no source of ours has such a name. */
const NOTE = '__noteFile';

/** Writes down which files of ours a piece of work enters, in the order of their first entry. */
export type RecordWalk = (work: () => Promise<unknown>) => Promise<string[]>;

/**
 * Makes ready to record. Every place at which V8 could stop gets a breakpoint whose condition notes the file and is
 * false: nothing stops and no source is changed, and unlike coverage it tells the order.
 */
export async function prepareWalks(): Promise<RecordWalk> {
  const session = new Session();
  session.connect();
  const scripts = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => {
    if (PLACES.some((place) => url.startsWith(place)))
      scripts.set(scriptId, relative(ROOT, fileURLToPath(url)));
  });
  await session.post('Debugger.enable');
  for (const [scriptId, file] of scripts) {
    const condition = `${NOTE}(${JSON.stringify(file)})`;
    const start = { scriptId, lineNumber: 0, columnNumber: 0 };
    const { locations } = await session.post('Debugger.getPossibleBreakpoints', { start });
    for (const location of locations) await session.post('Debugger.setBreakpoint', { location, condition });
  }
  return async (work) => {
    const entered = new Set<string>();
    Object.assign(globalThis, { [NOTE]: (file: string) => void entered.add(file) });
    await work();
    return [...entered];
  };
}
