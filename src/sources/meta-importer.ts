import type { Importer, InputFile, Yielded } from '../import/importer.ts';
import { readJson, readJsonElements } from '../import/read/read-json.ts';
import { repairMojibakeInside } from '../import/read/repair-mojibake.ts';
import { describeThreads, messageIdentity, readThread, type Threads } from './chat/meta-thread.ts';
import { findOwn, type Look, lookAt, recogniseByAccount } from './files/find-own.ts';
import { declareMeta } from './meta-declaration.ts';
import { isMetaList, readMetaItem } from './social/meta-records.ts';
import { readOldList, readOldMessages, tellOldPart } from './social/old-instagram.ts';
import { type Loose, objectOf, textOf } from './values/loose.ts';

type Kind = 'thread' | 'list' | 'profile' | 'old-list' | 'old-messages';
type Place = 'instagram' | 'facebook';

/** Folder names change from year to year; what is in the files does not. */
function tellPart(look: Look): Kind | undefined {
  const { outline, path, text } = look;
  const places = [...outline];
  if (outline.has('messages[].sender_name') || outline.has('messages[].senderName')) return 'thread';
  if (
    outline.has('participants[]') &&
    outline.has('messages[]') &&
    (outline.has('threadName') || outline.has('thread_path'))
  )
    return 'thread';
  if (
    places.some((place) =>
      /^profile_user\[\]|^profile_information_v2|^profile_v2|^profile\.(name|emails)/.test(place),
    )
  )
    return 'profile';
  const isItem = (below: string) =>
    [
      'string_list_data',
      'string_map_data',
      'media[].creation_timestamp',
      'data[].post',
      'data[].comment',
      'data[].reaction',
      'attachments[].data',
    ].some((mark) => places.some((place) => place.startsWith(`${below}.${mark}`))) ||
    (outline.has(`${below}.creation_timestamp`) && outline.has(`${below}.uri`));
  const isNamed = (place: string) =>
    /^\w+\[\]$/.test(place) &&
    isMetaList(place.slice(0, -2)) &&
    (isItem(place) || outline.has(`${place}.timestamp`));
  // Anything may be written in labels, what was shown and where one was too: the name of the file tells.
  const hasLabels =
    outline.has('[].label_values[]') &&
    outline.has('[].timestamp') &&
    (isMetaList(path.split('/').at(-1) ?? '') || (!/\.json$/.test(path) && /instagram\.com/.test(text)));
  return places.some(isNamed) || hasLabels || (isItem('[]') && !outline.has('[].label_values[]'))
    ? 'list'
    : tellOldPart(look);
}

/** Both write threads alike. Without a word of the other place or its marks, it is Instagram. */
function tellPlace(look: Look): Place {
  const { path, text } = look;
  if (/facebook|messenger/i.test(path)) return 'facebook';
  if (tellOldPart(look) !== undefined) return 'instagram';
  if (/instagram/i.test(path) || /"(ig_\w+|string_(list|map)_data|profile_user|media_map_data)"/.test(text))
    return 'instagram';
  if (/"label_values"/.test(text) && /instagram\.com/.test(text)) return 'instagram';
  return /"type"\s*:\s*"(Generic|Share|Call|Subscribe)"|"senderName"|"\w+_v2"|"full_name"|"timestamp"\s*:/.test(
    text,
  )
    ? 'facebook'
    : 'instagram';
}

/** Folders at the top of an export; what lies beside them is about ads, logins and devices. */
const TOP =
  /^(.*?)\/(?:your_(?:instagram|facebook)_activity|connections|personal_information|logged_information|ads_information|preferences|security_and_login_information)\//;
/** Pages are known by the classes of their boxes, which are the same in both places and all languages. */
const PAGE = /class="[^"]*\b(?:_a6-g|_5vb_|_4t5n|pam)\b/;
const PART =
  /(messages|posts|comments|likes|reactions|followers_and_following|friends|stories|media|searches|start_here)/;

function findFolder(files: readonly InputFile[]): { folder?: string } {
  const folder = files.map(({ path }) => TOP.exec(path)?.[1]).find((one) => one !== undefined);
  return folder === undefined ? {} : { folder };
}

