import { InlineCode, Page } from '../parts/layout.tsx';

/** A page with one message, such as an error. */
export function MessagePage(props: {
  title: string;
  text: string;
  hint?: string | undefined;
  requestId?: string | undefined;
  link?: { href: string; label: string } | undefined;
}) {
  const { title, text, hint, requestId, link } = props;
  return (
    <Page title={title} width="narrow">
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      {hint !== undefined && (
        <p>
          <InlineCode text={hint} />
        </p>
      )}
      {link !== undefined && (
        <p>
          <a class="button" href={link.href} rel="noreferrer">
            {link.label}
          </a>
        </p>
      )}
      {requestId !== undefined && (
        <p class="muted small">
          Request ID: <span class="mono">{requestId}</span>
        </p>
      )}
    </Page>
  );
}
