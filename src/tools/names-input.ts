import { z } from 'zod';

export const MOST_NAMES = 100;

/** One name or several: a bare string is what most calls need, a list saves the second call. */
export const namesInput = z.union([z.string(), z.array(z.string()).min(1).max(MOST_NAMES)]);
