import { AppError, type ErrorCode } from '../errors.ts';
import type { Grant } from '../grants/grant.ts';
import type { Disclosure, Tool, ToolContext } from '../tools/tool.ts';

/** Through whose eyes a page looks: the owner's own, or those of an app. */
export type Viewer = { readonly kind: 'owner' } | { readonly kind: 'client'; readonly grant: Grant };

/** How tools are run: with a granted reader in hand and an audit entry behind them. */
export type RunPage = (
  tool: Tool,
  input: unknown,
  viewer: Viewer,
  surface: 'dashboard',
) => Promise<{ readonly body: Record<string, unknown>; readonly isError: boolean }>;

/**
 * A page that shows records is read the way a tool is run, so that it can show no more than the tools
 * would: the granted reader is all it holds. `name` is the tool that the audit files it under.
 */
export interface PageTool<Input, View extends object> {
  readonly name: string;
  read(input: Input, context: ToolContext): Promise<{ view: View; disclosure: Disclosure }>;
}

/** Reads a page, or throws what it was refused with. */
export async function readPage<Input, View extends object>(
  run: RunPage,
  page: PageTool<Input, View>,
  input: Input,
  viewer: Viewer,
): Promise<View> {
  const tool: Tool = {
    name: page.name,
    title: '',
    description: '',
    inputSchema: {},
    async run(_, context) {
      const { view, disclosure } = await page.read(input, context);
      // What a person looks at costs no model anything.
      return { body: view as Record<string, unknown>, tokens: 0, disclosure };
    },
  };
  const { body, isError } = await run(tool, input, viewer, 'dashboard');
  if (!isError) return body as View;
  const { code, message, ...details } = body.error as { code: ErrorCode; message: string };
  throw new AppError(code, message, details);
}
