import { z } from 'zod';

/** Published as an object; read by parseFilter, which says more precisely than a schema could what is wrong. */
export const filterInput = z.unknown().optional().meta({ type: 'object' });

/** What dates without a zone mean, in every argument of a call, and by which clock its answer shows times. */
export const timeZoneInput = z.string().optional().describe("Default: the owner's.");
