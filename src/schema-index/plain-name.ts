import { z } from 'zod';

/** Names end up in ids, URLs and prompts, so they are short and plain. */
export const plainName = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be a-z, 0-9, _ or -, at most 64');
