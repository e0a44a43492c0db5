import { register } from 'node:module';
import { extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AppError } from '../../errors.ts';
import type { Importer } from '../../import/importer.ts';
import { getInput } from '../../import/open/input-paths.ts';
import { plain } from '../print/print.ts';

/** Loads an importer: the default export of a file. Only commands load one, because its code runs with the owner's permissions. */
export async function loadImporter(file: string): Promise<Importer> {
  getInput(file);
  const { href } = pathToFileURL(resolve(file));
  resolveOwnPackage(href);
  let found: unknown;
  try {
    found = ((await import(href)) as { default?: unknown }).default;
  } catch (error) {
    throw new AppError('invalid_argument', 'Could not load the importer.', {
      file,
      problem: String(error),
    });
  }
  if (!isImporter(found))
    throw new AppError('invalid_argument', 'The file does not export an importer.', {
      file,
      hint: 'Add: export default defineImporter({ ... })',
    });
  return withErrorsShown(found);
}

/** Lets a file in any folder import `pdpp/importer`, wherever pdpp is installed. */
function resolveOwnPackage(importer: string): void {
  const ending = extname(fileURLToPath(import.meta.url));
  const { href } = new URL(`../../importer-api${ending}`, import.meta.url);
  // From the sources, tsx would read a .js file without a package.json as CommonJS. Node detects the format itself.
  const format = ending === '.ts' ? { format: 'module' } : {};
  const hook = `export const resolve = async (name, context, next) => {
    if (name === 'pdpp/importer') return next(${JSON.stringify(href)}, context);
    const found = await next(name, context);
    return name === ${JSON.stringify(importer)} ? { ...found, ...${JSON.stringify(format)} } : found;
  };`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

function isImporter(found: unknown): found is Importer {
  const importer = (found ?? {}) as Partial<Record<keyof Importer, unknown>>;
  const texts = [importer.format, importer.title];
  const functions = [importer.recognise, importer.declare, importer.read];
  return (
    texts.every((text) => typeof text === 'string') && functions.every((one) => typeof one === 'function')
  );
}

/** Prints errors of the importer with their stack, for its author. The report does not contain them. */
export function withErrorsShown(importer: Importer): Importer {
  async function* read(...args: Parameters<Importer['read']>) {
    try {
      yield* importer.read(...args);
    } catch (error) {
      // The message may quote the file, so control characters are removed.
      console.error(plain(String((error instanceof Error && error.stack) || error)));
      throw error;
    }
  }
  // A copy of a class instance would lose its methods and private fields.
  return new Proxy(importer, {
    get(target, name) {
      const value: unknown = name === 'read' ? read : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
