import type { AccountInput, AccountKindView } from '../../accounts/account-service.ts';
import type { AccountField, AccountKind, SyncErrorCode } from '../../accounts/sync-source.ts';

const MAX_CHARACTERS = 2_000;

/** The word for the collections of an account, by kind. */
export const collectionWords: Partial<Record<AccountKind, string>> = {
  imap: 'folders',
  caldav: 'calendars',
  carddav: 'address books',
  webdav: 'folders',
};

/** Reads the settings of a kind from a form. Empty fields count as absent. */
export function readAccountInput({ kind, fields }: AccountKindView, form: URLSearchParams): AccountInput {
  const settings: Record<string, unknown> = {};
  let secret: string | undefined;
  for (const { name, type } of fields) {
    const sent = form.get(name) ?? '';
    // A password may begin or end with a space.
    if (type === 'secret') secret = sent === '' ? undefined : sent;
    else if ((type === 'boolean' || type === 'flag') && sent !== '') settings[name] = sent === 'yes';
    else if (sent.trim() !== '') settings[name] = readSetting(type, sent.trim().slice(0, MAX_CHARACTERS));
  }
  return { kind, settings, secret, allowsPrivate: form.get('allows_private') === 'yes' };
}

function readSetting(type: AccountField['type'], text: string): unknown {
  if (type === 'list') return text.split(/[\r\n]+/).flatMap((line) => line.trim() || []);
  return type === 'number' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Returns settings as the values of form fields, without passwords. */
export function toValues({ fields }: AccountKindView, { settings }: AccountInput): Record<string, string> {
  return Object.fromEntries(
    fields
      .filter(({ type, name }) => type !== 'secret' && settings[name] !== undefined)
      .map(({ name, type }) => {
        const value = settings[name];
        if (type === 'boolean' || type === 'flag') return [name, value === true ? 'yes' : 'no'];
        return [name, Array.isArray(value) ? value.join('\n') : String(value)];
      }),
  );
}

const isAddress = ({ name, type }: AccountField) => type === 'url' || name === 'server';

/** Returns the name of the field that caused a failed connection test; undefined if it was no single field. */
export function findWrongField(fields: readonly AccountField[], code: SyncErrorCode): string | undefined {
  const secret = fields.find(({ type }) => type === 'secret');
  const address = fields.find(isAddress);
  switch (code) {
    case 'credentials':
    case 'forbidden':
      return (secret ?? address)?.name;
    case 'private_address':
      return 'allows_private';
    case 'unreachable':
    case 'not_encrypted':
    case 'certificate':
    case 'not_found':
    case 'protocol':
    case 'too_slow':
      return address?.name;
    default:
      return undefined;
  }
}
