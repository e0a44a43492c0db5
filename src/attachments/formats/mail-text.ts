import PostalMime, { type Address } from 'postal-mime';
import { readHtmlText } from '../../import/read/html-text.ts';
import type { ReadText } from '../file-text.ts';

const MAX_FILES = 100;

/** Reads a mail inside a file: who wrote it, its text, and the text of its attachments. */
export const readMailText: ReadText = async (bytes, { out, readInner }) => {
  const mail = await PostalMime.parse(bytes, { maxNestingDepth: 32, maxRfc822NestingDepth: 2 });
  const lines = {
    Subject: mail.subject,
    From: mail.from && formatPeople([mail.from]),
    To: formatPeople(mail.to ?? []),
    Date: mail.date,
  };
  for (const [label, value] of Object.entries(lines)) if (value) out.add(`${label}: ${value}\n`);
  out.add(`\n${mail.text?.trim() || readHtmlText(mail.html ?? '')}\n`);
  for (const { filename, mimeType, content } of mail.attachments.slice(0, MAX_FILES)) {
    if (typeof content === 'string') continue;
    out.add(`\n${filename ?? ''}\n`);
    await readInner(new Uint8Array(content), filename ?? undefined, mimeType);
  }
};

function formatPeople(people: readonly Address[]): string {
  return people
    .flatMap((one) => one.group ?? [one])
    .map(({ name, address }) => (name === '' ? address : `${name} <${address ?? ''}>`))
    .join(', ');
}
