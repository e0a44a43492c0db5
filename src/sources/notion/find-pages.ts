import type { InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { baseOf, folderKey, hasNotionId, ownKey, readName } from './notion-names.ts';
import { hasPageTimes, isHtmlPage, isMarkdownPage } from './notion-page.ts';

export interface NotionFiles {
  readonly pages: readonly InputFile[];
  /** One table for each database. */
  readonly tables: readonly InputFile[];
  /** Tables that show a part of another one. */
  readonly views: readonly InputFile[];
  /** Whether a page has the marks that only Notion makes. */
  readonly isCertain: boolean;
}

/** The pages and databases among files, by their content and by the ids in their names. */
export async function findNotionFiles(files: readonly InputFile[]): Promise<NotionFiles> {
  const pages: InputFile[] = [];
  const unsure: InputFile[] = [];
  let isCertain = false;
  for (const file of files.filter(({ path }) => /\.(?:md|html?)$/i.test(path))) {
    const head = await peekText(file);
    const isMarkdown = /\.md$/i.test(file.path);
    const isPage = isMarkdown ? isMarkdownPage(head) && hasNotionId(file.path) : isHtmlPage(head);
    if (isPage) pages.push(file);
    else if (isMarkdown && hasNotionId(file.path)) unsure.push(file);
    else if (isMarkdown && readName(baseOf(file.path)).id !== undefined && hasPageTimes(head))
      pages.push(file);
    isCertain ||= isPage;
  }
  // A page without a title is one only beside others.
  if (isCertain) pages.push(...unsure);
  return { pages, ...findTables(files, pages), isCertain };
}

/** A database has a table of all its rows, `_all.csv`, and one of the rows that its first view shows. */
function findTables(files: readonly InputFile[], pages: readonly InputFile[]) {
  const folders = new Set(pages.map(({ path }) => folderKey(path)));
  const own = files.filter(
    (file) =>
      /\.csv$/i.test(file.path) &&
      (hasNotionId(file.path) ||
        folders.has(ownKey(file)) ||
        (folders.has(folderKey(file.path)) && readName(baseOf(file.path)).id !== undefined)),
  );
  const whole = new Set(own.filter(({ path }) => /_all\.csv$/i.test(path)).map(ownKey));
  const isView = (file: InputFile) => !/_all\.csv$/i.test(file.path) && whole.has(ownKey(file));
  return { tables: own.filter((file) => !isView(file)), views: own.filter(isView) };
}
