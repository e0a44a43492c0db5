import { Parser } from 'htmlparser2';

const BLOCKS = new Set(
  'address article aside blockquote br center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);
const UNSEEN = new Set(['script', 'style', 'head', 'title', 'template', 'noscript']);

/** What a person would read of a page, with a line for each block. Nothing is fetched and nothing runs. */
export function readHtmlText(html: string): string {
  const parts: string[] = [];
  let unseen = 0;
  const parser = new Parser({
    onopentagname(name) {
      if (UNSEEN.has(name)) unseen += 1;
      if (BLOCKS.has(name)) parts.push(name === 'td' || name === 'th' ? '\t' : '\n');
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen = Math.max(0, unseen - 1);
      if (BLOCKS.has(name) && !/^(td|th|br|hr)$/.test(name)) parts.push(name === 'p' ? '\n\n' : '\n');
    },
    ontext(text) {
      if (unseen === 0) parts.push(text.replace(/\s+/g, ' '));
    },
  });
  parser.end(html);
  return tidy(parts.join(''));
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/[ \u00a0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
