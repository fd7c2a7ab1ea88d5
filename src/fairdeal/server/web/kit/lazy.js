// Parts of the page that few moments show: their modules are fetched when they are first wanted.
import { html, useEffect, useState } from '../vendor/htm-preact.js';

/** @import { Stateful } from '../types.js' */

/** How long to wait before a failed request is repeated, in milliseconds. */
const AGAIN = 1000;

/** A module, fetched when it is first wanted.
 * @template {object} Module @param {boolean} wanted @param {() => Promise<Module>} load
 * @returns {Module | null} */
export function useModule(wanted, load) {
  /** @type {Stateful<Module | null>} */ const [module, setModule] = useState(null);
  useEffect(() => {
    if (!wanted || module) return undefined;
    let timer = 0;
    const fetchIt = () =>
      load().then(setModule, () => {
        timer = setTimeout(fetchIt, AGAIN);
      });
    fetchIt();
    return () => clearTimeout(timer);
  }, [wanted]);
  return module;
}

/** A part with this name, drawn when its module is there.
 * @template {string} Name @param {() => Promise<Record<Name, object>>} load @param {Name} name */
export function later(load, name) {
  return function Later(/** @type {object} */ props) {
    const module = useModule(true, load);
    return (
      module &&
      html`
        <${module[name]} ...${props} />
      `
    );
  };
}
