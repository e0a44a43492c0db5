import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { LruCache } from '../limits/cache.ts';
import type { StreamDeclaration } from './declaration.ts';

/** Formats are not validated here: times are parsed and checked by our own rules. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false });

const MAX_COMPILED_SCHEMAS = 300;
const compiled = new LruCache<string, ValidateFunction>(MAX_COMPILED_SCHEMAS);

/** Compiles the validator of a stream's schema. Compiling costs more than checking a thousand records, so it is cached by content. */
export function compileSchema({ schema }: StreamDeclaration): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  try {
    const validate = ajv.compile(schema);
    compiled.set(text, validate);
    return validate;
  } finally {
    // Otherwise the library keeps every schema.
    ajv.removeSchema(schema);
  }
}
