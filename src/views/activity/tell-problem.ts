/** Why a read got no answer: we refused it, the app asked wrongly, or something was in the way. */
export interface Problem {
  readonly kind: 'refused' | 'mistake' | 'failed';
  readonly text: string;
}

const refused: Readonly<Record<string, string>> = {
  unauthorized: 'Refused: its token is not valid.',
  grant_revoked: 'Refused: its access has ended.',
  owner_token_refused: 'Refused: it came with a token of yours.',
  unknown_stream: 'Refused: there is nothing of that name that it may read.',
  unknown_connection: 'Refused: there is no connection of that name that it may read.',
  unknown_field: 'Refused: there is no field of that name that it may read.',
  not_found: 'Refused: there is no such record that it may read.',
};

const failed: Readonly<Record<string, string>> = {
  too_many_requests: 'Told to wait: it called too often.',
  busy: 'Told to wait: the store was busy.',
  cancelled: 'It hung up before its turn came.',
  internal: 'Something went wrong here; the log says what.',
  disk_full: 'The disk is full.',
  store_unusable: 'The data folder cannot be used.',
};

/** Null for an answer. Any other outcome that is not listed here is a call that was put together wrongly. */
export function tellProblem(outcome: string): Problem | null {
  if (outcome === 'ok') return null;
  const no = refused[outcome];
  if (no !== undefined) return { kind: 'refused', text: no };
  const trouble = failed[outcome];
  if (trouble !== undefined) return { kind: 'failed', text: trouble };
  return { kind: 'mistake', text: 'A mistake of the app: the call was put together wrongly.' };
}