function createMetaImporter(place: Place, title: string, steps: readonly string[]): Importer {
  const tellKind = (look: Look) => (tellPlace(look) === place ? tellPart(look) : undefined);
  return {
    format: place,
    title,
    guide: {
      steps,
      waiting: 'Hours to a few days; the download is there for four days.',
      choose: 'JSON instead of HTML, all time, and low quality for media: only words are read.',
    },

    identity: {
      messages: messageIdentity,
      posts: ['kind', 'text', 'title', 'created_at'],
      comments: ['text', 'owner', 'created_at'],
      likes: ['kind', 'owner', 'title', 'url', 'created_at'],
      searches: ['query', 'created_at'],
    },
    async recognise(files) {
      const own = await findOwn(files, tellKind);
      const accounts: { file: InputFile; account: string }[] = [];
      for (const { file, kind } of own) {
        const { username, name } = kind === 'profile' ? await findProfile(file) : {};
        const account = username ?? name;
        if (account !== undefined) accounts.push({ file, account });
      }
      const certainty = own.some(({ kind }) => kind !== 'thread' && kind !== 'old-messages')
        ? 'certain'
        : 'likely';
      return recogniseByAccount(own, accounts, certainty).map((one) => ({
        ...one,
        ...findFolder(one.files),
      }));
    },

    async explain(file) {
      const look = await lookAt(file);
      const isPage =
        /^\s*<(!doctype html|html)/i.test(look.text) && PAGE.test(look.text) && PART.test(look.path);
      if (!isPage || tellPlace(look) !== place) return undefined;
      return `is a page of an export of ${place === 'instagram' ? 'Instagram' : 'Facebook'} as HTML; ask for it again and choose JSON`;
    },

    declare: () => Promise.resolve(declareMeta(place, place === 'instagram' ? 'Instagram' : 'Facebook')),

    async *read({ files }) {
      const own = await findOwn(files, tellKind);
      let self: string | undefined;
      const selves: string[] = [];
      for (const { file, kind } of own) {
        if (kind !== 'profile') continue;
        const { username, name } = await findProfile(file);
        self ??= name ?? username;
        if (username !== undefined) selves.push(username);
        for (const value of [name, username]) if (value !== undefined) yield { kind: 'self', value };
      }
      const threads: Threads = new Map();
      for (const { file, kind } of own) {
        if (kind === 'thread') yield* readThread(file, threads, self);
        if (kind === 'list') yield* readList(file);
        if (kind === 'old-list') yield* readOldList(file);
        if (kind === 'old-messages') yield* readOldMessages(file, threads, selves);
      }
      yield* describeThreads(threads);
    },
  };
}

async function* readList(file: InputFile): AsyncGenerator<Yielded> {
  const isBare = (await lookAt(file)).outline.has('[]');
  let left = 0;
  for await (const element of readJsonElements(file, [isBare ? '*' : '*.*'])) {
    if (element.kind === 'problem') {
      yield { ...element, file };
      continue;
    }
    const where = isBare ? (file.path.split('/').at(-1) ?? '') : String(element.path[0]);
    const place = `item ${Number(element.path.at(-1)) + 1}`;
    const records = readMetaItem(objectOf(repairMojibakeInside(element.value)), where);
    if (records.length === 0) left += 1;
    for (const { stream, data } of records) yield { kind: 'record', stream, data, place, file };
  }
  if (left > 0)
    yield { kind: 'note', file, note: `${left} items say nothing that is kept; they are left out` };
}

async function findProfile(file: InputFile): Promise<{ username?: string; name?: string }> {
  const whole = await readJson(file);
  if (whole.kind === 'broken') return {};
  const value = objectOf(repairMojibakeInside(whole.value));
  const facebook = objectOf(
    value.profile_information_v2 ?? value.profile_v2 ?? value.profile ?? value.profile_information,
  );
  const map = objectOf(objectOf((value.profile_user as Loose[] | undefined)?.[0]).string_map_data);
  const find = (...labels: string[]) =>
    labels.map((label) => textOf(objectOf(map[label]).value)).find((one) => one !== undefined);
  const name =
    textOf(objectOf(facebook.name).full_name) ??
    textOf(value.username === undefined ? undefined : value.name) ??
    find('Name', 'Nom', 'Nombre', 'Nome', 'Naam');
  const username =
    textOf(facebook.username) ??
    textOf(value.username) ??
    find(
      'Username',
      'Benutzername',
      "Nom d'utilisateur",
      'Nombre de usuario',
      'Nome de usuário',
      'Nome utente',
      'Gebruikersnaam',
    );
  return { ...(username === undefined ? {} : { username }), ...(name === undefined ? {} : { name }) };
}

export const instagramImporter = createMetaImporter('instagram', 'Instagram export', [
  'Open accountscenter.instagram.com, then Your information and permissions',
  'Export your information, choose the account and Export to device',
  'Come back when the notice says that it is ready, and download the zip',
]);

export const facebookImporter = createMetaImporter('facebook', 'Facebook export', [
  'Open accountscenter.facebook.com, then Your information and permissions',
  'Export your information, choose the account and Export to device',
  'Come back when the notice says that it is ready, and download the zip',
]);
