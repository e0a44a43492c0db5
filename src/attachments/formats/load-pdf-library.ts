import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type PdfLibrary = typeof import('pdfjs-dist/legacy/build/pdf.mjs');

let library: Promise<PdfLibrary> | undefined;

/**
 * Loads pdf.js for reading text only. It expects the drawing interfaces of a browser and tries to load a native package
 * for them; text needs neither, so it gets empty ones. docs/decisions/reading-pdf.md.
 */
export function loadPdfLibrary(): Promise<PdfLibrary> {
  library ??= load();
  return library;
}

async function load(): Promise<PdfLibrary> {
  const scope = globalThis as unknown as Record<string, unknown>;
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) scope[name] ??= class {};
  // Without it, compressed streams are unpacked in steps, by code whose buffers are limited.
  delete scope.DecompressionStream;
  const { getBuiltinModule } = process;
  process.getBuiltinModule = ((name: string) =>
    name === 'module'
      ? { createRequire: () => () => ({}) }
      : getBuiltinModule(name)) as typeof getBuiltinModule;
  try {
    // Its own worker runs in this thread.
    scope.pdfjsWorker = await import('pdfjs-dist/legacy/build/pdf.worker.mjs');
    return await import('pdfjs-dist/legacy/build/pdf.mjs');
  } finally {
    process.getBuiltinModule = getBuiltinModule;
  }
}

/** Tables for the characters of Chinese, Japanese and Korean documents: in the build, or in the package. */
export function findCharacterMaps(): { cMapUrl: string; cMapPacked: true } {
  const built = fileURLToPath(new URL('./cmaps/', import.meta.url));
  const installed = fileURLToPath(new URL('../../../node_modules/pdfjs-dist/cmaps/', import.meta.url));
  return { cMapUrl: existsSync(built) ? built : installed, cMapPacked: true };
}
