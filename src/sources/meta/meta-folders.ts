import { posix } from 'node:path';
import type { InputFile } from '../../import/importer.ts';

/** Top-level folders of an export, which also hold ads, logins and devices. */
const TOP =
  /^(?:(.*?)\/)?(?:your_(?:instagram|facebook)_activity|your_activity_across_facebook|connections|personal_information|logged_information|ads_information|ads_and_businesses|preferences|security_and_login_information|apps_and_websites_off_of_(?:instagram|facebook))\//;
export const findRoot = (path: string): string | undefined => {
  const found = TOP.exec(path);
  return found === null ? undefined : (found[1] ?? '');
};

/** Top-level folders of older exports. Names of files in an export begin with one. */
const OLD_TOP = /^(?:(.*)\/)?(?:messages|posts|photos_and_videos|stories|content)\//;

/** Returns the folders in which the paths of files begin: the whole export, or the folder of the file that names them. */
export function listMetaFolders({ path }: InputFile): string[] {
  const root = findRoot(path) ?? findOldRoot(path);
  const own = posix.dirname(path);
  return root === undefined ? [own] : [root, own];
}

function findOldRoot(path: string): string | undefined {
  const found = OLD_TOP.exec(path);
  return found === null ? undefined : (found[1] ?? '');
}
