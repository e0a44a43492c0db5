import type { Alarm } from '../src/views/alarms.ts';

/** What every page of a signed-in owner has around it. */
export interface Frame {
  readonly csrf: string;
  readonly alarms: readonly Alarm[];
}

/** What was just done, by a short name from the address: nothing else can be made to appear here. */
const sentences: Readonly<Record<string, string>> = {
  revoked: 'Access is revoked. The next request of the app is refused.',
  expiry: 'Saved: access now ends as you chose.',
  connection: 'The connection is no longer part of this access.',
};

export function Done({ done }: { done: string | undefined }) {
  const sentence = done !== undefined && Object.hasOwn(sentences, done) ? sentences[done] : undefined;
  return sentence === undefined ? null : (
    <p class="notice" role="status">
      {sentence}
    </p>
  );
}
