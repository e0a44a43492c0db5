/**
 * For browsers without script. As text, because JSX would lift the meta out of its noscript into the head; and outside of
 * what the script puts in place, where it would come to life.
 */
export const REFRESH = '<noscript><meta http-equiv="refresh" content="3"></noscript>';
