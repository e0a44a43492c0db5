import { AppError } from '../errors.ts';
import type { Grant } from '../grants/grant.ts';
import type { Disclosure, GrantedRead, ToolAnswer } from '../tools/tool.ts';

/** Through whose eyes a page looks: the owner's own, or those of an app. */
export type Viewer = { readonly kind: 'owner' } | { readonly kind: 'client'; readonly grant: Grant };

type ErrorBody = { readonly error: { readonly code: AppError['code']; readonly message: string } };

/**
 * How a page that shows records is read: the way a tool is run, with a granted reader in hand and an audit entry
 * behind it, so that it can show no more than the tools would.
 */
export type RunPage = <Input, View extends object>(
  page: GrantedRead<Input, View>,
  input: Input,
  viewer: Viewer,
  surface: 'dashboard',
) => Promise<
  { readonly isError: false; readonly body: View } | { readonly isError: true; readonly body: ErrorBody }
>;

/** What a person looks at costs no model anything. */
export function showPage<View extends object>(view: View, disclosure: Disclosure): ToolAnswer<View> {
  return { body: view, tokens: 0, disclosure };
}

/** Reads a page, or throws what it was refused with. */
export async function readPage<Input, View extends object>(
  run: RunPage,
  page: GrantedRead<Input, View>,
  input: Input,
  viewer: Viewer,
): Promise<View> {
  const answer = await run(page, input, viewer, 'dashboard');
  if (!answer.isError) return answer.body;
  const { code, message, ...details } = answer.body.error;
  throw new AppError(code, message, details);
}
