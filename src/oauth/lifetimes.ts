const DAY = 86_400;

/** The authorization server counts in seconds. */
export const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Lifetimes in seconds. docs/decisions/refresh-tokens.md has the reasons. */
export const ACCESS_TOKEN_SECONDS = DAY;
export const REFRESH_TOKEN_SECONDS = 90 * DAY;
/** A superseded refresh token still returns its successor for this long. After that it ends the grant. */
export const REFRESH_GRACE_SECONDS = 30 * 60;
export const CODE_SECONDS = 60;
export const DEVICE_CODE_SECONDS = 10 * 60;
export const REQUEST_SECONDS = 30 * 60;
/** A registration without an approved access is deleted after this. */
export const UNUSED_CLIENT_SECONDS = DAY;
