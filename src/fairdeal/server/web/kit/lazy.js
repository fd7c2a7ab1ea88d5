// A part of the page that few moments show: its module is fetched with the first of them.
import { html, useEffect, useState } from '../vendor/htm-preact.js';

/** @import { Stateful } from '../types.js' */

/** After so many milliseconds what could not be fetched is asked for again. */
const AGAIN = 1000;

/** @template {string} Name @param {() => Promise<Record<Name, object>>} load gives a module, whose
 * part has this name @param {Name} name */
export function later(load, name) {
  return function Later(/** @type {object} */ props) {
    /** @type {Stateful<object | null>} */ const [Part, setPart] = useState(null);
    useEffect(() => {
      let timer = 0;
      const fetchIt = () =>
        load().then(
          (module) => setPart(() => module[name]),
          () => (timer = setTimeout(fetchIt, AGAIN)),
        );
      fetchIt();
      return () => clearTimeout(timer);
    }, []);
    return (
      Part &&
      html`
        <${Part} ...${props} />
      `
    );
  };
}
