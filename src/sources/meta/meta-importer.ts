import type { Importer, ImportItem, InputFile } from '../../import/importer.ts';
import { repairMojibakeInside } from '../../import/read/decode-text.ts';
import { readJson, readJsonElements } from '../../import/read/read-json.ts';
import { makeNote, makeRecord, readEach, withPaths } from '../files/import-items.ts';
import { type FileProbe, findExportFiles, probeFile, recogniseByAccount } from '../files/recognise-files.ts';
import { firstText, type JsonObject, listOf, objectOf, textOf } from '../values/json.ts';
import { wordList } from '../values/words.ts';
import { declareMeta } from './meta-declaration.ts';
import { findRoot, listMetaFolders } from './meta-folders.ts';
import { isMetaOther, readMetaOther } from './meta-other.ts';
import { isMetaList, readMetaItem } from './meta-records.ts';
import { describeThreads, messageIdentity, readThread, type Threads } from './meta-thread.ts';
import { detectOldPart, readOldList, readOldMessages } from './old-instagram.ts';

type Kind = 'thread' | 'list' | 'profile' | 'old-list' | 'old-messages' | 'other';
type Place = 'instagram' | 'facebook';

/** Folder names change over the years; the content of files does not. */
function detectPart(probe: FileProbe): Kind | undefined {
  const { outline, path, text } = probe;
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
      /^profile_user\[\]|^profile_information_v2|^profile_v2|^profile\.(name\.full_name|emails\.emails\[\])/.test(
        place,
      ),
    )
  )
    return 'profile';
  const isItem = (below: string) =>
    wordList(`string_list_data|string_map_data|media[].creation_timestamp|data[].post|data[].comment|
      data[].reaction|attachments[].data`).some((mark) =>
      places.some((place) => place.startsWith(`${below}.${mark}`)),
    ) ||
    (outline.has(`${below}.creation_timestamp`) && outline.has(`${below}.uri`));
  const isNamed = (place: string) =>
    /^\w+\[\]$/.test(place) &&
    isMetaList(place.slice(0, -2)) &&
    (isItem(place) || outline.has(`${place}.timestamp`));
  // Labels may hold anything, also what was shown to the owner: the file name decides.
  const hasLabels =
    outline.has('[].label_values[]') &&
    outline.has('[].timestamp') &&
    (isMetaList(path.split('/').at(-1) ?? '') || (!/\.json$/.test(path) && /instagram\.com/.test(text)));
  return places.some(isNamed) || hasLabels || (isItem('[]') && !outline.has('[].label_values[]'))
    ? 'list'
    : detectOldPart(probe);
}

/** Both services write threads alike. Without signs of Facebook it is Instagram. */
function detectService(probe: FileProbe): Place {
  const { path, text } = probe;
  if (/facebook|messenger/i.test(path)) return 'facebook';
  if (detectOldPart(probe) !== undefined) return 'instagram';
  if (
    /instagram/i.test(path) ||
    /"(ig_\w+|text_post_app_\w+|string_(list|map)_data|profile_user|media_map_data)"/.test(text)
  )
    return 'instagram';
  if (/"label_values"/.test(text) && /instagram\.com/.test(text)) return 'instagram';
  return /"type"\s*:\s*"(Generic|Share|Call|Subscribe)"|"senderName"|"\w+_v2"|"full_name"|"timestamp"\s*:/.test(
    text,
  )
    ? 'facebook'
    : 'instagram';
}

/** Classes in the HTML pages, equal for both services and all languages. */
const PAGE = /class="[^"]*\b(?:_a6-g|_5vb_|_4t5n|pam)\b/;
const PART =
  /(messages|posts|comments|likes|reactions|followers_and_following|friends|stories|media|searches|start_here)/;

interface Part {
  readonly file: InputFile;
  readonly kind: Kind;
  readonly place: Place;
}

/**
 * Finds the parts of exports of both services. An unknown file belongs to the export in whose folder it is, and
 * an export to one service.
 */
async function findParts(files: readonly InputFile[]): Promise<Part[]> {
  const parts: Part[] = [];
  const places = new Map<string, Place>();
  const unknown: { file: InputFile; probe: FileProbe; root: string | undefined }[] = [];
  for (const file of files) {
    const probe = await probeFile(file);
    const kind = detectPart(probe);
    const root = findRoot(file.path);
    if (kind !== undefined) parts.push({ file, kind, place: detectService(probe) });
    else if (hasNames(probe)) unknown.push({ file, probe, root });
    if (root !== undefined && kind !== undefined && !places.has(root)) places.set(root, detectService(probe));
  }
  const others = unknown.filter(
    ({ probe, root }) => isMetaOther(probe) || (root !== undefined && places.has(root)),
  );
  for (const { file, probe, root } of others) {
    const known = root === undefined ? detectServiceOfAll([probe]) : places.get(root);
    const place =
      known ?? detectServiceOfAll(others.filter((other) => other.root === root).map((other) => other.probe));
    if (root !== undefined) places.set(root, place);
    parts.push({ file, kind: 'other', place });
  }
  return parts;
}

