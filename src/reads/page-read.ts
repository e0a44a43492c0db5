import { AppError } from '../errors.ts';
import type { Grant } from '../grants/grant.ts';
import type { Disclosure, GrantedRead, ToolContext } from './granted-read.ts';

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

/** A page that shows records: what of it is shown, and what that told. */
export interface ShownPage<Input, View extends object> {
  /** The tool that the audit files it under. */
  readonly name: string;
  read(
    input: Input,
    context: ToolContext,
  ): Promise<{
    readonly view: View;
    readonly disclosure: Disclosure;
    /** The owner looks at a page once more, and an entry tells of everything on it already. */
    readonly isTold?: boolean;
  }>;
}

/** Reads a page, or throws what it was refused with. What a person looks at costs no model anything. */
export async function readPage<Input, View extends object>(
  run: RunPage,
  { name, read }: ShownPage<Input, View>,
  input: Input,
  viewer: Viewer,
): Promise<View> {
  const page: GrantedRead<Input, View> = {
    name,
    run: async (given, context) => {
      const { view, disclosure, isTold = false } = await read(given, context);
      return { body: view, tokens: 0, disclosure, isTold };
    },
  };
  const answer = await run(page, input, viewer, 'dashboard');
  if (!answer.isError) return answer.body;
  const { code, message, ...details } = answer.body.error;
  throw new AppError(code, message, details);
}
