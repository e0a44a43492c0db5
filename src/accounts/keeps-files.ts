import type { AccountRow } from '../store/accounts/account-store.ts';
import type { AccountField, AccountSettings } from './sync-source.ts';

/** The setting whether the files attached to mails are kept. */
export const KEEP_FILES = 'keep-files';

export const keepFilesField: AccountField = {
  name: KEEP_FILES,
  label: 'Keep attached files',
  type: 'flag',
  isRequired: false,
  hint: 'Stores the files of new mails in the data folder. Without it, only their text is stored.',
};

export function keepsFiles({ settings }: Pick<AccountRow, 'settings'>): boolean {
  return (JSON.parse(settings) as AccountSettings)[KEEP_FILES] === true;
}
