import type { InputFile } from '../../import/importer.ts';
import { readHtmlEvents } from '../../import/read/html-text.ts';

export interface VoicePerson {
  readonly name: string | undefined;
  readonly phone: string | undefined;
}

export interface VoiceItem {
  people: VoicePerson[];
  time: string | undefined;
  text: string;
  duration: string | undefined;
  media: string[];
  labels: string[];
}

const emptyItem = (): VoiceItem => ({
  people: [],
  time: undefined,
  text: '',
  duration: undefined,
  media: [],
  labels: [],
});

/**
 * Goes through a page by its classes (hAtom and hCard): `message` begins a message, `haudio` a call. A tag that never
 * closes costs nothing: only what is open is kept.
 */
export async function* readVoicePage(
  file: InputFile,
): AsyncGenerator<VoiceItem & { readonly kind: 'message' | 'call' }> {
  const open: { name: string; classes: readonly string[] }[] = [];
  let item: VoiceItem | undefined;
  let person: { name: string; phone: string | undefined } | undefined;
  let at = -1;
  for await (const event of readHtmlEvents(file)) {
    if (event.kind === 'open') {
      const classes = (event.attributes.class ?? '').split(/\s+/);
      open.push({ name: event.name, classes });
      if (item === undefined && (classes.includes('message') || classes.includes('haudio'))) {
        item = emptyItem();
        at = open.length;
      }
      if (item === undefined) continue;
      if (classes.includes('vcard')) person = { name: '', phone: undefined };
      if (person !== undefined && classes.includes('tel'))
        person.phone = /^tel:(.+)/.exec(event.attributes.href ?? '')?.[1];
      if (classes.includes('dt') || classes.includes('published')) item.time ??= event.attributes.title;
      if (classes.includes('duration')) item.duration ??= event.attributes.title;
      if (event.name === 'br') item.text += '\n';
      if (event.name === 'img' || event.name === 'audio' || event.name === 'video')
        item.media.push(event.attributes.src ?? event.attributes.alt ?? event.name);
    } else if (event.kind === 'text') {
      if (item === undefined) continue;
      const has = (wanted: string) => open.some(({ classes }) => classes.includes(wanted));
      if (person !== undefined && has('fn')) person.name += event.text;
      else if (open.some(({ name }) => name === 'q') || has('full-text')) item.text += event.text;
      else if (has('fn') && person === undefined) item.labels.push(event.text.trim());
    } else {
      const last = open.pop();
      if (item === undefined || last === undefined) continue;
      if (last.classes.includes('vcard') && person !== undefined) {
        const name = person.name.trim();
        item.people.push({ name: name === '' ? undefined : name, phone: person.phone });
        person = undefined;
      }
      if (open.length < at) {
        yield { ...item, kind: last.classes.includes('haudio') ? 'call' : 'message' };
        item = undefined;
      }
    }
  }
}
