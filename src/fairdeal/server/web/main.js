// Which page is shown follows from the address; going somewhere changes the address.
import { html, render, useCallback, useEffect, useState } from './vendor/htm-preact.js';
import { sprite } from './api.js';
import { Lobby } from './lobby.js';
import { Replay } from './replay.js';
import { Table } from './table.js';

function Room() {
  const [address, setAddress] = useState(location.pathname + location.search);
  const go = useCallback((to, replace = false) => {
    history[replace ? 'replaceState' : 'pushState'](null, '', to);
    setAddress(to);
    if (!replace) scrollTo(0, 0);
  }, []);
  useEffect(() => {
    const back = () => setAddress(location.pathname + location.search);
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  const url = new URL(address, location.origin);
  const table = url.pathname.match(/^\/t\/([\w-]+)$/)?.[1];
  const move = url.searchParams.get('move');
  if (table && move !== null) {
    return html`
      <${Replay} key=${table} id=${table} move=${Math.max(0, Number(move) || 0)} go=${go} />
    `;
  }
  if (table) {
    return html`
      <${Table} key=${table} id=${table} go=${go} />
    `;
  }
  return html`
    <${Lobby} go=${go} />
  `;
}

sprite('/web/icons.svg');
const root = /** @type {HTMLElement} */ (document.getElementById('room'));
root.textContent = '';
render(
  html`
    <${Room} />
  `,
  root,
);
