import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { LruCache } from '../limits/cache.ts';
import type { StreamDeclaration } from './declaration.ts';

/** Formats are read leniently here; times are parsed, and checked, by our own rules. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false });

const compiled = new LruCache<string, ValidateFunction>(300);

/**
 * What says whether data fits a stream's schema. Compiling costs more than a thousand records, and a declaration is
 * checked, stored and read again before the first of them: so schemas are known by what they say.
 */
export function compileSchema({ schema }: StreamDeclaration): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  try {
    const validate = ajv.compile(schema);
    compiled.set(text, validate);
    return validate;
  } finally {
    // The library would keep every schema it has ever seen.
    ajv.removeSchema(schema);
  }
}
