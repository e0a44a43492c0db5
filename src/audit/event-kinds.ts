import { command, type Hint, hint } from '../text/hint.ts';

/** Events other than reads. They contain names, never a token, a code, a passphrase or a record's content. */
export const eventKinds = {
  registered: 'An app registered.',
  registration_refused: 'The registration of an app was refused.',
  document_fetched: 'The metadata of an app was fetched.',
  asked: 'An app asked for access.',
  approved: 'You approved access.',
  denied: 'You denied access.',
  token_issued: 'An app was connected.',
  token_refreshed: 'An app refreshed its token.',
  listed: 'An app listed the tools for the first time.',
  revoked: 'You ended access.',
  connection_ended: 'You removed one connection from the access.',
  expiry_changed: 'You changed when the access ends.',
  access_changed: 'You changed what the app may read.',
  refresh_replayed: 'An old refresh token was used again; the access was ended.',
  code_replayed: 'An authorization code was used twice; the access was ended.',
  refused_bearer: 'A request with an invalid or expired token was refused.',
  rate_limited: 'Too many requests: some were refused.',
  passphrase_set: 'The passphrase was set.',
  time_zone_changed: 'You changed your time zone.',
  signed_in: 'You signed in.',
  sign_in_failed: 'A sign-in with a wrong passphrase failed.',
  signed_out_everywhere: 'All browsers were signed out.',
  owner_token_issued: 'You created an owner token.',
  owner_tokens_ended: 'You revoked your owner tokens.',
  setup_link_made: 'A link to set a new passphrase was created.',
  restored: 'A backup was restored.',
  backup_failed: hint`A scheduled backup failed. Check the backup folder and its free space. To see the reason, run ${command('backup', 'FOLDER')}.`,
  imported: 'Data was imported into a connection.',
  import_undone: 'An import was undone.',
  account_added: 'An account that syncs was added.',
  account_removed: 'An account that syncs was removed.',
  synced: 'An account was synced, and data has changed.',
  sync_failed: 'An account could not be synced.',
  connection_removed: 'A connection was removed with all its data.',
  audit_lost: 'The record of what apps have read (audit.sqlite) was missing and was created again.',
  key_lost: 'The secret of this server (server-secret) was missing and was created again.',
  folder_copied: hint`The data folder is a different copy from the one last used here. Access that you ended after the copy was made may be active again: review your apps, or end all access with ${command('grant revoke', '--all')}.`,
  ended_again: 'The data is older than the audit log. Access that had ended since was ended again.',
  passphrase_old: hint`The data is older than your latest passphrase, and an earlier one works again. Set a new one: ${command('owner reset')}.`,
  // Written by earlier versions only.
  audit_cut: hint`Audit entries are missing. Run ${command('verify')}.`,
  audit_key_changed: 'The audit key has changed; earlier entries can no longer be verified.',
} as const satisfies Record<string, Hint>;

export type EventKind = keyof typeof eventKinds;

/** Kinds that every page shows until the owner has confirmed them. */
export const alarmKinds = [
  'refresh_replayed',
  'code_replayed',
  'audit_cut',
  'audit_key_changed',
  'audit_lost',
  'key_lost',
  'folder_copied',
  'ended_again',
  'passphrase_old',
  'backup_failed',
] as const satisfies readonly EventKind[];

/** The history of a grant, kept as long as the grant is live. */
export const accessKinds = ['approved', 'token_issued', 'listed'] as const satisfies readonly EventKind[];

/** Events that end access. They are never pruned: if an older copy of the store revives the access, they are applied again. */
export const endingKinds = [
  'revoked',
  'refresh_replayed',
  'code_replayed',
  'connection_ended',
  'expiry_changed',
  // The change may have removed access.
  'access_changed',
  'signed_out_everywhere',
  'passphrase_set',
  'owner_tokens_ended',
] as const satisfies readonly EventKind[];

/** Events that callers without access can cause. They are removed first when the audit is full. */
export const anonymousKinds = [
  'registered',
  'registration_refused',
  'document_fetched',
  'asked',
  'refused_bearer',
  'rate_limited',
  'sign_in_failed',
] as const satisfies readonly EventKind[];
