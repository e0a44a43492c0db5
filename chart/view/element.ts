type Attributes = Readonly<Record<string, string | number | undefined>>;
type Child = Node | string | undefined;

const SVG = 'http://www.w3.org/2000/svg';

/** Creates an HTML element. Texts become text nodes, so nothing in a result can be markup. */
export function html<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children);
}

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Name] {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill<One extends Element>(element: One, attributes: Attributes, children: readonly Child[]): One {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(name, String(value));
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

export const percent = (value: number): string => `${Math.round(value * 100) / 100}%`;
