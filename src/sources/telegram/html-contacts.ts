import type { ImportOptions, InputFile, Yielded } from '../../import/importer.ts';
import { readHtmlEvents } from '../../import/read/read-html.ts';
import type { Look } from '../files/find-own.ts';
import { textOf, timeOf } from '../values/loose.ts';
import { findPageTitle } from './html-page.ts';

export const isContactPage = ({ text }: Look) =>
  findPageTitle(text) === 'Contacts' && /class="entry /.test(text);

/** Reads `lists/contacts.html`: a name, a telephone number and a date for each entry. */
export async function* readContactPage(file: InputFile, options: ImportOptions): AsyncGenerator<Yielded> {
  let entry: { name: string; details_entry: string; info: string } | undefined;
  let part: 'name' | 'details_entry' | 'info' | undefined;
  const finish = (): Yielded[] => {
    const [name, phone] = [textOf(entry?.name.trim()), textOf(entry?.details_entry.trim())];
    if (entry === undefined || (name ?? phone) === undefined) return [];
    const added_at = timeOf(entry.info.trim(), { ...options, dayFirst: true });
    return [{ kind: 'record', stream: 'contacts', data: { id: phone ?? name, name, phone, added_at }, file }];
  };
  for await (const event of readHtmlEvents(file)) {
    if (event.kind === 'text') {
      if (entry !== undefined && part !== undefined) entry[part] += event.text;
    } else if (event.kind === 'close') part = undefined;
    else {
      const classes = (event.attributes.class ?? '').split(/\s+/);
      part = (['name', 'details_entry', 'info'] as const).find((one) => classes.includes(one));
      if (!classes.includes('entry')) continue;
      yield* finish();
      entry = { name: '', details_entry: '', info: '' };
    }
  }
  yield* finish();
}
