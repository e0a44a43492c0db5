import type { InputFile } from '../../import/importer.ts';
import { peekText } from '../../import/read/decode-text.ts';
import { baseOf, childFolderKey, folderKey, hasNotionId, readName } from './notion-names.ts';
import { hasPageTimes, isHtmlPage, isMarkdownPage } from './notion-page.ts';

export interface NotionFiles {
  readonly pages: readonly InputFile[];
  /** One table per database. */
  readonly tables: readonly InputFile[];
  /** Tables that show a part of another one. */
  readonly views: readonly InputFile[];
  /** Returns whether a page has marks that only Notion writes. */
  readonly isCertain: boolean;
}

/** Finds pages and databases by content and by the ids in file names. */
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
  // A page without a title counts only beside others.
  if (isCertain) pages.push(...unsure);
  return { pages, ...findTables(files, pages), isCertain };
}

/** A database has a table of all rows, `_all.csv`, and one of its first view. */
function findTables(files: readonly InputFile[], pages: readonly InputFile[]) {
  const folders = new Set(pages.map(({ path }) => folderKey(path)));
  const own = files.filter(
    (file) =>
      /\.csv$/i.test(file.path) &&
      (hasNotionId(file.path) ||
        folders.has(childFolderKey(file)) ||
        (folders.has(folderKey(file.path)) && readName(baseOf(file.path)).id !== undefined)),
  );
  const whole = new Set(own.filter(({ path }) => /_all\.csv$/i.test(path)).map(childFolderKey));
  const isView = (file: InputFile) => !/_all\.csv$/i.test(file.path) && whole.has(childFolderKey(file));
  return { tables: own.filter((file) => !isView(file)), views: own.filter(isView) };
}
