// Small helpers for making parts of the page.
export const find = <T extends HTMLElement = HTMLElement>(selector: string) => document.querySelector<T>(selector)!;

type Child = Node | string | null | undefined;

/** An element with attributes (functions listen to events) and children. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, unknown> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined && value !== null) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined));
  return element;
}

/** A number input with its label. */
export function numberField(title: string, value: number, attributes: Record<string, unknown>, changed: (value: number) => void): HTMLElement {
  const input = make("input", { type: "number", value, ...attributes, input: () => { if (input.value !== "" && Number.isFinite(input.valueAsNumber)) changed(input.valueAsNumber); } });
  return make("label", { class: "field" }, title, input);
}

/** A choice with its label. */
export function choiceField(title: string, options: [value: string, title: string][], value: string, changed: (value: string) => void, id?: string): HTMLElement {
  const select = make("select", { id, change: () => changed(select.value) }, ...options.map(([own, name]) => make("option", { value: own, selected: own === value }, name)));
  return make("label", { class: "field" }, title, select);
}
