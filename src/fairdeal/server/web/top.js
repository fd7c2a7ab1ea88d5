// What stands at the top of a page, and who is who.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { get, post } from './api.js';
import { Icon } from './card.js';

/** The colours of the seats. */
export const INKS = [
  '#3f5d8a',
  '#8a4b2f',
  '#4d6b35',
  '#7b4380',
  '#2f6f72',
  '#80602a',
  '#8a3a54',
  '#555a63',
];

/** A link within the room, which does not load the page again.
 * @param {string} to @param {(to: string) => void} go */
export const goTo = (to, go) => (/** @type {Event} */ event) => {
  event.preventDefault();
  go(to);
};

/** @param {any} props */
export const Logo = ({ go }) => html`
  <a class="logo" href="/" aria-label="To the shelf" onClick=${goTo('/', go)}>
    <${Icon} name="fair-mark" />
  </a>
`;

/** Who you are to the others: a nickname, nothing else. */
export function Who() {
  const [name, setName] = useState('');
  const [editing, setEditing] = useState(false);
  useEffect(() => {
    get('/api/me').then(
      (me) => setName(me.name),
      () => 0,
    );
  }, []);
  const keep = (event) => {
    event.preventDefault();
    post('/api/me', { name: new FormData(event.currentTarget).get('name') }).then((me) => {
      setName(me.name);
      setEditing(false);
    });
  };
  if (editing) {
    return html`
      <form class="whoami" onSubmit=${keep}>
        <input
          name="name"
          aria-label="Your name"
          maxlength="24"
          defaultValue=${name === 'Guest' ? '' : name}
          placeholder="Your name"
          autofocus
        />
        <button class="btn main">Keep</button>
      </form>
    `;
  }
  return html`
    <button class="btn bare" onClick=${() => setEditing(true)} title="Change your name">
      <span class="face" style=${{ '--who': INKS[0] }}>${(name || '?')[0]}</span>
      ${name}
    </button>
  `;
}
