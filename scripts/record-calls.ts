import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Entry } from './count-modules.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDERS = ['src/', 'dashboard/'].map((folder) => new URL(`../${folder}`, import.meta.url).href);

/** The global function that the breakpoints call. */
const NOTE = '__noteFile';

/** Records which of our files some work enters, in the order of their first entry, and their callers. */
export type RecordCalls = (work: () => Promise<unknown>) => Promise<Entry[]>;

/**
 * Sets a breakpoint at every possible location. Its condition records the file and is false, so nothing stops. Unlike
 * coverage, this gives the order and the callers.
 */
export async function prepareRecording(): Promise<RecordCalls> {
  // Many library functions lie between two of our own.
  Error.stackTraceLimit = 300;
  const session = new Session();
  session.connect();
  const scripts = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => {
    if (FOLDERS.some((folder) => url.startsWith(folder)))
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

/** Lists our files on the stack, including awaiting ones, without the file itself. */
function listCallers(file: string): string[] {
  const frames = (new Error().stack ?? '').split('\n').map((line) => line.replace('file://', ''));
  const files = frames.map((line) => /\/((?:src|dashboard)\/[^:?)]+\.tsx?)/.exec(line));
  const ours = files.flatMap((found) =>
    found?.input.includes(`${ROOT}${found[1]}`) ? [found[1] as string] : [],
  );
  return [...new Set(ours)].filter((one) => one !== file);
}
