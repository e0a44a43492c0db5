/** Decodes a path that an export wrote as part of a link: `my%20file.pdf`. Other text stays as it is. */
export function decodePath(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
