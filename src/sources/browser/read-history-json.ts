import type { InputFile, Yielded } from '../../import/importer.ts';
import { hashKey } from '../../import/read/hash-key.ts';
import { readJsonElements } from '../../import/read/read-json.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import { isObject, readText } from '../values/json-values.ts';
import { findHost } from './bookmark.ts';

/** The history of Chrome as Google Takeout has it: `History.json`, and `BrowserHistory.json` before 2024. */
export async function* readHistoryJson(file: InputFile): AsyncGenerator<Yielded> {
  for await (const element of readJsonElements(file, ['Browser History.*'])) {
    if (element.kind === 'problem') {
      yield { ...element, file };
      continue;
    }
    const place = `visit ${Number(element.path[1]) + 1}`;
    const visit = isObject(element.value) ? element.value : {};
    const url = readText(visit.url);
    if (url === undefined) {
      yield { kind: 'problem', file, place, reason: 'has no address' };
      continue;
    }
    const data = {
      // Titles are of the page and may change from one export to the next.
      id: hashKey(readText(visit.time_usec), url, readText(visit.client_id)),
      title: readText(visit.title),
      url,
      host: findHost(url),
      browser: 'Chrome',
      how: readText(visit.page_transition ?? visit.page_transition_qualifier)
        ?.toLowerCase()
        .replaceAll('_', ' '),
      visited_at: readEpoch(visit.time_usec, 'us'),
    };
    yield { kind: 'record', stream: 'visits', data, place, file };
  }
}
