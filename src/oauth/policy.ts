import type { interactionPolicy as policies } from 'oidc-provider';
import { interactionPolicy } from './library.ts';
import { nowSeconds } from './lifetimes.ts';

/**
 * The page is shown for every request, whatever was approved before: a client id can be claimed by anyone, so
 * an earlier approval says nothing about who asks now.
 */
export function askEveryTime(): policies.DefaultPolicy {
  const { Check, Prompt, base } = interactionPolicy;
  const policy = base();
  policy.clear();
  policy.add(
    new Prompt(
      { name: 'consent', requestable: true },
      new Check('approval_needed', 'the owner has to approve', (ctx) =>
        ctx.oidc.result?.consent?.grantId === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
      ),
    ),
  );
  return policy;
}

type KnownGrant = { rar?: readonly object[] | undefined; exp?: number | undefined } | undefined;

/** A single-use grant ends with its one access token. */
export function isSingleUse(grant: KnownGrant): boolean {
  return (
    grant?.rar?.some((detail) => 'access_mode' in detail && detail.access_mode === 'single_use') ?? false
  );
}

export function secondsLeft(grant: KnownGrant): number {
  const left = (grant?.exp ?? 0) - nowSeconds();
  return Math.max(1, left);
}
