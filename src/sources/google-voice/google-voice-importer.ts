import type { AttachedFile } from '../../attachments/attached-file.ts';
import type { Importer, ImportItem, ImportOptions, InputFile } from '../../import/importer.ts';
import { readHtmlEvents } from '../../import/read/html-text.ts';
import { declareChats } from '../chat/chat-declaration.ts';
import { ChatTally } from '../chat/chat-tally.ts';
import { declareStream, oneOf } from '../declare.ts';
import { declareAttachments } from '../declare-attachments.ts';
import { makeProblem, makeRecord, withFiles } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseTogether } from '../files/recognise-files.ts';
import { firstText, type JsonObject, someOf, textOf, timeOf } from '../values/json.ts';

const streams = declareChats('google_voice', 'Google Voice', {
  messages: { phone: 'text, sensitive: Number of the sender' },
  streams: [
    declareStream('calls', 'Calls', {
      description: 'Calls and voicemails, with a transcript if Google made one.',
      detail: 'Whom you called or who called you, when, how long, and voicemails.',
      semantics: 'append_only',
      time: 'called_at',
      search: ['transcript', 'name'],
      fields: {
        id: 'text',
        name: 'text',
        phone: 'text, sensitive',
        kind: oneOf(['placed', 'received', 'missed', 'voicemail', 'recorded']),
        duration_seconds: 'integer',
        transcript: 'text',
        called_at: 'time',
      },
    }),
  ],
});

const googleVoiceDeclaration = declareAttachments(streams, ['messages', 'calls']);

/** Pages of calls and text messages have the same classes in all languages. */
function detectKind({ text }: FileProbe): 'page' | undefined {
  const isCall = /class="haudio"/.test(text) && /class="published"/.test(text);
  const isTalk = /class="hChatLog/.test(text) && /class="message"/.test(text);
  return isCall || isTalk ? 'page' : undefined;
}

export const googleVoiceImporter: Importer = {
  format: 'google-voice',
  title: 'Google Voice (Takeout)',
  fillsArchive: true,
  guide: {
    steps: [
      'Open takeout.google.com',
      'Deselect all, then choose Voice',
      'Create the export, and download the zip from the email you receive',
    ],
    waiting: 'Minutes to hours.',
  },
  identity: {
    messages: ['chat_id', 'sender', 'sent_at', 'text'],
    calls: ['phone', 'name', 'kind', 'called_at'],
  },
  recognise: async (files) => recogniseTogether(await findExportFiles(files, detectKind)),
  declare: () => Promise.resolve(googleVoiceDeclaration),
  async *read({ files }, options) {
    const chats = new Map<string, { name: string; tally: ChatTally; file: InputFile }>();
    for (const file of files) {
      const title = await findTitle(file);
      let number = 0;
      for await (const item of readVoicePage(file)) {
        number += 1;
        const place = `item ${number}`;
        if (item.kind === 'call') {
          yield withFiles(
            makeRecord(file, 'calls', readCall(item, title, options), place),
            locateMedia(item),
          );
          continue;
        }
        const data = readMessage(item, title, options);
        const chat = chats.get(title) ?? { name: title, tally: new ChatTally(), file };
        chats.set(title, chat);
        chat.tally.count(data);
        yield withFiles(makeRecord(file, 'messages', data, place), locateMedia(item)) satisfies ImportItem;
      }
      if (number === 0) yield makeProblem(file, 'contains no messages or calls');
    }
    for (const [id, { name, tally, file }] of chats)
      yield makeRecord(file, 'chats', { id, name, ...tally.describe() });
  },
};

/** `Bo Lind - Text - 2026-01-05T10_00_00Z.html`: returns the other person, or the title of the page. */
async function findTitle(file: InputFile): Promise<string> {
  const name = file.path.split('/').at(-1) ?? '';
  const named = /^(.*?) - [^-]+ - \d{4}-\d\d-\d\dT/.exec(name)?.[1];
  const { text } = await probeFile(file);
  const group = nameGroup(text);
  if (group !== undefined) return group;
  const title = /<title>([^<]*)<\/title>/i.exec(text)?.[1]?.replace(/\s+/g, ' ').trim();
  const fromTitle = title?.split(/\s(?:with|mit|avec|con|com|to|from|an|von|de|à)\s/i).at(-1);
  return firstText(named, fromTitle) ?? 'Unknown';
}

/** All groups have the same title, so the members identify them. */
function nameGroup(page: string): string | undefined {
  const people = /<div class="participants">([\s\S]*?)<\/div>/.exec(page)?.[1]?.split('<cite').slice(1) ?? [];
  const names = people.map(
    (one) => textOf(/class="fn"[^>]*>([^<]*)</.exec(one)?.[1]) ?? /href="tel:([^"]+)"/.exec(one)?.[1],
  );
  return someOf(names)?.join(', ');
}

const ENDINGS = ['jpg', 'png', 'gif', 'mp4', '3gp', 'mp3', 'amr', 'vcf'];

/** Finds pictures and recordings beside the page, which names pictures without their ending. */
const locateMedia = ({ media, kind, text }: VoiceItem & { readonly kind: string }): AttachedFile[] =>
  media.map((path) => ({
    path: [path, ...ENDINGS.map((ending) => `${path}.${ending}`)],
    transcript: kind === 'call' ? textOf(text.trim()) : undefined,
  }));

function readMessage(item: VoiceItem, chat: string, options: ImportOptions): JsonObject {
  const [person] = item.people;
  // The owner's name is a pronoun that depends on the language.
  const isMine = person?.name === undefined ? undefined : /^(me|ich|moi|yo|io|eu|ik)$/i.test(person.name);
  const text = textOf(item.text.trim());
  return {
    chat_id: chat,
    chat,
    sender: person?.name ?? person?.phone,
    from_me: isMine,
    sent_at: timeOf(item.time, options),
    text,
    attachments: someOf(item.media.map((path) => textOf(path.split('/').at(-1)))),
    phone: textOf(person?.phone),
  };
}

function readCall(item: VoiceItem, title: string, options: ImportOptions): JsonObject {
  const [person] = item.people;
  const label = item.labels.join(' ');
  const kind = /voicemail|mailbox/i.test(label)
    ? 'voicemail'
    : /missed|verpasst|manqué/i.test(label)
      ? 'missed'
      : /record(ed|ing)/i.test(label)
        ? 'recorded'
        : /placed|to\b|ausgehend/i.test(label)
          ? 'placed'
          : 'received';
  return {
    name: person?.name ?? (title === '' ? person?.phone : title),
    phone: textOf(person?.phone),
    kind,
    duration_seconds: readDuration(item.duration),
    transcript: textOf(item.text.trim()),
    called_at: timeOf(item.time, options),
  };
}

/** `PT1M5S` */
function readDuration(text: string | undefined): number | undefined {
  const match = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(text ?? '');
  return match === null
    ? undefined
    : Number(match[1] ?? 0) * 3_600 + Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0);
}

interface VoicePerson {
  readonly name: string | undefined;
  readonly phone: string | undefined;
}

interface VoiceItem {
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
 * Reads a page by its classes (hAtom and hCard): `message` begins a message, `haudio` a call. Only open elements
 * are held in memory.
 */
async function* readVoicePage(
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
