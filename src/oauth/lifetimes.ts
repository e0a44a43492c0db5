const DAY = 86_400;

/** The authorization server counts in seconds. */
export const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** How long things last, in seconds. docs/decisions/refresh-tokens.md has the reasons. */
export const ACCESS_TOKEN_SECONDS = DAY;
export const REFRESH_TOKEN_SECONDS = 90 * DAY;
/** For so long a superseded refresh token still gives its successor; later it ends the family. */
export const REFRESH_GRACE_SECONDS = 30 * 60;
export const CODE_SECONDS = 60;
export const DEVICE_CODE_SECONDS = 10 * 60;
export const REQUEST_SECONDS = 30 * 60;
/** A registration that never led to an access is forgotten after this. */
export const UNUSED_CLIENT_SECONDS = DAY;
