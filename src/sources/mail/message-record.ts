import { type Address, decodeWords } from 'postal-mime';
import type { AttachedFile } from '../../attachments/attached-file.ts';
import { replaceControls } from '../../import/read/guess-encoding.ts';
import { readHtmlText } from '../../import/read/html-text.ts';
import { formatTime, readTime } from '../../import/read/read-time.ts';
import { memoize } from './mime/memoize.ts';
import type { Mail } from './mime/read-mime.ts';

export interface MailFacts {
  readonly messageId: string | undefined;
  readonly references: readonly string[];
  readonly inReplyTo: string | undefined;
  /** Gmail's conversation id. */
  readonly gmailThread: string | undefined;
  readonly people: readonly string[];
  readonly sentAt: string | undefined;
  readonly isSent: boolean;
  readonly fromAddress: string | undefined;
  readonly fields: Record<string, unknown>;
  readonly files: readonly AttachedFile[];
}

/** A mail with more text is a log or a mistake. Only its beginning is stored. */
const MAX_BODY_CHARACTERS = 2_000_000;
/** Ids become keys, which have a maximum length. */
const MAX_ID_BYTES = 400;

/** What a mail server knows better than the headers of a mail. */
export interface ServerFacts {
  readonly labels: readonly string[];
  readonly gmailThread?: string | undefined;
}

export function readFacts(mail: Mail, timeZone: string, server?: ServerFacts): MailFacts {
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  const [from] = flatten(mail.from === undefined ? [] : [mail.from]);
  const [toPeople, ccPeople, bccPeople] = [flatten(mail.to), flatten(mail.cc), flatten(mail.bcc)];
  const [to, cc, bcc] = [listAddresses(toPeople), listAddresses(ccPeople), listAddresses(bccPeople)];
  const labels = server?.labels ?? parseLabels(header('x-gmail-labels') ?? header('x-keywords') ?? '');
  const sentAt = findTime(mail, timeZone);
  const inReplyTo = listIds(header('in-reply-to'))[0];
  return {
    messageId: listIds(mail.messageId)[0],
    references: listIds(header('references')),
    inReplyTo,
    gmailThread: /^\d{1,20}$/.exec((server?.gmailThread ?? header('x-gm-thrid'))?.trim() ?? '')?.[0],
    people: unique([...(from === undefined ? [] : [from.address]), ...to, ...cc]),
    sentAt,
    isSent: labels.some(isSentLabel),
    fromAddress: from?.address,
    fields: {
      subject: tidy(mail.subject),
      from_name: tidy(from?.name),
      from_address: from?.address,
      to,
      cc: cc.length > 0 ? cc : undefined,
      bcc: bcc.length > 0 ? bcc : undefined,
      sent_at: sentAt,
      body: readBody(mail),
      labels: labels.length > 0 ? labels : undefined,
      is_unread: findUnread(labels, header('status'), header('x-mozilla-status')),
      in_reply_to: inReplyTo,
      to_names: listNames(toPeople),
      cc_names: listNames(ccPeople),
      bcc_names: listNames(bccPeople),
      ...describeAttachments(mail),
    },
    files: mail.attachments.map(({ name, mediaType, bytes, content }) => ({
      name: tidy(name),
      mediaType,
      bytes,
      content,
    })),
  };
}

/** Returns the time that the sender wrote, or that of the first server if it cannot be parsed. */
function findTime(mail: Mail, timeZone: string): string | undefined {
  const received = mail.headers.filter(({ key }) => key === 'received').at(-1)?.value;
  const written = mail.headers.find(({ key }) => key === 'date')?.value;
  return readMailTime(written ?? '', timeZone) ?? readMailTime(received?.split(';').at(-1) ?? '', timeZone);
}

function readBody(mail: Mail): string | undefined {
  const plain = mail.text?.replaceAll('\r\n', '\n').trim() ?? '';
  const body = plain !== '' || mail.html === undefined ? plain : readHtmlText(mail.html);
  if (body === '') return undefined;
  const cut = body.length > MAX_BODY_CHARACTERS ? body.slice(0, MAX_BODY_CHARACTERS).toWellFormed() : body;
  // Mails from Windows, and mails that wrongly claim to be Latin-1.
  return replaceControls(cut);
}

function describeAttachments(mail: Mail): Record<string, unknown> {
  const attachments = mail.attachments.map(({ name, mediaType, bytes }) => ({
    name: tidy(name) ?? '',
    media_type: mediaType,
    size_bytes: bytes,
  }));
  if (attachments.length === 0) return {};
  const names = attachments.map(({ name }) => name).filter((name) => name !== '');
  return { attachment: attachments[0], attachments, attachment_names: names };
}

