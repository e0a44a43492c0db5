import type { getDocument, PDFDocumentProxy } from 'pdfjs-dist';
import { type ReadText, Unreadable } from '../file-text.ts';
import { findCharacterMaps, loadPdfLibrary } from './load-pdf-library.ts';

type DocumentOptions = Exclude<Parameters<typeof getDocument>[0], string | URL | ArrayBuffer | undefined>;

const OPTIONS: DocumentOptions = {
  isEvalSupported: false,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  useWasm: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
  enableXfa: false,
  verbosity: 0,
};

/** Reads the text layer of a PDF. Pictures are not read, so a scanned page is empty. */
export const readPdfText: ReadText = async (bytes, { out, limits }) => {
  const { getDocument } = await loadPdfLibrary();
  const task = getDocument({ ...OPTIONS, data: new Uint8Array(bytes), ...findCharacterMaps() });
  try {
    const document = await task.promise;
    for (let page = 1; page <= document.numPages; page++) {
      if (page > limits.pages) throw new Unreadable('cut');
      out.add(await readPage(document, page));
      out.add('\n\n');
    }
  } catch (error) {
    const { name } = error as Error;
    throw name === 'PasswordException' ? new Unreadable('encrypted') : error;
  } finally {
    await task.destroy();
  }
};

async function readPage(document: PDFDocumentProxy, number: number): Promise<string> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('');
}
