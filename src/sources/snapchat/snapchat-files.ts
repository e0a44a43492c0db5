import type { InputFile } from '../../import/importer.ts';
import { type ExportFile, type FileProbe, findExportFiles, probeFile } from '../files/recognise-files.ts';
import { wordList } from '../values/words.ts';

export type SnapchatPart = (typeof PARTS)[number];
const PARTS = [
  'chats',
  'snaps',
  'people',
  'memories',
  'places',
  'account',
  'searches',
  'calls',
  'other',
] as const;

/** JSON paths that only Snapchat has, by part of the export. */
const PATH_PATTERNS: readonly (readonly [part: SnapchatPart, pattern: RegExp])[] = [
  ['chats', /^(?:Received|Sent) (?:Saved|Unsaved) Chat History(?:\[\]|$)/],
  ['snaps', /^(?:Received|Sent) Snap History(?:\[\]|$)/],
  ['memories', /^Saved Media\[\]\.(?:Download Link|Media Download Url)$/],
  ['people', /^(?:Friends|Deleted Friends|Blocked Users|Friend Requests Sent)\[\]\.Creation Timestamp$/],
  [
    'places',
    /^(?:Frequent Locations|Businesses and public places you may have visited|Daily Top Locations)(?:\[\]|$)/,
  ],
  ['account', /^Basic Information\.(?:Creation Date|Registration IP)$/],
];

/** Other files of the export, by name: their content is not specific. */
const NAMES: Readonly<Record<string, SnapchatPart>> = {
  account: 'account',
  chat_history: 'chats',
  friends: 'people',
  location_history: 'places',
  memories_history: 'memories',
  search_history: 'searches',
  snap_history: 'snaps',
  talk_history: 'calls',
};
const OTHERS =
  wordList(`account_history|bitmoji|cameos_metadata|community_lenses|connected_apps|email_campaign_history|
  in_app_reports|in_app_surveys|my_ai|payment_history|purchase_history|ranking|shared_story|
  shop_history|snap_games_and_minis|snap_map_places_history|snap_pro|snap_tokens|snapchat_ai|
  snapchat_plus|spotlight_history|story_history|subscriptions|support_note|terms_history|user_profile`);

const nameOf = (path: string) =>
  (path.split('/').at(-1) ?? '').toLowerCase().replace(/(?:[ _-]?\(?\d+\)?)?\.json$/, '');
const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** Chats are keyed by user name: each message has a media type, a time and a direction. */
function detectChat({ path, outline }: FileProbe): SnapchatPart | undefined {
  for (const jsonPath of outline) {
    const key = /^(.+)\[\]\.Media Type$/.exec(jsonPath)?.[1];
    if (key === undefined || !outline.has(`${key}[].Created`)) continue;
    if (!outline.has(`${key}[].IsSender`) && !outline.has(`${key}[].Created(microseconds)`)) continue;
    const hasText = [...outline].some((one) => /\[\]\.(?:Content|Text|Media IDs|IsSaved)$/.test(one));
    return hasText || nameOf(path) === 'chat_history' ? 'chats' : 'snaps';
  }
  return undefined;
}

function detectPart(probe: FileProbe): SnapchatPart | undefined {
  for (const jsonPath of probe.outline) {
    const found = PATH_PATTERNS.find(([, pattern]) => pattern.test(jsonPath));
    if (found !== undefined) return found[0];
  }
  return detectChat(probe);
}

/** Detects a file in an export folder by its name. */
function detectByName({ path, text }: FileProbe): SnapchatPart | undefined {
  if (!/^\ufeff?\s*[[{]/.test(text)) return undefined;
  const name = nameOf(path);
  if (Object.hasOwn(NAMES, name)) return NAMES[name];
  if (OTHERS.includes(name)) return 'other';
  // The export has a folder for JSON alone; new features bring new files.
  return /(?:^|\/)json\/[^/]+$/i.test(path) ? 'other' : undefined;
}

/** Finds the parts of exports: by content, then by name in the same folders. */
export async function findSnapchatParts(files: readonly InputFile[]): Promise<ExportFile<SnapchatPart>[]> {
  const recognised = new Map(
    (await findExportFiles(files, detectPart)).map(({ file, kind }) => [file, kind]),
  );
  const folders = new Set([...recognised.keys()].map(({ path }) => folderOf(path)));
  const parts: ExportFile<SnapchatPart>[] = [];
  for (const file of files) {
    if (!folders.has(folderOf(file.path))) continue;
    const kind = recognised.get(file) ?? detectByName(await probeFile(file));
    if (kind !== undefined) parts.push({ file, kind });
  }
  return parts;
}
