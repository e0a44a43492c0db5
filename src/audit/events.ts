import type { AuditStore } from '../store/open-store.ts';

/** What happens around reading, told in names. Never a token, a code, a passphrase or a record's content. */
export const eventKinds = {
  registered: 'An app introduced itself.',
  asked: 'An app asked for access.',
  approved: 'You approved access.',
  denied: 'You denied access.',
  listed: 'An app looked at the tools for the first time.',
  slowed: 'An app went on calling after it was told to wait.',
  revoked: 'You ended access.',
  connection_ended: 'You took one connection out of an access.',
  expiry_changed: 'You changed when an access ends.',
  refresh_replayed: 'An old refresh token was used again; the access was ended.',
  code_replayed: 'An authorization code was used twice; the access was ended.',
  passphrase_set: 'The passphrase was set.',
  signed_in: 'You signed in.',
  sign_in_failed: 'Somebody tried a wrong passphrase.',
  signed_out_everywhere: 'All browsers were signed out.',
} as const;

export type EventKind = keyof typeof eventKinds;

/** Kinds that the owner must see, on every page, until they have been looked at. */
export const alarmKinds = ['refresh_replayed', 'code_replayed'] as const satisfies readonly EventKind[];

export interface AccessEvent {
  readonly kind: EventKind;
  readonly clientId?: string | undefined;
  readonly client?: string | undefined;
  readonly grantId?: string | undefined;
  readonly detail?: string | undefined;
}

export type WriteEvent = (event: AccessEvent, at: Date) => void;

export function createEventLog(store: AuditStore): WriteEvent {
  const insert = store.raw.prepare(
    'insert into events (at, kind, client_id, client, grant_id, detail) values (?, ?, ?, ?, ?, ?)',
  );
  return (event, at) => {
    insert.run(
      at.toISOString(),
      event.kind,
      event.clientId ?? null,
      event.client ?? null,
      event.grantId ?? null,
      event.detail ?? null,
    );
  };
}
