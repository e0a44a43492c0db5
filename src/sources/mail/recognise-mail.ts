import type { InputFile, Recognised } from '../../import/importer.ts';

const FIELD = /^([!-9;-~]+):/;
const KNOWN =
  /^(?:from|to|cc|subject|date|message-id|received|return-path|delivered-to|mime-version|content-type|content-transfer-encoding|in-reply-to|references|reply-to|sender|dkim-signature|x-mailer|x-gm-thrid|x-gmail-labels)$/;
const ADDED_BY_PROGRAMS = /^(?:message-id|received|return-path|mime-version|content-type|x-.+)$/;
const TELLING = /^(?:from|date|message-id|received|return-path|delivered-to|subject)$/;
/** A mail without a sender is still a mail if it declares how its parts are separated. */
const IN_PARTS = /^content-type:\s*multipart\/\w+;\s*boundary=/i;
const ADDRESSEE =
  /^(?:delivered-to|x-original-to|x-delivered-to|envelope-to):[ \t]*<?([^\s<>]+@[^\s<>]+)>?[ \t\r]*$/gim;

type MailKind = 'gmail' | 'mbox' | 'single';

async function findMailKind(file: InputFile): Promise<MailKind | undefined> {
  const head = Buffer.from(await file.head())
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  const mbox = /^From [^\n]*\n/.exec(head);
  const text = mbox === null ? head.replace(/^\d{1,10}[ \t]*\r?\n/, '') : head.slice(mbox[0].length);
  const headers = listHeaders(text);
  if (headers === undefined || !(isMail(headers) || IN_PARTS.test(text))) return undefined;
  if (mbox === null) return isSent(headers, text) ? 'single' : undefined;
  return /^x-(?:gm-thrid|gmail-labels):/im.test(head) ? 'gmail' : 'mbox';
}

/** Selects files of some kinds. All mails of a person are one connection. */
export async function recogniseMail(
  files: readonly InputFile[],
  kinds: readonly MailKind[],
): Promise<readonly Recognised[]> {
  const found: InputFile[] = [];
  let isMbox = false;
  for (const file of files) {
    const kind = await findMailKind(file);
    if (kind === undefined || !kinds.includes(kind)) continue;
    found.push(file);
    if (kind !== 'single') isMbox = true;
  }
  return found.length === 0 ? [] : [{ files: found, certainty: isMbox ? 'certain' : 'likely' }];
}

/** Finds the owner: the recipient of most mails at the beginning. */
export async function findAddressee(file: InputFile): Promise<string | undefined> {
  const head = Buffer.from(await file.head()).toString('latin1');
  const counts = new Map<string, number>();
  for (const [, address = ''] of head.matchAll(ADDRESSEE))
    counts.set(address.toLowerCase(), (counts.get(address.toLowerCase()) ?? 0) + 1);
  const [most, second] = [...counts].sort(([, one], [, other]) => other - one);
  return most !== undefined && most[1] > (second?.[1] ?? 0) ? most[0] : undefined;
}

/** Returns the header names, or undefined if the text is not headers. */
function listHeaders(text: string): string[] | undefined {
  const block = text.split(/\r?\n\r?\n/, 1)[0] as string;
  const names: string[] = [];
  for (const line of block.split(/\r?\n/).slice(0, 200)) {
    if (/^[ \t]|^>From |^$/.test(line)) continue;
    const name = FIELD.exec(line)?.[1];
    // The last line may be cut off.
    if (name === undefined) return names.length > 5 && text.length > 60_000 ? names : undefined;
    names.push(name.toLowerCase());
  }
  return names;
}

/** Statements as text also have lines such as `From: 01/12/2025 to 31/12/2025` and `Date:`, but no mail address. */
const isSent = (headers: readonly string[], text: string) =>
  headers.some((name) => ADDED_BY_PROGRAMS.test(name)) ||
  new Set(headers.filter((name) => KNOWN.test(name))).size > 2 ||
  /^(?:from|to|cc|sender|reply-to):[^\n]*(?:\n[ \t][^\n]*)*@/im.test(text);

function isMail(names: readonly string[]): boolean {
  // A page saved by a browser resembles a mail.
  if (names.includes('snapshot-content-location')) return false;
  const known = new Set(names.filter((name) => KNOWN.test(name)));
  const telling = names.filter((name) => TELLING.test(name));
  return known.size >= 2 && telling.length >= 1;
}
