import type { KoaContextWithOIDC } from 'oidc-provider';
import { DevicePage } from '../../../dashboard/pages/device.tsx';
import { MessagePage } from '../../../dashboard/pages/message.tsx';
import type { ProviderDeps } from '../../oauth/provider.ts';

/** Headers that pass values through oidc-provider to the page for a device code. Only our routes set them. */
export const DEVICE_HEADERS = { userCode: 'x-pdpp-user-code', csrf: 'x-pdpp-csrf' } as const;

const explanations: Record<string, string> = {
  invalid_client:
    'The app could not be recognised. Its registration may have been removed, or its document could not be read.',
  invalid_redirect_uri: 'The app asked to be redirected to an address that it has not registered.',
  invalid_request: 'The app sent an invalid request.',
  access_denied: 'Access was denied.',
};

/** The pages that the authorization server shows when it cannot send the browser back to the app. */
export const authorizationPages: ProviderDeps['pages'] = {
  renderError(ctx, out, error) {
    // The error handler of the app answers it, with a request id for the log.
    if (out.error === 'server_error') throw error;
    show(
      ctx,
      <MessagePage
        title="That did not work"
        text={explanations[out.error] ?? 'The request has expired or is incomplete.'}
        hint={`Start again from the app. (${out.error})`}
      />,
    );
  },
  device: {
    async userCodeInputSource(ctx, _form, _out, error) {
      const xsrf = String((ctx.oidc.session?.state as { secret?: string } | undefined)?.secret ?? '');
      const typed = ctx.get(DEVICE_HEADERS.userCode);
      show(
        ctx,
        <DevicePage
          csrf={ctx.get(DEVICE_HEADERS.csrf)}
          xsrf={xsrf}
          userCode={typed === '' ? undefined : typed.slice(0, 20)}
          problem={error === undefined ? undefined : explainCode(error.name)}
        />,
      );
    },
    async userCodeConfirmSource(ctx) {
      show(ctx, <MessagePage title="That did not work" text="The form is incomplete." />);
    },
    async successSource(ctx) {
      show(
        ctx,
        <MessagePage
          title="Connected"
          text="The app is connected. You can close this page."
          link={{ href: '/dashboard/apps', label: 'View apps' }}
        />,
      );
    },
  },
};

function explainCode(name: string): string {
  if (name === 'ExpiredError') return 'This code has expired. Get a new one from the app.';
  if (name === 'AlreadyUsedError') return 'This code was already used. Get a new one from the app.';
  if (name === 'AbortedError') return 'Access was denied. You can close this page.';
  return 'No app is waiting for this code.';
}

function show(ctx: KoaContextWithOIDC, page: { toString(): string | Promise<string> }): void {
  ctx.type = 'html';
  ctx.body = String(page);
}
