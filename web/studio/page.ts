// Elements of the page by their names.
export function part<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}
