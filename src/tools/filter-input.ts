import { z } from 'zod';

/** Published as an object; read by parseFilter, which says more precisely than a schema could what is wrong. */
export const filterInput = z.unknown().optional().meta({ type: 'object' });
