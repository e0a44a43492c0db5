import type { ImportOptions } from '../../import/importer.ts';
import { firstText, type Loose, someOf, textOf, timeOf } from '../values/loose.ts';
import type { PageItem } from './page-state.ts';

/** What was sent, by the class of its element; the names are those of the JSON export. */
const MEDIA: readonly (readonly [mark: string, type: string])[] = [
  ['photo_wrap', 'photo'],
  ['sticker_wrap', 'sticker'],
  ['animated_wrap', 'animation'],
  ['video_file_wrap', 'video_file'],
  ['media_voice_message', 'voice_message'],
  ['media_audio_file', 'audio_file'],
  ['media_photo', 'photo'],
  ['media_video', 'video_file'],
];
/** Media that was not exported shows its type as a title. */
const TITLES: Readonly<Record<string, string>> = {
  Sticker: 'sticker',
  Animation: 'animation',
  'Video message': 'video_message',
  'Voice message': 'voice_message',
};

/** Fields of a message that the JSON export has too, with the same meaning. */
export function readPageItem(item: PageItem, chat: string, options: ImportOptions): Loose {
  const title = item.mediaTitle.trim();
  const titled = Object.hasOwn(TITLES, title) ? TITLES[title] : undefined;
  const type = titled ?? MEDIA.find(([mark]) => item.media.includes(mark))?.[1];
  const isCall = item.media.includes('media_call');
  const status = item.mediaStatus.trim();
  return {
    id: `${chat}/${item.id}`,
    sent_at: timeOf(item.time, { ...options, dayFirst: true }),
    text: isCall ? `phone call ${status}`.trim() : firstText(item.text.trim(), tidyPoll(item.poll)),
    kind: item.kind === 'service' || isCall ? 'service' : 'message',
    attachments: isCall ? undefined : nameAttachments(item, title, type),
    reply_to_id: item.replyTo === undefined ? undefined : `${chat}/${item.replyTo}`,
    media_type: type,
    duration_seconds: readDuration(status),
    reactions: someOf(item.reactions.map((one) => textOf(one.trim()))),
  };
}

const tidyPoll = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim().replace(/^- /, ''))
    .filter((line) => line !== '')
    .join('\n');

function nameAttachments(item: PageItem, title: string, type: string | undefined): string[] | undefined {
  const has = (mark: string) => item.media.some((one) => one.startsWith(mark));
  if (has('media_location') || has('media_live_location') || has('media_venue')) return ['location'];
  if (has('media_contact')) return ['contact'];
  const files = [...new Set(item.files.map((path) => path.split('/').at(-1)))];
  const isFile = has('media_file') || has('media_audio_file');
  if (isFile && title !== '' && title !== 'File') return [title];
  if (files.length > 0) return someOf(files);
  return item.media.length === 0 || has('media_poll') ? undefined : [type ?? textOf(title) ?? 'file'];
}

/** `00:05, 20.3 KB` of a recording, `Outgoing (60 seconds)` of a call. */
function readDuration(status: string): number | undefined {
  const seconds = /\((\d+) seconds?\)/.exec(status)?.[1];
  if (seconds !== undefined) return Number(seconds);
  const clock = /^(?:(\d+):)?(\d+):(\d\d)\b/.exec(status);
  return clock === null
    ? undefined
    : Number(clock[1] ?? 0) * 3_600 + Number(clock[2]) * 60 + Number(clock[3]);
}