/** If no part is known, one file decides for all. */
function detectServiceOfAll(probes: readonly FileProbe[]): Place {
  if (
    probes.some(({ path, text }) => /instagram/i.test(path) || /"(ig_\w+|string_(list|map)_data)"/.test(text))
  )
    return 'instagram';
  return probes.some((probe) => detectService(probe) === 'facebook') ? 'facebook' : 'instagram';
}

const hasNames = ({ outline }: FileProbe): boolean => [...outline].some((place) => /\w/.test(place));

function createMetaImporter(place: Place, title: string, steps: readonly string[]): Importer {
  return {
    format: place,
    title,
    fillsArchive: true,
    guide: {
      steps,
      waiting: 'Hours to a few days; the download is available for four days.',
      choose:
        'JSON instead of HTML, all time, and low quality for media: pictures are imported by name only.',
    },
    identity: {
      messages: messageIdentity,
      posts: ['kind', 'text', 'title', 'created_at'],
      comments: ['text', 'owner', 'created_at'],
      likes: ['kind', 'owner', 'title', 'url', 'created_at'],
      searches: ['query', 'created_at'],
      other: ['list', 'title', 'values', 'url', 'created_at'],
    },
    async recognise(files) {
      const own = (await findParts(files)).filter((part) => part.place === place);
      const findAccount = async ({ file, kind }: Pick<Part, 'file' | 'kind'>) => {
        const { username, name } = kind === 'profile' ? await findProfile(file) : {};
        return username ?? name;
      };
      const certainty = own.some(({ kind }) => kind !== 'thread' && kind !== 'old-messages')
        ? 'certain'
        : 'likely';
      return (await recogniseByAccount(own, findAccount, certainty)).map((one) => {
        const folder = one.files.map(({ path }) => findRoot(path)).find((root) => root !== undefined);
        return folder === undefined ? one : { ...one, folder };
      });
    },
    async explain(file) {
      const probe = await probeFile(file);
      const isPage =
        /^\s*<(!doctype html|html)/i.test(probe.text) && PAGE.test(probe.text) && PART.test(probe.path);
      if (!isPage || detectService(probe) !== place) return undefined;
      return `is a page of an export of ${place === 'instagram' ? 'Instagram' : 'Facebook'} in HTML; request it again and choose JSON`;
    },
    declare: () => Promise.resolve(declareMeta(place, place === 'instagram' ? 'Instagram' : 'Facebook')),
    async *read({ files }) {
      const own = await findExportFiles(files, (probe) => detectPart(probe) ?? 'other');
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
        if (kind === 'other') yield* readMetaOther(file);
      }
      yield* describeThreads(threads);
    },
  };
}

async function* readList(file: InputFile): AsyncGenerator<ImportItem> {
  const isBare = (await probeFile(file)).outline.has('[]');
  let left = 0;
  yield* readEach(file, readJsonElements(file, [isBare ? '*' : '*.*']), function* (element) {
    const where = isBare ? (file.path.split('/').at(-1) ?? '') : String(element.path[0]);
    const place = `item ${Number(element.path.at(-1)) + 1}`;
    const records = readMetaItem(objectOf(repairMojibakeInside(element.value)), where);
    if (records.length === 0) left += 1;
    for (const { stream, data } of records)
      yield withPaths(
        makeRecord(file, stream, data, place),
        listOf(data.media).map((path) => textOf(path)),
        listMetaFolders(file),
      );
  });
  if (left > 0) yield makeNote(file, `${left} empty items skipped`);
}

async function findProfile(file: InputFile): Promise<{ username?: string; name?: string }> {
  const whole = await readJson(file);
  if (whole.kind === 'broken') return {};
  const value = objectOf(repairMojibakeInside(whole.value));
  const facebook = objectOf(
    value.profile_information_v2 ?? value.profile_v2 ?? value.profile ?? value.profile_information,
  );
  const map = objectOf(objectOf((value.profile_user as JsonObject[] | undefined)?.[0]).string_map_data);
  const find = (...labels: string[]) =>
    labels.map((label) => textOf(objectOf(map[label]).value)).find((one) => one !== undefined);
  const name =
    firstText(objectOf(facebook.name).full_name, value.username === undefined ? undefined : value.name) ??
    find('Name', 'Nom', 'Nombre', 'Nome', 'Naam');
  const username =
    firstText(facebook.username, value.username) ??
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
  'Come back when you are notified, and download the zip',
]);

export const facebookImporter = createMetaImporter('facebook', 'Facebook export', [
  'Open accountscenter.facebook.com, then Your information and permissions',
  'Export your information, choose the account and Export to device',
  'Come back when you are notified, and download the zip',
]);
