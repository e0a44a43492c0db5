import type { Grant } from '../grants/grant.ts';

/** Who is asking, once the door has let them in, and by which token where it was one. */
export type Caller = ({ readonly kind: 'client'; readonly grant: Grant } | { readonly kind: 'owner' }) & {
  readonly tokenHash?: string;
};
