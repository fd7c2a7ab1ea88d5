// A part of the page that few moments show: its module is fetched with the first of them.
import { html, useEffect, useState } from './vendor/htm-preact.js';

/** After so many milliseconds what could not be fetched is asked for again. */
const AGAIN = 1000;

/** @param {() => Promise<any>} load gives a module, whose part has this name
 * @param {string} name */
export function later(load, name) {
  return function Later(/** @type {any} */ props) {
    const [Part, setPart] = useState(/** @type {any} */ (null));
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
