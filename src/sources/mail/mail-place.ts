import type { InputFile } from '../../import/importer.ts';

/** The folder a mail lies in, as far as the way to the file tells: a Maildir folder, or the name of an mbox. */
export function findFolder({ path }: InputFile): string | undefined {
  const parts = path.split('/');
  const maildir = parts.findLastIndex((part) => part === 'cur' || part === 'new');
  // A Maildir writes folders inside folders as `.Work.Invoices`; its own top is the inbox.
  if (maildir > 0) return (parts[maildir - 1] as string).replace(/^\./, '').replaceAll('.', '/') || undefined;
  const name = parts.at(-1) ?? '';
  if (/\.mbox$/i.test(parts.at(-2) ?? '')) return parts.at(-2)?.replace(/\.mbox$/i, '');
  return /\.(?:emlx?|txt|msg)$/i.test(name) ? parts.at(-2) : name.replace(/\.mbo?x$/i, '');
}

/** The flags at the end of a Maildir file's name: `:2,RS`. */
export function findFlags({ path }: InputFile): { is_unread?: boolean } {
  const flags = /[:;!]2,([A-Za-z]*)$/.exec(path)?.[1];
  return flags === undefined ? {} : { is_unread: !flags.includes('S') };
}
