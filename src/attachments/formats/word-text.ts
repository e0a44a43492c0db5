import type { TextContext } from '../file-text.ts';
import type { Parts } from '../unzip-parts.ts';
import { readXmlPart } from './read-xml-part.ts';

const WORD_PARTS = [
  /^word\/header\d*\.xml$/,
  /^word\/document\d*\.xml$/,
  /^word\/(?:foot|end)notes\.xml$/,
  /^word\/comments\.xml$/,
  /^word\/footer\d*\.xml$/,
];

/** Reads DOCX (ECMA-376): headers, text, notes, comments. Deleted text is left out. */
export async function readWordText(parts: Parts, context: TextContext): Promise<void> {
  for (const pattern of WORD_PARTS)
    for (const name of parts.list(pattern)) await readOfficeXml(parts, name, context);
}

/** Reads PPTX: the slides in order, each with its notes. */
export async function readSlidesText(parts: Parts, context: TextContext): Promise<void> {
  for (const name of parts.list(/^ppt\/slides\/slide\d+\.xml$/)) await readOfficeXml(parts, name, context);
  for (const name of parts.list(/^ppt\/notesSlides\/notesSlide\d+\.xml$/))
    await readOfficeXml(parts, name, context);
}

/** Elements that represent a character. */
const ELEMENT_CHARACTERS: Readonly<Record<string, string>> = {
  tab: '\t',
  br: '\n',
  cr: '\n',
  noBreakHyphen: '-',
};

async function readOfficeXml(parts: Parts, name: string, { out }: TextContext): Promise<void> {
  let isText = false;
  // A fallback repeats a drawing for older programs.
  let fallbacks = 0;
  await readXmlPart(parts.open(name), {
    open(element) {
      if (element === 'Fallback') fallbacks += 1;
      else if (element === 't') isText = fallbacks === 0;
      else if (ELEMENT_CHARACTERS[element] !== undefined) out.add(ELEMENT_CHARACTERS[element]);
    },
    text(text) {
      if (isText) out.add(text);
    },
    close(element) {
      if (element === 'Fallback') fallbacks -= 1;
      else if (element === 't') isText = false;
      else if (element === 'p') out.add('\n');
      else if (element === 'tc') out.add('\t');
    },
  });
  out.add('\n');
}
