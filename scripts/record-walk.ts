import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entry } from './count-rooms.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PLACES = ['src/', 'dashboard/'].map((place) => new URL(`../${place}`, import.meta.url).href);

/** What the breakpoints call; no source of ours has such a name. */
const NOTE = '__noteFile';

/** Writes down which files of ours a piece of work enters, in the order of their first entry, and who calls them. */
export type RecordWalk = (work: () => Promise<unknown>) => Promise<Entry[]>;

/**
 * Makes ready to record. Every place at which V8 could stop gets a breakpoint whose condition notes the file and is
 * false: nothing stops and no source is changed, and unlike coverage it tells the order and the callers.
 */
export async function prepareWalks(): Promise<RecordWalk> {
  // A request goes through many functions of libraries before it comes to the next one of ours.
  Error.stackTraceLimit = 300;
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
    const entered = new Map<string, Entry>();
    const note = (file: string) => {
      if (!entered.has(file)) entered.set(file, { file, callers: listCallers(file) });
    };
    Object.assign(globalThis, { [NOTE]: note });
    await work();
    return [...entered.values()];
  };
}

/** The files of ours on the stack, awaiting ones included, but for the file itself. */
function listCallers(file: string): string[] {
  const frames = (new Error().stack ?? '').split('\n').map((line) => line.replace('file://', ''));
  const files = frames.map((line) => /\/((?:src|dashboard)\/[^:?)]+\.tsx?)/.exec(line));
  const ours = files.flatMap((found) =>
    found?.input.includes(`${ROOT}${found[1]}`) ? [found[1] as string] : [],
  );
  return [...new Set(ours)].filter((one) => one !== file);
}