/** Gmail uses a label, mail programs a Status header, Thunderbird the last bit of a number. */
function findUnread(
  labels: readonly string[],
  status: string | undefined,
  mozilla: string | undefined,
): boolean | undefined {
  if (labels.length > 0) return labels.some(isUnreadLabel);
  if (mozilla !== undefined && /^[0-9a-f]{4}$/i.test(mozilla.trim()))
    return (Number.parseInt(mozilla, 16) & 1) === 0;
  return status === undefined ? undefined : !/R/.test(status);
}

interface Person {
  readonly name: string;
  readonly address: string;
}

const listAddresses = (people: readonly Person[]) => unique(people.map(({ address }) => address));

/** Names as written, without names that repeat the address. */
function listNames(people: readonly Person[]): string[] | undefined {
  const names = people
    .filter(({ name, address }) => name.trim().toLowerCase() !== address)
    .map(({ name }) => tidy(name) ?? '');
  const some = unique(names);
  return some.length > 0 ? some : undefined;
}

function flatten(addresses: readonly Address[]): Person[] {
  return addresses
    .flatMap((one) => one.group ?? [one])
    .map(({ name, address }) => ({ name, address: address.trim().toLowerCase() }))
    .filter(({ address, name }) => address !== '' || name !== '');
}

function listIds(header: string | undefined): string[] {
  if (header === undefined) return [];
  const found = [...header.matchAll(/<\s*([^<>\s]+)\s*>/g)].map(([, id]) => id as string);
  const ids = found.length > 0 ? found : header.trim().split(/\s+/);
  return ids.filter((id) => id !== '' && Buffer.byteLength(id) <= MAX_ID_BYTES);
}

const unique = (values: readonly string[]) => [...new Set(values.filter((value) => value !== ''))];

function tidy(value: string | undefined): string | undefined {
  const text = value?.replace(/\s+/g, ' ').trim();
  return text === undefined || text === '' ? undefined : replaceControls(text);
}

/** The time in an mbox separator line; RFC 4155 says that it is UTC. */
export function readEnvelopeTime(envelope: string): string | undefined {
  const time = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b.*$/.exec(envelope)?.[0];
  return time === undefined ? undefined : readTime(time, { timeZone: 'UTC' });
}

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
/** RFC 5322 §3.3, as nearly all mails write it. */
const WRITTEN =
  /^(?:[A-Z][a-z]{2}, )? ?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) ([+-])(0\d|1[0-3])([0-5]\d)(?: \([A-Z]{1,5}\))?$/;

export function readMailTime(text: string, timeZone: string): string | undefined {
  const [, day, month = '', year, hour, minute, second, sign, ...offset] = WRITTEN.exec(text.trim()) ?? [];
  const place = MONTHS.indexOf(month);
  const isUsual = day !== undefined && place % 3 === 0 && Number(day) >= 1 && Number(day) <= 28;
  if (!isUsual || Number(year) < 1_000)
    return readTime(text.replace(/\([^)]*\)/g, ' '), { timeZone, dayFirst: true });
  const minutes = Number(offset[0]) * 60 + Number(offset[1]);
  const ahead = sign === '-' ? -minutes : minutes;
  const [y, d, h, m, s] = [year, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return formatTime(Date.UTC(y, place / 3, d, h, m - ahead, s));
}

/** Gmail's label for sent mail, by language. */
const SENT = new Set(
  'sent|gesendet|messages envoyés|envoyés|enviados|enviado|posta inviata|inviati|verzonden|wysłane|отправленные|skickat|sendt|lähetetyt|odeslaná|gönderilmiş postalar|送信済み|已发送邮件|已发邮件|寄件備份|보낸편지함|надіслані'.split(
    '|',
  ),
);
const UNREAD = new Set(
  'unread|ungelesen|non lus|no leídos|no leído|não lidas|não lidos|da leggere|ongelezen|nieprzeczytane|непрочитанные|oläst|ulest|未読|未读|읽지 않음'.split(
    '|',
  ),
);

/**
 * Parses an X-Gmail-Labels header: encoded words, separated by commas, with quotes around labels that contain
 * one.
 */
const parseLabels: (header: string) => readonly string[] = memoize((header) => {
  const found = decodeWords(header).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g);
  const labels = [...found].map(([, quoted, plain]) =>
    (quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '').replace(/\s+/g, ' ').trim(),
  );
  return [...new Set(labels.filter((label) => label !== ''))];
});

const isSentLabel = (label: string) => SENT.has(label.toLowerCase());
const isUnreadLabel = (label: string) => UNREAD.has(label.toLowerCase());
