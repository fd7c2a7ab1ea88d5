// What the client uses of htm-preact.js.
export interface Drawn {
  readonly props: unknown;
}
/** A node of Preact's tree; `type` is null for a text, which is then the `props`. */
export interface Vnode {
  type: unknown;
  props: unknown;
  __e: Node | null;
}
/** Called when a node of the tree has been drawn, and before it is taken away. */
export const options: {
  diffed?: (vnode: Vnode) => void;
  unmount?: (vnode: Vnode) => void;
};
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => Drawn;
export function render(what: Drawn, where: Element): void;
export type Stateful<T> = [T, (next: T | ((last: T) => T)) => void];
export function useState<Of>(first: null): Stateful<Of | null>;
export function useState<T>(first: T | (() => T)): Stateful<T>;
export function useEffect(effect: () => void | (() => void), inputs?: unknown[]): void;
export function useLayoutEffect(effect: () => void | (() => void), inputs?: unknown[]): void;
/** Without a value at first it is for an element that is drawn. */
export function useRef<Of = HTMLElement | null>(first: null): { current: Of };
export function useRef<T>(first: T): { current: T };
export function useMemo<T>(make: () => T, inputs?: unknown[]): T;
export function useCallback<T>(callback: T, inputs?: unknown[]): T;
