import { type Fields, isFields } from './model/result.ts';

/** The variables of the host that this page uses. Colours are taken only together, so that they fit each other. */
const COLORS = [
  '--color-background-primary',
  '--color-text-primary',
  '--color-text-secondary',
  '--color-border-primary',
];
const FONTS = ['--font-sans'];

/** Applies the theme and the colours of the host. A value that could load something is ignored. */
export function applyTheme({ theme, styles }: Fields): void {
  const { style } = document.documentElement;
  if (theme === 'light' || theme === 'dark') style.colorScheme = theme;
  const variables = isFields(styles) && isFields(styles.variables) ? styles.variables : {};
  const isSafe = (name: string) => {
    const value = variables[name];
    return typeof value === 'string' && !/url|image|@|[;{}]/i.test(value);
  };
  const used = [...(COLORS.every(isSafe) ? COLORS : []), ...FONTS.filter(isSafe)];
  for (const name of used) style.setProperty(name, String(variables[name]));
}
