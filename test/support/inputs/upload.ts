import type { JobView } from '../../../src/import/service/upload-job.ts';
import type { Browser, Page } from '../browser.ts';
import { ORIGIN } from '../world.ts';

export interface FileToSend {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** The value that forms in this browser carry. */
async function readCsrf(owner: Browser): Promise<string> {
  const { text } = await owner.open('/dashboard/data');
  return /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
}

/** Sends files as the form of the data page does; gives the answer as it is. */
export async function sendFiles(
  owner: Browser,
  files: readonly FileToSend[],
  change: { csrf?: string; type?: string | undefined; sender?: Record<string, string> } = {},
): Promise<Page> {
  const form = new FormData();
  form.append('csrf', change.csrf ?? (await readCsrf(owner)));
  for (const { name, content } of files)
    form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), name);
  const packed = new Response(form);
  return owner.send('/dashboard/imports', {
    method: 'POST',
    body: await packed.arrayBuffer(),
    headers: {
      'content-type': change.type ?? packed.headers.get('content-type') ?? '',
      ...(change.sender ?? { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }),
    },
  });
}

/** Sends a form of one of the pages. */
export async function post(
  owner: Browser,
  path: string,
  fields: Record<string, string> = {},
  origin = ORIGIN,
): Promise<Page> {
  return owner.send(path, {
    method: 'POST',
    body: new URLSearchParams({ csrf: await readCsrf(owner), ...fields }).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin,
      'sec-fetch-site': 'same-origin',
    },
  });
}

/** The twin of an upload's page, once it has come to one of these states. The first upload waits for all formats to be loaded. */
export async function waitForJob(owner: Browser, path: string, ...states: string[]): Promise<JobView> {
  for (let tries = 0; tries < 2_400; tries += 1) {
    const view = JSON.parse((await owner.open(`${path}.json`)).text);
    if (states.includes(view.state)) return view;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`never became ${states.join(' or ')}`);
}
