import type { ImportOptions } from '../../import/importer.ts';
import { readEpoch } from '../../import/read/read-time.ts';
import {
  firstText,
  integerOf,
  type JsonObject,
  listOf,
  objectOf,
  someOf,
  textOf,
  timeOf,
} from '../values/json.ts';

/** One message or one word of the app (a call, somebody joining). Ids count from 1 in every chat. */
export function readTelegramMessage(
  message: JsonObject,
  chat: string,
  self: string | undefined,
  options: ImportOptions,
): JsonObject {
  const [id, replyTo] = [textOf(message.id), textOf(message.reply_to_message_id)];
  const sender = firstText(message.from_id, message.actor_id);
  const isService = message.type === 'service';
  return {
    id: id === undefined ? undefined : `${chat}/${id}`,
    sender: firstText(message.from, message.actor),
    sender_id: sender,
    from_me: self === undefined || sender === undefined ? undefined : sender.replace(/^user/, '') === self,
    sent_at: readEpoch(message.date_unixtime, 's') ?? timeOf(message.date, options),
    text: isService ? describeService(message) : (readWords(message) ?? describePoll(objectOf(message.poll))),
    kind: isService ? 'service' : 'message',
    attachments: nameAttachments(message),
    reply_to_id: replyTo === undefined ? undefined : `${chat}/${replyTo}`,
    forwarded_from: textOf(message.forwarded_from),
    edited_at: readEdited(message, options),
    media_type: textOf(message.media_type) ?? (textOf(message.photo) === undefined ? undefined : 'photo'),
    duration_seconds: integerOf(message.duration_seconds),
    reactions: someOf(listOf(message.reactions).map((one) => textOf(objectOf(one).emoji))),
  };
}

/** A text is words, or a list of words and of pieces with a meaning; newer exports have the pieces apart too. */
function readWords(message: JsonObject): string | undefined {
  const join = (pieces: unknown) =>
    listOf(pieces)
      .map((piece) => (typeof piece === 'string' ? piece : readPiece(objectOf(piece))))
      .join('');
  return firstText(message.text, join(message.text), join(message.text_entities));
}

/** Words with an address behind them. */
function readPiece({ text, href }: JsonObject): string {
  const [words, address] = [typeof text === 'string' ? text : '', textOf(href)];
  return address === undefined || address === words ? words : `${words} (${address})`;
}

/** What was never edited is said in old exports to have been so in 1970. */
function readEdited({ edited, edited_unixtime }: JsonObject, options: ImportOptions): string | undefined {
  const time = readEpoch(edited_unixtime, 's') ?? timeOf(edited, options);
  return time === undefined || time < '1971' ? undefined : time;
}

function describePoll({ question, answers }: JsonObject): string | undefined {
  const asked = firstText(question, objectOf(question).text);
  const offered = listOf(answers).map((answer) => textOf(objectOf(answer).text));
  return asked === undefined ? undefined : someOf([asked, ...offered])?.join('\n');
}

function describeService(message: JsonObject): string | undefined {
  const members = someOf(listOf(message.members).map(textOf))?.join(', ');
  const told = [message.action, message.title, members, message.discard_reason, readWords(message)];
  return someOf(told.map(textOf))?.join(' ').replaceAll('_', ' ');
}

/** Files that were not exported have a sentence in place of a path. */
function nameAttachments(message: JsonObject): string[] | undefined {
  const { latitude, longitude } = objectOf(message.location_information);
  const file = firstText(message.file_name, message.file, message.photo);
  return someOf([
    file?.startsWith('(') ? (textOf(message.media_type) ?? 'file') : file?.split('/').at(-1),
    textOf(message.sticker_emoji),
    latitude === undefined || longitude === undefined ? undefined : 'location',
    message.contact_information === undefined ? undefined : 'contact',
  ]);
}
